"""The last line of a screen: what can be done now, with its keys. Clicking one does it.

One widget that draws itself. Textual's Footer mounts a widget for every key at each change of focus,
which takes longer than all else that happens then.
"""

from typing import Any, Final, Protocol, runtime_checkable

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from tui.keys import key_name
from tui.widgets.content_lines import cells
from tui.widgets.look import look_of_theme


@runtime_checkable
class Offering(Protocol):
    """A widget whose keys make sense for some of what it shows, and not for other."""

    def offers(self, action: str) -> bool:
        """Whether the key of an action is to be shown now."""
        ...


GAP: Final = 2
"""Cells between hints."""


class HintLine(Widget):
    """Shows the bindings of the screen that are made to be shown: as many as fit, and the last one."""

    DEFAULT_CSS = """
    HintLine { dock: bottom; height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, _screen: Screen[Any]) -> None:
        self.refresh()

    @property
    def hints(self) -> list[tuple[str, str]]:
        """Pairs of key and label; the focused widget's come first."""
        shown: dict[str, tuple[str, str]] = {}
        for node, binding, enabled, _ in self.screen.active_bindings.values():
            fits = not isinstance(node, Offering) or node.offers(binding.action)
            if binding.show and enabled and fits:
                display = key_name(binding.key)
                shown.setdefault(binding.action, (display, binding.description))
        hints = list(shown.values())
        if self.screen.is_modal:
            hints.sort(key=lambda hint: hint[0] == key_name("escape"))  # what leads on comes first
        return hints

    def _fitting(self) -> list[tuple[str, str]]:
        *others, last = self.hints or [("", "")]
        left = self.content_size.width - _size(last)
        fitting: list[tuple[str, str]] = []
        for hint in others:
            left -= _size(hint)
            if left < -GAP:
                break
            fitting.append(hint)
        return [*fitting, last]

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "panel")
        parts: list[tuple[str, Style]] = []
        for key, label in self._fitting():
            parts += [(key, look.accent), (f" {label}{' ' * GAP}", look.muted)]
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Do what is under the mouse."""
        at = event.x - self.styles.padding.left
        for key, label in self._fitting():
            size = _size((key, label))
            if 0 <= at < size - GAP:
                self._press(label)
                return
            at -= size

    def _press(self, label: str) -> None:
        for _, binding, enabled, _ in self.screen.active_bindings.values():
            if binding.show and enabled and binding.description == label:
                self.app.simulate_key(binding.key)
                return


def _size(hint: tuple[str, str]) -> int:
    key, label = hint
    return cells(key) + 1 + cells(label) + GAP
