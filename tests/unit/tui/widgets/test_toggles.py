"""Check boxes and radio buttons can be read in either state."""

from textual.app import App, ComposeResult
from textual.widgets import RadioSet

from tui.widgets.toggles import Checkbox, Marked, RadioButton


class _App(App[None]):
    def compose(self) -> ComposeResult:
        yield Checkbox("box")
        with RadioSet():
            yield RadioButton("here", value=True)
            yield RadioButton("there")
            yield RadioButton("elsewhere")


async def test_the_mark_of_what_is_off_stands_out() -> None:
    """One that is dark on dark looks like a full one: nobody can tell what is chosen."""
    app = _App()
    async with app.run_test():
        for each in app.query(Marked):
            mark = each.get_component_styles("toggle--button")
            behind = each.background_colors[1] + mark.background
            difference = abs(behind.brightness - (behind + mark.color).brightness)
            assert difference > 0.5, str(each.label)
