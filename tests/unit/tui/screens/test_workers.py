"""Work that waits while its screen is closed never goes on with widgets that are gone."""

import asyncio

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import WorkerState

from tests.live import until
from tui.screens.account_screen import AccountScreen
from tui.screens.accounts.sign_in import SignInScreen
from tui.screens.dialogs.base import Dialog


class Answer(Static):
    """Fetches something from a slow server, and shows it."""

    def __init__(self, came: asyncio.Event) -> None:
        super().__init__("Loading…")
        self.came = came

    async def fetch(self) -> None:
        await self.came.wait()
        self.screen.refresh_bindings()


class Slow(Static):
    """Is removed last: when the answer's widget is gone, the answer comes."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("")
        self.answer = answer

    async def on_unmount(self) -> None:
        await until(lambda: not self.answer.is_attached)
        self.answer.came.set()
        for _ in range(9):
            await asyncio.sleep(0)


class Card(Dialog[None]):
    """Work of the dialog itself, and of a widget in it."""

    def compose(self) -> ComposeResult:
        answer = Answer(asyncio.Event())
        yield Vertical(answer)
        yield Slow(answer)

    def on_mount(self) -> None:
        answer = self.query_one(Answer)
        self.run_worker(answer.fetch())
        answer.run_worker(answer.fetch())


@pytest.mark.parametrize("closes_app", [False, True], ids=["closed", "the app ends"])
async def test_an_answer_that_comes_while_a_screen_closes_is_dropped(closes_app: bool) -> None:
    """No bug is reported, and nothing breaks."""
    app = App[None]()
    async with app.run_test() as pilot:
        await app.push_screen(Card())
        await pilot.pause()
        workers = list(app.workers)
        if not closes_app:
            await app.screen.dismiss(None)
            await until(lambda: all(worker.is_finished for worker in workers))
    assert [worker.state for worker in workers] == [WorkerState.CANCELLED] * 2


@pytest.mark.parametrize("screen", [AccountScreen, SignInScreen, Dialog])
def test_a_screen_has_the_styles_of_textuals_own(screen: type[Screen[object]]) -> None:
    """Text that is selected with the mouse has its color; without it, drawing fails."""
    assert "screen--selection" in screen._get_component_classes()
