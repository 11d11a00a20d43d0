"""The last line names only keys that do what it says, where the focus is."""

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Button, Input, TextArea

from tui import keys
from tui.widgets.hint_line import HintLine


class _App(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys.bindings(keys.CONVERSATION),
        Binding("plus", "react", "React"),
    ]

    def compose(self) -> ComposeResult:
        yield Button("here")
        yield Input()
        yield TextArea()
        yield HintLine()


async def test_a_key_that_types_a_character_is_no_hint_in_a_field() -> None:
    """Also a slash and a plus, which Textual itself takes for keys without a character."""
    app = _App()
    async with app.run_test() as pilot:
        hints_by_kind = {}
        for kind in (Button, Input, TextArea):
            app.query_one(kind).focus()
            await pilot.pause()
            hints = {label: key for key, label in app.query_one(HintLine).hints}
            hints_by_kind[kind] = {
                name: hints.get(name) for name in ("Search", "React", "Next unread")
            }
        assert hints_by_kind[Button] == {"Search": "/", "React": "+", "Next unread": "n"}
        assert hints_by_kind[Input] == {"Search": "Ctrl+F", "React": None, "Next unread": "Ctrl+N"}
        assert hints_by_kind[TextArea] == {
            "Search": "Ctrl+F",
            "React": None,
            "Next unread": "Ctrl+N",
        }


@pytest.mark.parametrize("preset", keys.PRESETS)
async def test_chosen_keys_leave_the_hints_in_their_order(preset: str) -> None:
    """What is always shown, however narrow the terminal is, stays the help."""
    app = _App()
    async with app.run_test() as pilot:
        app.query_one(Button).focus()
        app.set_keymap(keys.PRESETS[preset])
        await pilot.pause()
        hints = [label for _, label in app.query_one(HintLine).hints if label != "React"]
        shown = [each.label for each in keys.CONVERSATION if each.show]
        assert hints == shown
        assert shown[-1] == "Help"


@pytest.mark.parametrize("width", [60, 90, 120, 160, 240])
async def test_a_wide_terminal_shows_more_keys_without_saying_one_twice(width: int) -> None:
    """The help stays last; what is always shown comes first; nothing is cut."""
    app = _App()
    async with app.run_test(size=(width, 24)) as pilot:
        app.query_one(Button).focus()
        await pilot.pause()
        line = app.query_one(HintLine)
        shown = line.render().plain
        always = [f"{key} {label}" for key, label in line.hints]
        assert shown.rstrip().endswith("F1 Help")
        assert len(shown.rstrip()) <= width
        assert ("F4 Inbox" in shown) == (width >= 120)
        assert width < 120 or all(shown.count(each) == 1 for each in always)


async def test_a_click_on_a_key_of_a_wide_terminal_presses_it() -> None:
    """What is shown only where there is room is as good as the rest."""
    app = _App()
    async with app.run_test(size=(160, 24)) as pilot:
        pressed: list[str] = []
        app.simulate_key = pressed.append  # type: ignore[assignment, method-assign]  # what a terminal would send
        app.query_one(Button).focus()
        await pilot.pause()
        line = app.query_one(HintLine)
        await pilot.click(HintLine, offset=(line.render().plain.index("Inbox") + 1, 0))
        assert pressed == ["f4"]


async def test_the_line_asks_once_for_the_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there is room for more keys: asking takes as long as drawing a frame."""
    app = _App()
    async with app.run_test(size=(240, 24)) as pilot:
        await pilot.pause()
        asked: list[None] = []
        chain = app.screen._modal_binding_chain  # which `active_bindings` walks

        def asking(_: Screen[object]) -> object:
            asked.append(None)
            return chain

        monkeypatch.setattr(Screen, "_modal_binding_chain", property(asking))
        app.query_one(HintLine).render()
        assert len(asked) == 1
