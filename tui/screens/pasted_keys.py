"""Pastes for the focused widget: as lines, as keys typed ahead, or dropped. Draws nothing."""

from textual import events
from textual.app import App

from tui.content.pasted import fit
from tui.screens.type_ahead import TypeAhead
from tui.widgets.pastes import Burst

TYPED_LINES = 5
"""A burst with more lines than that was pasted, not typed ahead."""


def take_burst(app: App[None], type_ahead: TypeAhead, burst: Burst) -> None:
    """Paste a burst into a text area; elsewhere treat a short one as keys typed ahead."""
    from textual.widgets import TextArea  # no start waits for it

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
    """Make a paste fit into a one-line field: without control characters, which it would draw, and no longer
    than its text may be, since it takes all of a paste or nothing.
    """
    if isinstance(event, events.Paste):
        from textual.widgets import Input  # no start waits for it

        field = app.focused
        if isinstance(field, Input):
            event.text = "".join(fit(event.text)[0].splitlines()[:1])
            start, end = sorted(field.selection)
            room = (field.max_length or len(event.text)) - len(field.value) + (end - start)
            if field.max_length and len(event.text) > room:
                event.text = event.text[: max(room, 0)]
                app.notify(f"Cut to {field.max_length} characters.", markup=False)
