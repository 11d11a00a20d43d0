"""Every screen and dialog of the client, in an organization whose every text is hostile.

`tests/security/test_terminal_bytes.py` looks at the bytes in a terminal; here the last filter is off, so
that each place is seen to sanitize by itself. `make soak` opens every form and every act of every message.
"""

import asyncio
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from textual.strip import Strip
from textual.widgets import TextArea

from tests.contract.in_memory_server import PIXEL, Person, copied, found_town
from tests.live import until
from tests.security.hostile_server import hostile
from tests.security.walk import Walk, walking
from tui.screens.account_screen import AccountScreen
from tui.widgets.control_character_filter import OBEYED, InertText

EVIL: Final = (
    "\x1b]52;c;QQ==\x07\x1b]0;owned\x1b\\\x9b777m\u202e\u2066\U000e0041\x08\x00\n\r\u200b"
    "[red]MARK[/red][@click=app.quit]Q[/]"
)
MACHINES: Final = {
    *("type", "op", "result", "code", "queue_id", "api_key", "email", "delivery_email", "user_id"),
    *("avatar_url", "url", "uri", "realm_uri", "realm_url", "path_id", "local_id", "emoji_code"),
    *("local_message_id", "event_queue_id", "zulip_version", "reaction_type", "recipient_type"),
    *("trigger", "history", "msg_type", "widget_type", "fragment", "client", "default_language"),
}
"""What programs read: with these spoilt nothing would be shown at all."""


def with_hostile_texts(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: with_hostile_texts(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_hostile_texts(inner, key) for inner in value]
    is_shown = isinstance(value, str) and key not in MACHINES
    return EVIL + value if is_shown and not key.startswith(("max_", "can_")) else value


def _long(value: Any, key: str = "") -> Any:
    """The same with what a person writes 100,000 characters long."""
    if isinstance(value, dict):
        return {name: _long(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_long(inner, key) for inner in value]
    is_long = key in {"content", "full_name", "subject", "topic", "name", "status_text", "msg"}
    return value + "w" * 100_000 if isinstance(value, str) and is_long else value


async def _furnish(olga: Person, mary: Person) -> None:
    """What a new town lacks: something for each page."""
    now = int(time.time())
    await olga.post("users/me/alert_words", alert_words=["tea"])
    await olga.post("invites/multiuse", invite_as=400, stream_ids=[])
    await olga.post(f"users/me/muted_users/{mary.id + 2}")
    await mary.post("messages/22/reactions", emoji_name="octopus")
    await mary.post("users/me/status", status_text="here", emoji_name="wave")
    draft = {"type": "stream", "to": [2], "topic": "tea", "content": "Dear draft"}
    await olga.post("drafts", drafts=[draft])
    later = now + 50_000
    await olga.post(
        "scheduled_messages",
        type="direct",
        to=[mary.id],
        content="later",
        scheduled_delivery_timestamp=later,
    )
    await olga.post("saved_snippets", title="bye", content="good bye")
    await olga.post(
        "bots", full_name="Hook", short_name="hook", bot_type=3, payload_url='"http://127.0.0.1/x"'
    )
    await olga.post(
        "realm/playgrounds",
        name="Py",
        pygments_language="Python",
        url_template="https://x.example/{code}",
    )
    await olga.post(
        "realm/profile_fields",
        name="Pick",
        field_type=3,
        field_data={"0": {"text": "a", "order": "1"}},
    )
    await olga.patch("users/me/profile_data", data=[{"id": 1, "value": "hiking"}])
    sent = await olga.upload("user_uploads", "a.png", PIXEL)
    words = f"see [a]({sent['url']}) @**Olga** https://example.com/x"
    for content in (words, "/poll Lunch?\nsoup"):
        await mary.post("messages", type="stream", to="kitchen", topic="tea", content=content)


@pytest.fixture
def organization(tmp_path: Path) -> tuple[Path, Person]:
    """A file, and its owner."""
    template = tmp_path / "template.db"
    town = copied(template, found_town(template), tmp_path / "town.db")
    asyncio.run(_furnish(town.people[0], town.people[1]))
    town.close()
    return town.file, town.people[0]


@pytest.fixture
def _without_the_last_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only fields for several lines are made inert where they are drawn: they show what they hold."""
    inert, line = InertText().apply, TextArea.render_line

    def field(self: TextArea, y: int) -> Strip:
        return Strip(inert(list(line(self, y)), self.background_colors[1]))

    monkeypatch.setattr(TextArea, "render_line", field)
    monkeypatch.setattr(InertText, "apply", lambda _, segments, __: segments)


async def _walk(
    organization: tuple[Path, Person], spoil: Callable[[Any], Any], *, is_deep: bool
) -> Walk:
    file, olga = organization
    async with (
        hostile(file, lambda answer, _: spoil(answer)) as url,
        walking(url, olga.email, olga.key, file.parent) as walk,
    ):
        app = walk.player.app
        await until(lambda: isinstance(app.screen, AccountScreen) and app.screen.is_mounted)
        await until(lambda: len(walk.player.screen.panes.messages.items) > 3)
        await walk.go(is_deep=is_deep)
        assert app._exception is None
        assert walk.bugs == []
    return walk


def _check(walk: Walk) -> None:
    unescaped = {
        place: text[max(0, match.start() - 60) : match.end() + 20]
        for place, text in walk.seen.items()
        if (match := OBEYED.search(text.replace("\n", "")))
    }
    assert unescaped == {}
    # A tag is shown as it was written, or it was obeyed. A field may cut one end off, and links are encoded.
    obeyed = {
        place
        for place, text in walk.seen.items()
        if re.search(r"(?<!\[red\])(?<!\.5D)MARK(?!\[/red|\.5B)", text.replace("\n", ""))
    }
    assert obeyed == set()
    assert sum("␛" in text for text in walk.seen.values()) > len(walk.seen) / 2


@pytest.mark.timeout(240)  # ten seconds of processor time, on a machine that may be busy
@pytest.mark.usefixtures("_without_the_last_look")
async def test_every_page_is_inert(organization: tuple[Path, Person]) -> None:
    """Names, topics, words, errors: whatever is shown, wherever, is sanitized before it is drawn."""
    _check(await _walk(organization, with_hostile_texts, is_deep=False))


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("_without_the_last_look")
async def test_every_dialog_is_inert(organization: tuple[Path, Person]) -> None:
    """The same for every form and every act."""
    _check(await _walk(organization, with_hostile_texts, is_deep=True))


@pytest.mark.soak
@pytest.mark.timeout(0)
async def test_endless_texts_are_shown(organization: tuple[Path, Person]) -> None:
    """100,000 characters in every name and every message, in every dialog."""
    await _walk(organization, _long, is_deep=True)
