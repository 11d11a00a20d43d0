"""Classes of widgets are made as Textual makes them: it made those that are compared here."""

import pkgutil
from importlib import import_module
from typing import Any, ClassVar

import textual.widgets
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.reactive import reactive
from textual.widget import Widget

import tui.screens
import tui.widgets
from tui import widget_classes


def _made(cls: type[DOMNode]) -> tuple[Any, ...]:
    """What is collected for a class; order counts where Textual goes by it."""
    assert cls._merged_bindings is not None
    return (
        [*cls._reactives.items()],
        [*cls._merged_bindings.key_to_bindings.items()],
        cls._css_type_name,
        cls._css_type_names,
        cls._computes,
        (cls._inherit_css, cls._inherit_bindings, cls._inherit_component_classes),
    )


def _assert_made_alike(cls: type[DOMNode]) -> None:
    assert DOMNode._merge_bindings.__module__ == "textual.dom"  # it made the class
    by_textual = _made(cls)
    widget_classes._init_subclass(cls, *by_textual[-1])
    cls._merged_bindings = widget_classes._merge_bindings(cls)
    assert _made(cls) == by_textual, cls


def _all(cls: type[DOMNode]) -> set[type[DOMNode]]:
    return {cls}.union(*(_all(each) for each in cls.__subclasses__()))


def test_all_classes_are_as_textual_makes_them() -> None:
    """A key, a reactive attribute or a rule that a widget inherits would be missing."""
    for package in (textual.widgets, tui.widgets, tui.screens):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    classes = _all(DOMNode) - {DOMNode}
    assert len(classes) > 100
    for cls in classes:
        _assert_made_alike(cls)


class _Plain(MessagePump):
    count = reactive(0)

    def compute_count(self) -> int:
        return 1


class _First(_Plain, Widget, inherit_bindings=False, inherit_css=False):
    BINDINGS: ClassVar[list[BindingType]] = [("a,b", "first", "First")]
    shown: reactive[int] = reactive(1)


class _Second(_First):
    BINDINGS: ClassVar[list[BindingType]] = [("b", "second", "Second"), ("b", "third", "Third")]

    def _compute_shown(self) -> int:
        return 2


def test_parents_can_be_left_out_and_need_be_no_widgets() -> None:
    """What a class inherits from others than widgets counts, and bindings may end with a class."""
    for cls in (_First, _Second):
        _assert_made_alike(cls)
    assert _Second._computes >= {"count", "shown"}


def test_classes_do_not_share_their_bindings() -> None:
    """A widget adds a binding to the list of its class: others would get it, too."""
    first, second = (widget_classes._merge_bindings(cls) for cls in (_First, _Second))
    assert first.key_to_bindings["a"] == second.key_to_bindings["a"]
    assert first.key_to_bindings["a"] is not second.key_to_bindings["a"]
