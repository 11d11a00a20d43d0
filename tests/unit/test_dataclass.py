"""The `dataclass` of both programs makes what the standard one makes, and makes little at import."""

import copy
import dataclasses
import inspect
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest

import server_lite.dataclass
import tui.dataclass

ROOT = Path(__file__).parents[2]


def _plain() -> type:
    """A class that is not decorated yet."""

    class Plain:
        """What is decorated in different ways."""

        one: int
        two: str = "two"
        three: list[int] = dataclasses.field(default_factory=list)
        secret: str = dataclasses.field(default="hidden", repr=False, compare=False)

        def __post_init__(self) -> None:
            if self.one < 0:
                raise ValueError("negative")

    return Plain


def _single() -> type:
    """With one field equality and hash are those of a tuple, too."""

    class Single:
        one: object

    return Single


Made = Callable[..., Any]
OURS = [tui.dataclass.dataclass, server_lite.dataclass.dataclass]
WAYS: list[dict[str, bool]] = [
    {"frozen": frozen, "slots": slots, "kw_only": kw_only}
    for frozen in (False, True)
    for slots in (False, True)
    for kw_only in (False, True)
]


def _said(made: Any) -> list[object]:
    """What can be seen of a class and of objects of it."""
    first, same, other = made(one=1), made(one=1, secret="x"), made(one=2, three=[3])
    results: list[object] = [
        repr(first),
        repr(other),
        first == same,
        first == other,
        first == (1,),
        str(inspect.signature(made)),
        [each.name for each in dataclasses.fields(made)],
        dataclasses.asdict(dataclasses.replace(other, two="zwei")),
        made.__match_args__,
        first.three is same.three,
        copy.deepcopy(other) == other,
        made.__hash__ is None,
    ]
    for wrong in ({}, {"one": -1}, {"one": 1, "four": 4}):
        with pytest.raises((TypeError, ValueError)) as caught:
            made(**wrong)
        results.append(caught.type)
    return results


@pytest.mark.parametrize("decorator", OURS)
@pytest.mark.parametrize("way", WAYS)
def test_it_is_the_standard_one(decorator: Made, way: dict[str, bool]) -> None:
    """Equality, hash, repr without secrets, signature, replace and copies are the same."""
    standard: Made = dataclasses.dataclass
    ours, theirs = (make(**way)(_plain()) for make in (decorator, standard))
    assert _said(ours) == _said(theirs)
    if way["frozen"]:
        thing = ours(one=1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            thing.one = 2
        with pytest.raises(dataclasses.FrozenInstanceError):
            del thing.one
        same = [make(**way)(_single())(one=1) for make in (decorator, standard)]
        assert hash(same[0]) == hash(same[1])
    if not way["kw_only"]:
        assert ours(1, "x", [2]).three == [2]


@pytest.mark.parametrize("decorator", OURS)
def test_parents_and_defaults(decorator: Made) -> None:
    """A class of a class has the fields of both, and a method of its own stays."""

    @decorator(frozen=True, slots=True, kw_only=True)
    class Parent:
        one: int = 1

    @decorator(frozen=True, slots=True, kw_only=True)
    class Child(Parent):
        two: int = 2

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    make: Any = Child
    child = make(two=3)
    assert (child.one, child.two, hash(child)) == (1, 3, 7)
    assert child == object()
    assert Parent() == make.__mro__[1]()
    assert Parent().__eq__(child) is NotImplemented


@pytest.mark.parametrize("decorator", [*OURS, dataclasses.dataclass])
def test_class_variables_are_no_fields(decorator: Made) -> None:
    """Neither where annotations are postponed: the class has them, its objects have no slots for them."""

    @decorator(frozen=True, slots=True)
    class Parent:
        kind: ClassVar = "parent"
        one: int

    @decorator(frozen=True, slots=True)
    class Child(Parent):
        kind: ClassVar[str] = "child"
        postponed: "ClassVar[int]" = 3
        one: int = 5
        two: "int" = 2

    made: Any = Child
    assert (made.kind, made.postponed, made.__slots__) == ("child", 3, ("two",))
    assert made.__match_args__ == ("one", "two")
    assert dataclasses.astuple(made(two=4)) == (5, 4)
    match made(1):
        case made(one, two):
            assert (one, two) == (1, 2)


@pytest.mark.parametrize("frozen", [True, False])
@pytest.mark.parametrize("decorator", [*OURS, dataclasses.dataclass])
def test_the_first_objects_are_like_the_later_ones(decorator: Made, frozen: bool) -> None:
    """The first few are made without a compiled `__init__`: same values, same refusals."""

    @decorator(frozen=frozen, slots=True)
    class Parent:
        one: int
        two: list[int] = dataclasses.field(default_factory=list)

    @decorator(frozen=frozen, slots=True)
    class Child(Parent):
        three: int = dataclasses.field(default=3, kw_only=True)

    made: Any = Child
    wrong: Any = (
        ((), {}),
        ((1, [], 3), {}),
        ((1,), {"one": 1}),
        ((1,), {"four": 4}),
        ((), {"two": []}),
    )
    for _ in range(20):
        first, second = made(1), made(one=2, two=[2], three=4)
        assert (first.one, first.two, first.three) == (1, [], 3)
        assert dataclasses.astuple(second) == (2, [2], 4)
        assert first.two is not made(1).two
        for places, named in wrong:
            with pytest.raises(TypeError):
                made(*places, **named)


@pytest.mark.parametrize("decorator", OURS)
def test_threads_may_ask_at_once(decorator: Made) -> None:
    """Fields are read when they are first asked for: each thread gets all of them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):
            made = decorator(frozen=True, slots=True, kw_only=True)(_plain())
            with ThreadPoolExecutor(4) as pool:
                answers = list(pool.map(lambda _, made=made: made(one=1), range(4)))
            assert answers == [made(one=1)] * 4
            assert made(one=1).three == []
    finally:
        sys.setswitchinterval(before)


def test_objects_can_be_pickled() -> None:
    """Frozen ones with slots, too."""
    from tui.api.destination import TopicDestination
    from tui.api.model import ChannelId

    there = TopicDestination(channel_id=ChannelId(1), topic="tea")
    assert pickle.loads(pickle.dumps(there)) == there


def test_both_programs_have_the_same() -> None:
    """They share no code, so a repair of one is made in the other, too."""
    ours = [(ROOT / name / "dataclass.py").read_text("utf-8") for name in ("tui", "server_lite")]
    assert ours[0] == ours[1]
