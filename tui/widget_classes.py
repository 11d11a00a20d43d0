"""Makes the classes of Textual's widgets cheaply: what they inherit is looked at once. No widgets.

For every class, Textual looks at all names of all its parents for reactive attributes and their computations, and makes
all bindings of its parents again: a twentieth of a start, for Textual's classes and our own. Here each class is
looked at once, and what it inherits is put together as Textual does it. A test compares both for all classes.
"""

from functools import cache
from typing import Any, NamedTuple

from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.reactive import Reactive


class _Own(NamedTuple):
    """What a class has itself."""

    reactives: dict[str, Reactive[Any]]
    computes: frozenset[str]
    bindings: dict[str, list[Binding]]


def look_once() -> None:
    """Let classes of widgets that are made from now on be made here."""
    vars_of_class: dict[str, object] = {
        "__init_subclass__": classmethod(_init_subclass),
        "_merge_bindings": classmethod(_merge_bindings),
    }
    for name, value in vars_of_class.items():
        setattr(DOMNode, name, value)


@cache
def _own(cls: type) -> _Own:
    attributes = vars(cls)
    is_node = issubclass(cls, DOMNode)
    bindings = BindingsMap(attributes["BINDINGS"]) if is_node and "BINDINGS" in attributes else None
    return _Own(
        {name: value for name, value in attributes.items() if isinstance(value, Reactive)},
        frozenset(
            name.lstrip("_")[8:]
            for name in attributes
            if name.startswith(("_compute_", "compute_"))
        ),
        bindings.key_to_bindings if bindings is not None else {},
    )


def _init_subclass(
    cls: type[DOMNode],
    inherit_css: bool = True,
    inherit_bindings: bool = True,
    inherit_component_classes: bool = True,
) -> None:
    """As that of `DOMNode`, with the same attributes."""
    super(DOMNode, cls).__init_subclass__()
    own = [_own(base) for base in reversed(cls.__mro__)]
    cls._reactives = {name: each for parts in own for name, each in parts.reactives.items()}
    cls._inherit_css = inherit_css
    cls._inherit_bindings = inherit_bindings
    cls._inherit_component_classes = inherit_component_classes
    names = [base.__name__ for base in cls._css_bases(cls)]
    cls._css_type_name = names[0]
    cls._css_type_names = frozenset(names)
    cls._merged_bindings = cls._merge_bindings()
    cls._computes = frozenset[str]().union(*(parts.computes for parts in own))


def _merge_bindings(cls: type[DOMNode]) -> BindingsMap:
    """As that of `DOMNode`. No two classes share a list, since instances add to those of their class."""
    merged: dict[str, list[Binding]] = {}
    for base in reversed(cls.__mro__):
        if issubclass(base, DOMNode):
            if not base._inherit_bindings:
                merged = {}
            merged |= _own(base).bindings
    return BindingsMap.from_keys({key: [*bound] for key, bound in merged.items()})
