"""What the dialogs share: how they look, and Esc. No store, no commands."""

import asyncio
from typing import ClassVar, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tui.widgets.hint_line import HintLine

T = TypeVar("T")


class Dialog(ModalScreen[T | None], Generic[T]):
    """A card over the screen; Esc answers None."""

    SCOPED_CSS = False  # its rules are for every dialog, whatever its class is called
    CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > Vertical, Dialog > VerticalScroll {
        width: 64; max-width: 100%; height: auto; max-height: 90vh;
        padding: 1 2; background: $surface; border: none;
    }
    Dialog .title { color: $primary; text-style: bold; height: auto; margin-bottom: 1; }
    Dialog .words { height: auto; margin-bottom: 1; }
    Dialog .hint { color: $text-muted; height: 1; margin-top: 1; }
    Dialog Input { border: none; height: 1; padding: 0 1; background: $background; }
    Dialog Input:focus { background: $foreground 13%; }
    Dialog Input:focus:ansi { background: $background; text-style: underline; }
    Dialog Label { color: $text-muted; }
    Dialog OptionList {
        border: none; padding: 0; margin-top: 1; background: $surface;
        height: auto; max-height: 16; scrollbar-size-vertical: 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    Dialog OptionList:focus { background-tint: transparent; }
    Dialog OptionList > .option-list--option-highlighted {
        background: $foreground 13%; color: $foreground; text-style: none;
    }
    Dialog OptionList:ansi > .option-list--option-highlighted {
        background: $background; color: $foreground; text-style: reverse;
    }
    Dialog .keys { width: 1fr; height: 1; color: $text-muted; }
    Dialog .buttons { height: auto; align-horizontal: right; margin-top: 1; }
    Dialog Button { min-width: 14; margin-left: 2; background: $foreground 13%; color: $foreground; }
    Dialog Button:ansi { background: $background; color: $foreground; text-style: bold; }
    Dialog Button:focus { background: $primary; color: $background; text-style: bold; background-tint: transparent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Close")]

    @property
    def is_open(self) -> bool:
        """Whether there are widgets to show something in: not before it is built, nor once it closes.

        Textual's `is_mounted` stays true for ever, and widgets go before their screen does.
        """
        parts = [part for part in self.children if not isinstance(part, HintLine)]
        is_built = bool(parts) and all(part.is_mounted for part in parts)
        return is_built and self.is_attached and self.display

    _answer: tuple[T | None] | None = None

    def on_mount(self) -> None:
        """The keys that work now stand where those of the screen below stood."""
        self.mount(HintLine())

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Answer; a dialog that is out of sight by now is closed when it comes into sight again.

        Textual closes whatever is on top, which may be another account's.
        """
        if self.is_active:
            self._give_up_work()
            return super().dismiss(result)
        self._answer = (result,)
        return AwaitComplete()

    def _give_up_work(self) -> None:
        """Whatever this dialog still waits for has nowhere to be shown; but for who closes it."""
        current = asyncio.current_task()
        for worker in list(self.workers):
            if worker.node is self and worker._task is not current:
                worker.cancel()

    def on_screen_resume(self) -> None:
        """What was answered while something else was shown."""
        if self._answer is not None:
            super().dismiss(self._answer[0])

    def action_cancel(self) -> None:
        """Nothing was chosen."""
        self.dismiss(None)
