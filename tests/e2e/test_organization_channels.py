"""Channels from the inside: made, edited, filled with people, archived; their topics; how one hears them."""

from pathlib import Path

from textual.widgets import Input, Label

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import actions, cursor_on, fill, form, lines, page, refused, save, yes
from tests.e2e.dialogs import typed as typing
from tests.e2e.endpoints import uses
from tests.e2e.messages import say
from tests.e2e.team import answered, asked, channel, contents, team
from tests.live import live
from tui.api.model import Channel, ChannelId
from tui.config import Settings
from tui.narrow import ChannelNarrow, TopicNarrow
from tui.screens.dialogs.listing import ListDialog
from tui.screens.dialogs.multi_select import MultiSelect
from tui.view.channels import Privacy, privacy


def _channel(player: AppDriver, channel_id: ChannelId) -> Channel:
    return player.screen.account.session.store.channels.by_id[channel_id]


@uses("PATCH /streams/{stream_id}", "DELETE /streams/{stream_id}")
async def test_an_administrator_edits_archives_and_brings_back_a_channel(tmp_path: Path) -> None:
    """A refusal keeps what was typed; who reads it and permissions change; archived it stays listed."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await channel(ann, "random", ann)
        async with playing(server, ann, tmp_path) as a:
            await page(a, "channels")
            await cursor_on(a, "#design")
            await a.press("e")
            await form(a)
            await fill(a, "name", "random")
            await fill(a, "description", "how it looks")
            await fill(a, "privacy", "private, no earlier history")
            assert "already taken" in await refused(a)
            assert a.app.screen.query_one("#field-name", Input).value == "random"
            await fill(a, "name", "looks")
            await save(a)
            await a.sees(lambda: any(each.startswith("◆looks") for each in lines(a)))
            known = _channel(a, tea.channel_id)
            assert (known.description, privacy(known)) == ("how it looks", Privacy.PROTECTED)
            await cursor_on(a, "◆looks")
            await a.press("w")
            await form(a)
            await fill(a, "can_send_message_group", "moderators")
            await save(a)
            refusal = await ben.post(
                "messages", type="stream", to="looks", topic="tea", content="?"
            )
            assert refusal["result"] == "error"
            await a.press("a")
            assert "no longer be written to" in await yes(a)
            await a.sees(lambda: _channel(a, tea.channel_id).is_archived)
            await a.sees(lambda: lines(a)[-1].startswith("◆looks"))
            await cursor_on(a, "◆looks")
            assert "edit" not in actions(a)
            await a.press("a")
            await yes(a)
            await a.sees(lambda: not _channel(a, tea.channel_id).is_archived)


@uses("GET /streams/{stream_id}/members", "POST /users/me/subscriptions")
@uses("GET /streams/{stream_id}/email_address", "POST /default_streams", "DELETE /default_streams")
async def test_people_and_groups_are_let_in_and_taken_out(tmp_path: Path) -> None:
    """Several are added at once, one is removed after a question; new people begin in a channel."""
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        carl = await server.person("Carl")
        random = await channel(ann, "random", ann)
        group = await ann.post("user_groups/create", name="b", description="", members=[ben.id])
        assert group["result"] == "success"
        async with playing(server, ann, tmp_path) as a:
            store = a.screen.account.session.store
            await page(a, "channels")
            await cursor_on(a, "#random")
            await a.press("m")
            await a.sees(lambda: lines(a) == ["Ann  you"])
            await a.press("a")
            await a.sees(lambda: isinstance(a.app.screen, MultiSelect))
            await typing(a, "carl", "b group")
            await a.sees(lambda: [each[:4] for each in lines(a)] == ["Ann ", "Ben ", "Carl"])
            await cursor_on(a, "Carl")
            await a.press("d")
            assert "join again" in await yes(a)
            everybody = frozenset({ann.id, ben.id})
            await a.sees(lambda: _channel(a, random).subscribers == everybody)
            assert carl.id not in (await ann.get(f"streams/{random}/members"))["subscribers"]
            await a.press("escape")
            await a.sees(lambda: lines(a)[0].startswith("#design"))
            await cursor_on(a, "#random")
            await a.press("f")
            await a.sees(lambda: random in store.realm.default_channel_ids)
            await a.sees(lambda: "remove default" in actions(a))
            await a.press("f")
            await a.sees(lambda: random not in store.realm.default_channel_ids)
            await a.press("c")
            assert "@" in await yes(a)


@uses("POST /channels/create")
async def test_a_channel_is_made_with_people_and_a_policy(tmp_path: Path) -> None:
    """A name that is taken is told in the form; then the channel is there, with who was asked in."""
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.press("f9")
            await asked(a)
            await typing(a, "Designs")
            await form(a)
            await fill(a, "name", "design")
            await fill(a, "privacy", "private, shared history")
            await fill(a, "people", "Ben")
            await fill(a, "topics_policy", "name required")
            assert "exists" in await refused(a)
            await fill(a, "name", "plans")
            await save(a)
            await answered(a)
            channels = a.screen.account.session.store.channels
            await a.sees(lambda: channels.find("plans") is not None)
            made = channels.find("plans")
            assert made is not None
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(ChannelNarrow(made)))
            known = _channel(a, made)
            assert known.subscribers == frozenset({ann.id, ben.id})
            assert (privacy(known), known.topics_policy) == (Privacy.PRIVATE, "disable_empty_topic")


async def test_a_member_is_offered_only_what_a_member_may_do(tmp_path: Path) -> None:
    """Members and topics, joining and adding; nothing that administers a channel."""
    async with live(tmp_path) as server:
        _, ben, tea = await team(server)
        async with playing(server, ben, tmp_path) as b:
            await page(b, "channels")
            await cursor_on(b, "#design")
            offered = actions(b)
            assert "members" in offered
            assert not any(each in offered for each in ("edit", "archive", "permissions", "email"))
            await b.press("o")
            await b.sees(lambda: isinstance(b.app.screen, ListDialog) and lines(b)[0][:3] == "tea")
            await cursor_on(b, "tea")
            assert "delete" not in actions(b)
            await b.press("enter")
            await b.sees(lambda: b.screen.account.open_narrow.is_shown(tea))


@uses("POST /streams/{stream_id}/delete_topic", "GET /users/me/{stream_id}/topics")
async def test_topics_are_followed_renamed_resolved_and_deleted_in_a_list(tmp_path: Path) -> None:
    """From the channel's card: counts and who wrote last; the list follows what is done with it."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ben, "sugar?", topic="cups")
        async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
            store = a.screen.account.session.store
            told = ["1", "unread", "·", "now", "·", "Ben"]
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("I")
            await asked(a)
            await a.press("o")
            await a.sees(lambda: isinstance(a.app.screen, ListDialog))
            await a.sees(
                lambda: [each.split() for each in lines(a)] == [["cups", *told], ["tea", *told]]
            )
            await cursor_on(a, "cups")
            await a.press("f")
            await a.sees(lambda: "followed" in lines(a)[0])
            await a.press("t")
            await a.sees(lambda: lines(a)[0].startswith("✔ cups"))
            await cursor_on(a, "tea")
            await a.press("v")
            await a.sees(lambda: bool(a.app.screen.query("#topic")))
            await a.pilot.pause()
            a.app.screen.query_one("#topic", Input).value = "kettles"
            await a.pilot.pause()
            a.app.screen.query_one("#yes").press()  # type: ignore[attr-defined]  # a Button
            await a.sees(lambda: any(each.startswith("kettles") for each in lines(a)))
            assert await contents(ann, tea.channel_id, "tea") == []
            await cursor_on(a, "✔ cups")
            await a.press("d")
            assert "cannot be undone" in await yes(a)
            await a.sees(lambda: [each.split()[0] for each in lines(a)] == ["kettles"])
            gone = TopicNarrow(tea.channel_id, "✔ cups")
            assert not store.unread_ids(gone)


async def test_how_one_hears_a_channel_is_changed_and_taken_back(tmp_path: Path) -> None:
    """A typed color, a sound in this channel only; Ctrl+Z takes back one after the other."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            store = a.screen.account.session.store

            def own() -> tuple[str, bool | None]:
                one = store.channels.subscription(tea.channel_id)
                assert one is not None
                return one.color, one.audible_notifications

            color, _ = own()
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("I")
            await asked(a)
            await a.press("s")
            await form(a)
            await fill(a, "color", "1ac")
            await fill(a, "audible_notifications", "yes")
            await save(a)
            await a.sees(lambda: own() == ("#11aacc", True))
            await a.press("ctrl+z")
            await a.sees(lambda: own() == ("#11aacc", None))
            await a.press("ctrl+z")
            await a.sees(lambda: own() == (color, None))


@uses(
    "GET /channel_folders",
    "PATCH /channel_folders",
    "POST /channel_folders/create",
    "PATCH /channel_folders/{channel_folder_id}",
)
async def test_folders_are_made_filled_ordered_and_archived(tmp_path: Path) -> None:
    """A name that is taken is refused in the form; archiving lets go of the channels."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        await ann.post("channel_folders/create", name="Work", description="")
        async with playing(server, ann, tmp_path) as a:
            await page(a, "channel_folders")
            await a.press("n")
            await form(a)
            await fill(a, "name", "work")
            assert "already" in await refused(a)
            labels = [str(each.content) for each in a.app.screen.query(Label)]
            assert labels == ["Name", "Description"]
            await fill(a, "name", "Play")
            await save(a)
            await cursor_on(a, "Play")
            await a.press("shift+up")
            await a.sees(lambda: [each.split()[0] for each in lines(a)] == ["Play", "Work"])
            await a.press("enter")
            await a.sees(lambda: isinstance(a.app.screen, MultiSelect))
            await typing(a, "design")
            await a.sees(lambda: "#design" in lines(a)[0])
            await cursor_on(a, "Play")
            await a.press("a")
            assert "moved out" in await yes(a)
            await a.sees(lambda: lines(a)[-1].split() == ["Play", "archived"])
            assert _channel(a, tea.channel_id).folder_id is None
