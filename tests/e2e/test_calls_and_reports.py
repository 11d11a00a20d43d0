"""Two things one rarely needs at hand: a place to meet by video, and somebody to tell of a message."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.api.test_calls import provided
from tests.e2e.client import playing
from tests.e2e.dialogs import cursor_on, fill, form, page, save, yes
from tests.e2e.endpoints import uses
from tests.e2e.team import KETTLE, answered, channel, contents, team
from tests.live import live, until


@uses("POST /calls/{video_provider}/create")
async def test_a_link_to_a_call_goes_into_what_one_writes(tmp_path: Path) -> None:
    """One key, and the others can join; without a provider that is said, and nothing is written."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.composer.focus()
            await a.press(*"now ", "alt+v")
            await until(lambda: any("turned off" in n.message for n in a.app._notifications))
            await ann.patch(
                "realm", video_chat_provider=1, jitsi_server_url='"https://meet.example.org"'
            )
            settings = a.screen.account.session.store.realm
            await until(lambda: settings.settings.video_chat_provider == 1)
            await a.press("alt+v")
            await until(
                lambda: a.screen.panes.composer.text.startswith(
                    "now [Join the video call](https://meet.example.org/"
                )
            )


@uses("POST /calls/{video_provider}/create")
async def test_the_servers_provider_is_chosen_and_connected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An owner picks the service that the server is set up for; I connect my account once, and meet there."""
    async with provided(tmp_path) as (server, _):
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await page(a, "realm_settings")
            await cursor_on(a, "Topics and content")
            await a.press("enter")
            await form(a)
            await fill(a, "video_chat_provider", "Webex")
            await save(a)
            settings = a.screen.account.session.store.realm
            await a.sees(lambda: settings.settings.video_chat_provider == 8)
            await a.press("escape")
            await a.go(tea)
            a.screen.panes.composer.focus()
            opened: list[str] = []
            monkeypatch.setattr(a.app, "open_url", opened.append)
            await a.press("alt+v")
            assert "calls in your name" in await yes(a)
            await until(lambda: bool(opened))
            asked = parse_qs(urlsplit(opened[0]).query)
            async with server.client() as browser:
                given = {"code": "C", "state": asked["state"][0]}
                await browser.post(asked["redirect_uri"][0], data=given)
            await a.press("alt+v")
            link = "[Join the video call](https://calls.example/1)"
            await until(lambda: a.screen.panes.composer.text == link)


@uses("POST /messages/{message_id}/report")
async def test_the_moderators_are_told_of_a_message(tmp_path: Path) -> None:
    """Why, in a word and in my words; where nobody would read it, I hear that at once."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        moderators = await channel(ann, "moderators", ann)
        async with playing(server, ben, tmp_path) as b:
            await b.go(tea)
            b.screen.panes.messages.focus()
            await b.press("R")
            await until(
                lambda: any("Reports are turned off" in n.message for n in b.app._notifications)
            )
            await ann.patch("realm", moderation_request_channel_id=moderators)
            realm = b.screen.account.session.store.realm
            await until(lambda: realm.settings.moderation_request_channel_id == moderators)
            await b.press("R")
            await form(b)
            await fill(b, "reason", "Harassment")
            await fill(b, "words", "not the kettle again")
            await save(b)
            await answered(b)
            topics = (await ann.get(f"users/me/{moderators}/topics"))["topics"]
            (told,) = await contents(ann, moderators, topics[0]["name"])
            assert "not the kettle again" in told
            assert KETTLE in told
