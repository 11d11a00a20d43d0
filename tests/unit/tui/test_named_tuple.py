"""Named tuples made here are those of the standard library."""

import copy
import inspect
import pickle
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.tui import named_tuples
from tests.unit.tui.named_tuples import Made
from tui.named_tuple import named_tuples_shared

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 14), reason="3.14 has its own")

STANDARD, HERE = named_tuples.STANDARD, named_tuples.HERE


def _outcome(act: Callable[[], object]) -> object:
    try:
        return act()
    except (AttributeError, TypeError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "act",
    [
        lambda made: [
            made.Point(1),
            made.Point(1, 2),
            made.Point(y=2, x=1),
            made.One(3),
            made.None_(),
        ],
        lambda made: [made.Point(), 0],
        lambda made: made.Point(1, 2, 3),
        lambda made: made.Point(1, z=3),
        lambda made: made.Point(1, 2).x + made.Point(1, 2)[1] + made.Point(1).total(),
        lambda made: made.Point(1).double,
        lambda made: made.Point.of("5"),
        lambda made: made.Point(1)._replace(y=9),
        lambda made: made.Point(1)._replace(z=9),
        lambda made: made.Point._make([1, 2]),
        lambda made: made.Point._make([1]),
        lambda made: [made.Point(1)._asdict(), made.Point._fields, made.Point._field_defaults],
        lambda made: [made.Point.__match_args__, made.Point.__slots__, made.Point.__bases__],
        lambda made: [made.Point(1) == (1, 2), hash(made.Point(1)), made.Point(1) < (1, 3)],
        lambda made: setattr(made.Point(1), "x", 2),
        lambda made: setattr(made.Point(1), "other", 2),
        lambda made: [
            copy.copy(made.Point(1)),
            copy.deepcopy(made.Point(1)),
            made.Point(1).__getnewargs__(),
        ],
        lambda made: [
            made.Point.__doc__,
            made.One.__doc__,
            made.Point.x.__doc__,
            made.Point.__new__.__doc__,
        ],
        lambda made: [made.Point.__name__, made.Point.__module__, made.Point.__new__.__qualname__],
        lambda made: typing.get_type_hints(made.Point),
        lambda made: [*inspect.signature(made.Point).parameters],
        lambda made: made.Below(4),
        lambda made: made.Below(4)._replace(x=1),
        lambda made: made.Pair[int].__origin__.__name__ + repr(made.Pair(1, "a")),
        lambda made: made.misnamed(),
        lambda made: made.misplaced(),
        lambda made: made.overwritten(),
        lambda made: made.called()(x=1),
    ],
)
def test_they_do_the_same(act: Callable[[Made], Any]) -> None:
    """Textual's sizes, colors and pieces of text are named tuples: everything is drawn from them."""
    expected = _outcome(lambda: repr(act(STANDARD)))
    assert _outcome(lambda: repr(act(HERE))) == expected


def test_they_are_pickled_by_their_names() -> None:
    """Rich and Textual pickle what is in links."""
    assert pickle.loads(pickle.dumps(HERE.Point(1))) == HERE.Point(1)  # made above
    assert type(HERE.Point).__name__ == "type"


def test_constructors_share_their_code() -> None:
    """Compiling one takes longer than the rest of its class."""
    one, other = HERE.Point.__new__.__code__, HERE.Below.__mro__[1].__new__.__code__
    assert one.co_code == other.co_code
    assert HERE.Point._asdict is HERE.One._asdict
    assert STANDARD.Point._asdict is not STANDARD.One._asdict


def test_others_get_the_standard_one_afterwards() -> None:
    """Only modules that are imported meanwhile are made so."""
    standard = typing.NamedTuple
    with named_tuples_shared():
        assert typing.NamedTuple is not standard
    assert typing.NamedTuple is standard
