"""Toasts on a dialog: each is shown, and nothing else is kept from it."""

from textual.app import App, ComposeResult
from textual.notifications import Notification
from textual.widgets import Static
from textual.widgets._toast import Toast, ToastHolder

from tests.unit.tui.screens.dialogs.asking import DialogApp
from tui.screens import toasts
from tui.screens.dialogs.base import Dialog


class _Card(Dialog[None]):
    def compose(self) -> ComposeResult:
        yield Static("card")


def _show(app: App[None], *texts: str) -> None:
    """Show toasts, one right after the other."""
    for text in texts:
        app._notifications.add(Notification(text))
        toasts.show_unseen(app)


async def test_toasts_that_come_together_are_all_shown_on_a_dialog() -> None:
    """The first one does not take the others away with it."""
    app = DialogApp(_Card())
    async with app.run_test(notifications=True) as pilot:
        await pilot.pause()
        _show(app, "one", "two", "three")
        await pilot.pause()
        assert [str(each.render()) for each in app.screen.query(Toast)] == ["one", "two", "three"]


async def test_a_dialog_is_open_while_it_gets_its_first_toast() -> None:
    """What comes at the same time is shown in it, too."""
    card = _Card()
    app = DialogApp(card)
    async with app.run_test(notifications=True) as pilot:
        await pilot.pause()
        _show(app, "one")
        assert card.is_open


async def test_a_toast_that_is_taken_back_at_once_is_not_shown() -> None:
    """Not even where a dialog still has to get a place for toasts."""
    app = DialogApp(_Card())
    async with app.run_test(notifications=True) as pilot:
        await pilot.pause()
        _show(app, "one")
        app.clear_notifications()
        await pilot.pause()
        assert not app.screen.query(Toast)


async def test_nothing_is_left_of_a_toast_whose_time_is_over() -> None:
    """Its place was kept, and laid out, as long as the screen: thirty of them after a day."""
    app = DialogApp(_Card())
    async with app.run_test(notifications=True) as pilot:
        await pilot.pause()
        for text in ("one", "two", "three"):
            app.clear_notifications()
            _show(app, text)
            await pilot.pause()
        assert [str(each.render()) for each in app.screen.query(Toast)] == ["three"]
        assert len(app.screen.query(ToastHolder)) == 1
