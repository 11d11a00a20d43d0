"""Whatever one presses, as fast as one likes, far from the server: nothing fails, and no word is lost.

That no background work failed is what `bugs` of tests/conftest.py looks at after every test.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.e2e.client import AppDriver, idle, playing
from tests.large_organization import large
from tests.live import Person
from tui import keys
from tui.app import ChinwagApp
from tui.keys import Action
from tui.narrow import TopicNarrow
from tui.screens.account_screen import AccountScreen
from tui.screens.organization.administration import PAGES

LEFT_OUT: Final = frozenset(
    # The program ends; an account is signed out, with its drafts; words that were said are taken back.
    ("app.quit", "app.accounts", "message.delete", "message.discard")
)
WORDS: Final = "words to keep"
AROUND: Final = (
    *("escape", "enter", "tab", "shift+tab", "up", "down", "left", "right", "home", "end"),
    *("pageup", "pagedown", "space", "ctrl+s", "n", "j", "k", "a"),
)
"""Keys that work nearly everywhere, in dialogs too."""


def _keys(*tables: tuple[Action, ...]) -> Iterator[str]:
    for action in (each for table in tables for each in table):
        if action.id not in LEFT_OUT:
            yield action.keys.split(",")[0]


EVERYWHERE: Final = tuple(_keys(keys.APPLICATION, keys.CONVERSATION))
ON_MESSAGES: Final = tuple(_keys(keys.MESSAGE))
WALK: Final = (*EVERYWHERE, *ON_MESSAGES, *AROUND, *AROUND)


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is opened beside the terminal."""
    monkeypatch.setattr(ChinwagApp, "open_url", lambda *_, **__: None)


def _is_signed_in(player: AppDriver) -> bool:
    return any(isinstance(screen, AccountScreen) for screen in player.app.screen_stack)


async def _back(player: AppDriver) -> None:
    """Close whatever is open, without waiting for what it waits for."""
    for _ in range(9):
        if player.app.screen is player.screen:
            return
        await player.press("escape")


async def _busy(player: AppDriver) -> TopicNarrow:
    """A topic with something in it."""
    unread = player.screen.account.session.store.unreads.conversations()
    place = next(place for place in reversed(unread) if isinstance(place, TopicNarrow))
    await player.go(place)
    player.screen.panes.messages.focus()
    return place


@pytest.mark.parametrize("part", ["keys", "other keys", "messages", "pages"])
async def test_everything_is_opened_and_closed_before_an_answer_comes(
    tmp_path: Path, part: str
) -> None:
    """Each key and each page, and Esc at once."""
    async with (
        large(tmp_path / "server") as there,
        playing(there.server, there.ann, tmp_path) as ann,
    ):
        place = await _busy(ann)
        if part == "pages":
            for page in PAGES:
                ann.screen.action_organization(page.name)
                await ann.pilot.pause()
                await _back(ann)
        for key in {
            "keys": EVERYWHERE[::2],
            "other keys": EVERYWHERE[1::2],
            "messages": ON_MESSAGES,
        }.get(part, ()):
            if ann.screen.account.open_narrow.narrow != place:
                ann.screen.account.go(place)
            ann.screen.panes.messages.focus()
            await ann.press(key)
            await _back(ann)
        await idle(ann)
        await _back(ann)
        assert ann.app.screen is ann.screen


SEEDS: Final = range(100) if os.environ.get("CHINWAG_WAY") == "all" else range(2)
STEPS: Final = 400 if os.environ.get("CHINWAG_WAY") == "all" else 50


@pytest.mark.parametrize("seed", SEEDS)
async def test_whatever_is_pressed_no_word_is_lost(tmp_path: Path, seed: int) -> None:
    """Words are written, then anything is pressed: they are still written, or sent."""
    random = Random(seed)
    async with (
        large(tmp_path / "server") as there,
        playing(there.server, there.ann, tmp_path) as ann,
    ):
        await _busy(ann)
        ann.screen.panes.composer.focus()
        await ann.press(*WORDS)
        pressed = []
        for _ in range(STEPS):
            pressed.append(random.choice(WALK))
            await ann.press(pressed[-1])
            if ann.app.return_code is not None or not _is_signed_in(ann):
                return  # where keys can be changed, one of them may have become the one that quits
        await _back(ann)
        await idle(ann)
        ann.screen.account.keep_draft()
        assert await _is_kept(ann, there.ann), pressed


async def _is_kept(player: AppDriver, person: Person) -> bool:
    """Whether the words are being written, in a draft, on their way, or said; others may stand between."""
    store = player.screen.account.session.store
    written = [player.screen.panes.composer.text]
    written += [draft.content for draft in store.drafts.local.values()]
    written += [draft.content for draft in store.drafts.by_id.values()]
    written += [message.content for message in store.outbox.by_id.values()]
    written += [edit.content for edit in player.screen.account.session.edits.all()]
    own = [{"operator": "sender", "operand": person.id}]
    asked = {"anchor": "newest", "num_before": 50, "num_after": 0, "apply_markdown": False}
    said = await person.get("messages", narrow=own, **asked)
    written += [message["content"] for message in said["messages"]]
    return any(_has(text, WORDS) for text in written)


def _has(text: str, letters: str) -> bool:
    """Whether these letters are there in this order."""
    rest = iter(text)
    return all(letter in rest for letter in letters)
