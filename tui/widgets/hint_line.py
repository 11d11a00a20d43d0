"""The last line of a screen: the current actions with their keys. A click runs one.

One widget that draws itself. Textual's Footer mounts a widget for every key at each change of focus, which
takes longer than all else that happens then.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeGuard

from textual import events
from textual.binding import ActiveBinding, Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from tui.keys import (
    PLACE,
    WIDE_HINTS,
    WIDE_WRITING_HINTS,
    character_of,
    key_name,
    keyboard_of,
)
from tui.widgets.content_lines import cells
from tui.widgets.row_styles import look_of_theme


class HasConditionalKeys(Protocol):
    """A widget whose keys apply only to some of its rows."""

    def offers(self, action: str) -> bool:
        """Return whether the key of an action is to be shown now."""
        ...


def _label(node: object, binding: Binding) -> str:
    """Return the label of a key: of the widget's `hint_labels`, which are by action, or else the binding's."""
    labels: Mapping[str, str] = getattr(node, "hint_labels", {})
    return labels.get(binding.action, binding.description)


def _has_conditional_keys(node: object) -> TypeGuard[HasConditionalKeys]:
    """Whether the node has `offers`, as `isinstance`, which takes a tenth of a frame here for all keys."""
    return hasattr(type(node), "offers")


GAP: Final = 2
"""Cells between hints."""
MORE_CELLS: Final = 16
"""Cells that have to be free for more hints than those that are always shown."""

_WIDE: Final = frozenset((*WIDE_HINTS, *WIDE_WRITING_HINTS))


class HintLine(Widget):
    """Shows the bindings of the screen with `show`: as many as fit, and the last one.

    Where all fit, more of them fill the line.
    """

    DEFAULT_CSS = """
    HintLine { dock: bottom; height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    _shown: Sequence[tuple[str, str]] = ()
    _focused: Widget | None = None
    _is_outdated = False
    """Whether the bindings changed since they were compared: Textual says so four times for a new screen."""

    def on_mount(self) -> None:
        """Follow the focus."""
        signal = self.screen.bindings_updated_signal
        signal.subscribe(self, self._bindings_changed, immediate=True)

    def _bindings_changed(self, _: Screen[Any]) -> None:
        if not self._is_outdated:
            self._is_outdated = True
            self.call_next(self._compare)

    def _compare(self) -> None:
        """Draw the hints if they changed."""
        self._is_outdated = False
        screen = self.screen
        before, self._focused = self._focused, screen.focused
        # Textual says so at once when the focus moves, and again after the frame: that is early enough
        # where the cursor goes on from list to list of a kind, whose hints are the same.
        if self._repaint_required or not self._shown or _are_alike(before, self._focused):
            return  # the next frame finds them anyway
        if self._fitting() != self._shown:
            self.refresh()

    @property
    def hints(self) -> list[tuple[str, str]]:
        """Return pairs of key and label of what is always shown; the focused widget's come first."""
        return self._hints(self._active())

    def _hints(self, active: Sequence[ActiveBinding]) -> list[tuple[str, str]]:
        hints = self._pairs(self._offered(active, lambda binding: binding.show))
        if self.screen.is_modal:
            hints.sort(key=lambda hint: hint[0] == key_name("escape"))  # actions come before Esc
        return hints

    def _wide_hints(self, active: Sequence[ActiveBinding]) -> list[tuple[str, str]]:
        """Return pairs of key and label of what is shown where there is room."""
        if self.screen.is_modal:
            return []
        ids = WIDE_WRITING_HINTS if self._is_typed("a") else WIDE_HINTS
        offered = self._offered(active, lambda binding: binding.id in ids and not binding.show)
        return self._pairs(sorted(offered, key=lambda each: ids.index(each[1].id or "")))

    def _active(self) -> Sequence[ActiveBinding]:
        """Return the screen's bindings in the order of the tables; asking for them takes most of the time here."""
        # Keys that a user chose come last in Textual's order; they are shown where the tables have them.
        active = list(self.screen.active_bindings.values())
        nodes = list(dict.fromkeys(each.node for each in active))
        active.sort(key=lambda each: (nodes.index(each.node), PLACE.get(each.binding.id or "", 0)))
        return active

    def _offered(
        self, active: Sequence[ActiveBinding], wanted: Callable[[Binding], bool]
    ) -> list[tuple[object, Binding]]:
        """Return the nodes and bindings whose keys have an effect now."""
        return [
            (node, binding)
            for node, binding, enabled, _ in active
            if wanted(binding)
            and enabled
            and (not _has_conditional_keys(node) or node.offers(binding.action))
            and not self._is_typed(binding.key)
        ]

    def _pairs(self, offered: Sequence[tuple[object, Binding]]) -> list[tuple[str, str]]:
        """Return one pair of key and label for each action."""
        keyboard = keyboard_of(self.app)
        keys_by_label: dict[str, tuple[list[str], str]] = {}
        for node, binding in offered:
            keys_by_label.setdefault(binding.action, ([], _label(node, binding)))[0].append(
                binding.key
            )
        return [
            (keyboard.name(ways[0]), label)
            for keys, label in keys_by_label.values()
            if (ways := keyboard.ways(keys))
        ]

    def _is_typed(self, key: str) -> bool:
        """Whether the key is a character for the field that has the focus."""
        field, character = self.screen.focused, character_of(key)
        return bool(character) and field is not None and field.check_consume_key(key, character)

    def _fitting(self) -> list[tuple[str, str]]:
        active = self._active()
        *others, last = self._hints(active) or [("", "")]
        left = self.content_size.width - _size(last)
        fitting: list[tuple[str, str]] = []
        for hint in others:
            left -= _size(hint)
            if left < -GAP:
                return [*fitting, last]
            fitting.append(hint)
        if fitting and left > MORE_CELLS:
            labels = {label for _, label in [*fitting, last]}
            for hint in self._wide_hints(active):
                if hint[1] not in labels and _size(hint) <= left + GAP:
                    left -= _size(hint)
                    fitting.append(hint)
        return [*fitting, last]

    def render(self) -> Content:
        look = look_of_theme(self.app.theme_variables, "panel")
        parts: list[tuple[str, Style]] = []
        self._shown = self._fitting()
        for key, label in self._shown:
            parts += [(key, look.accent), (f" {label}{' ' * GAP}", look.muted)]
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Run the action under the mouse."""
        at = event.x - self.styles.padding.left
        for key, label in self._fitting():
            size = _size((key, label))
            if 0 <= at < size - GAP:
                self._press(label)
                return
            at -= size

    def _press(self, label: str) -> None:
        for node, binding in self._offered(
            self._active(), lambda each: each.show or each.id in _WIDE
        ):
            if _label(node, binding) == label:
                self.app.simulate_key(binding.key)
                return


def _are_alike(one: Widget | None, other: Widget | None) -> bool:
    """Whether these are two widgets of a kind, beside one another."""
    if one is None or other is None or one is other:
        return False
    return type(one) is type(other) and one.parent is other.parent


def _size(hint: tuple[str, str]) -> int:
    key, label = hint
    return cells(key) + 1 + cells(label) + GAP
