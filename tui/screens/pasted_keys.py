"""Pastes on their way to what has the focus: as lines, as keys typed ahead, or not at all. Draws nothing."""

from textual import events
from textual.app import App
from textual.widgets import Input, TextArea

from tui.content.pasted import fit
from tui.screens.type_ahead import TypeAhead
from tui.widgets.pastes import Burst

TYPED_LINES = 5
"""More lines than that in one burst nobody typed ahead."""


def take_burst(app: App[None], type_ahead: TypeAhead, burst: Burst) -> None:
    """A paste for a field of lines; elsewhere keys typed ahead, unless there are too many."""
    lines = len(burst.text.splitlines())
    if isinstance(app.focused, TextArea):
        type_ahead.instead(burst, [events.Paste(burst.text)])
    elif lines <= TYPED_LINES:
        type_ahead.instead(burst, burst.typed())
    else:
        type_ahead.instead(burst, ())
        sentence = f"{lines} lines were pasted here and ignored. Press c to write, then paste."
        app.notify(sentence, markup=False)


def make_fit(app: App[None], event: events.Event) -> None:
    """Fields of one line draw what they hold, controls as well: they get none."""
    if isinstance(event, events.Paste) and isinstance(app.focused, Input):
        event.text = fit(event.text)[0]
