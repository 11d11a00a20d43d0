"""Bugs in everything that runs in the background: a notice and an entry in the log, and the client goes on."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Static

from tests.conftest import Bugs
from tests.e2e.client import AppDriver, playing
from tests.e2e.team import KETTLE, team
from tests.live import live, until
from tui import bugs as door
from tui.screens.dialogs.base import Dialog
from tui.screens.news import StoreChanged
from tui.store import Changes

SECRET: Final = "aGVsbG8x0GVsbG8xaGVsbG8x9GVsbG8x"


def broken(*_: object, **__: object) -> Any:
    """What is injected."""
    raise RuntimeError(f"\x1b]0;title\x07 api_key={SECRET}")


async def broken_soon(*_: object) -> None:
    """The same as a coroutine."""
    await asyncio.sleep(0)
    broken()


class BrokenParts(Dialog[str]):
    def compose(self) -> ComposeResult:
        yield Static("?")
        broken()


class BrokenMount(Dialog[str]):
    on_mount = broken


class BrokenChild(Dialog[str]):
    class Child(Static):
        on_mount = broken

    def compose(self) -> ComposeResult:
        yield self.Child()


class Whole(Dialog[str]):
    """One that works."""

    def compose(self) -> ComposeResult:
        yield Static("!")


Way = Callable[[AppDriver], object]


def _asks(dialog: type[Dialog[str]]) -> Way:
    async def ask(player: AppDriver) -> None:
        assert await player.app.push_screen_wait(dialog()) is None

    return lambda player: player.screen.account.run(partial(ask, player))


def _handled(player: AppDriver) -> None:
    player.screen.account.followers.append(broken)
    player.screen.post_message(StoreChanged(Changes(replaced=True)))
    player.screen.call_later(lambda: player.screen.account.followers.remove(broken))


def _of_action(player: AppDriver) -> None:
    player.app.action_use_theme = broken  # type: ignore[method-assign]  # the bug
    player.app.call_later(player.app.run_action, "app.use_theme('x')")


def _of_work(player: AppDriver) -> None:
    player.app.accounts.ask_unread = broken_soon  # type: ignore[method-assign]  # the bug
    player.app.action_everywhere()


def _forgotten(_: AppDriver) -> None:
    asyncio.get_running_loop().create_task(broken_soon())


def _drawn(player: AppDriver) -> None:
    messages = player.screen.panes.messages
    render_lines = messages.render_lines

    def once(*args: Any) -> Any:
        messages.render_lines = render_lines  # type: ignore[method-assign]  # as it was
        return broken(*args)

    messages.render_lines = once  # type: ignore[method-assign, assignment]  # the bug
    messages.refresh()


WAYS: Final[dict[str, Way]] = {
    "run_worker": lambda player: player.screen.account.run(broken_soon),
    "a worker's thread": lambda player: player.screen.account.run(
        lambda: asyncio.to_thread(broken)
    ),
    "@work": _of_work,
    "set_timer": lambda player: player.screen.set_timer(0.001, broken),
    "call_after_refresh": lambda player: player.screen.call_after_refresh(broken),
    "call_later": lambda player: player.screen.call_later(broken),
    "call_next": lambda player: player.screen.call_next(broken),
    "a message handler": _handled,
    "an action": _of_action,
    "a task": lambda _: door.start(broken_soon(), "Counting sheep"),
    "a task that nobody awaits": _forgotten,
    "a callback of the loop": lambda _: asyncio.get_running_loop().call_soon(broken),
    "a thread": lambda _: threading.Thread(target=broken).start(),
    "a dialog's parts": _asks(BrokenParts),
    "a dialog's mount": _asks(BrokenMount),
    "a dialog's child": _asks(BrokenChild),
    "a frame": _drawn,
}


def uppermost(player: AppDriver) -> object:
    return player.app.screen


@asynccontextmanager
async def noted(name: str) -> AsyncIterator[None]:
    """A failure of the block says which way it was."""
    try:
        yield
    except Exception as error:
        error.add_note(name)
        raise


async def test_a_bug_in_the_background_is_a_notice(
    tmp_path: Path, bugs: Bugs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it was started: I read a sentence, the log has the traceback, and I write on."""
    monkeypatch.setattr("tui.crash_log.QUIET_SECONDS", 0.0)
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        async with playing(server, ann, tmp_path / "ann") as player:
            await player.go(tea)
            told: list[str] = []
            monkeypatch.setattr(player.app, "notify", lambda words, **_: told.append(words))
            log = tmp_path / "ann" / ann.email / "state" / "crash.log"
            for name, way in WAYS.items():
                await until(lambda: not isinstance(player.app.screen, ModalScreen))
                await player.pilot.pause()
                way(player)
                async with noted(name):
                    await until(lambda: bool(bugs.reported) and bool(told))
                assert "because of a bug. The log is at" in told.pop(), name
                assert bugs.take() == [f"\x1b]0;title\x07 api_key={SECRET}"], name
                entry = log.read_text()
                assert "in broken\n" in entry, name
                assert SECRET not in entry
                assert "\x1b" not in entry
                log.unlink()
            await until(lambda: player.app.screen is player.screen)
            for dialog in (BrokenMount, BrokenParts, Whole):
                player.app.push_screen(dialog())
            await until(lambda: len(bugs.reported) == 2)
            assert isinstance(uppermost(player), Whole)
            await player.press("escape")
            await until(lambda: uppermost(player) is player.screen)  # nor are those below it left
            bugs.take()
            await player.press("c", *"still here", "enter")
            await player.sees(lambda: "still here" in player.texts)
            await ben.post("messages", type="stream", to="design", topic="tea", content=KETTLE)
            await player.sees(lambda: player.texts[-1] == KETTLE)
        assert player.app.return_code is None
