"""A server that says something else than it should, anywhere: a sentence at most, never a traceback."""

import typing
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import is_dataclass
from random import Random
from types import ModuleType, NoneType
from typing import Any, ClassVar, Final, Literal, TypeVar, get_args, get_origin

import pytest

from tests import eg
from tests.security.wrong_values import HUGE, WRONG
from tests.unit.tui.api.routes import (
    test_channels,
    test_conversation,
    test_devices,
    test_organization,
    test_people,
)
from tests.unit.tui.api.routes.cases import Case
from tui.api import decode, events
from tui.api.base_url import parse_base_url
from tui.api.connection import Answer, Connection
from tui.api.encode import encode
from tui.api.fields import bare, members, wire_fields
from tui.api.model import Message
from tui.api.snapshot import InitialSnapshot
from tui.errors import MalformedResponse
from tui.store.store import Store

KINDS: Final[tuple[type, ...]] = (
    InitialSnapshot,
    Message,
    *(kind for kind in get_args(events.Event) if kind is not events.UnknownEvent),
)
AS_JSON: Final = (events.RealmUpdateEvent, events.RealmUpdateDictEvent)
"""They hold any setting, which is kept as the JSON that it came as."""
ROUTES: Final = (test_channels, test_conversation, test_devices, test_organization, test_people)
T = TypeVar("T")
QUICK: Final = 6
"""Wrong values that are tried in each place; all of them in the soak test."""


def filled(kind: type) -> Any:
    """The type with one of everything in its lists and tables."""
    return kind(**{field.name: _one(field.name, field.type) for field in wire_fields(kind)})


def _one(name: str, hint: object) -> Any:
    hint = bare(next(one for one in members(bare(hint)) if one is not NoneType))
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (tuple, frozenset):
        return origin([_one(name, inner[0])])
    if origin is Mapping:
        return {_one(name, inner[0]): _one(name, inner[1])}
    if origin is Literal:
        return inner[0]
    if isinstance(hint, type) and is_dataclass(hint):
        return filled(hint)
    return eg._example(name, hint)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a value stands in JSON, from the outside in."""
    yield path
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(typing.cast("list[object]", value if isinstance(value, list) else []))
    )
    for key, one in inside:
        yield from places(one, (*path, key))


def with_wrong(value: Any, path: tuple[Any, ...], wrong: object) -> Any:
    """The same JSON with another value in one place."""
    if not path:
        return wrong
    copy = value.copy()
    copy[path[0]] = with_wrong(value[path[0]], path[1:], wrong)
    return copy


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in AS_JSON])
def test_a_number_that_no_file_can_hold_is_a_clear_error_or_left_out(kind: type) -> None:
    """It would stop what is written to disk, the outbox among it, when it gets there."""
    said = encode(filled(kind))
    for path in places(said):
        for huge in HUGE:
            with suppress(MalformedResponse):
                if kind in (InitialSnapshot, Message):
                    decoded = decode.decode(kind, with_wrong(said, path, huge), "")
                else:
                    decoded = decode.event(with_wrong(said, path, huge), "")
                assert all(abs(one) <= 2**63 for one in _integers(encode(decoded))), (path, huge)


def _integers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for one in value:
            yield from _integers(one)
    elif isinstance(value, int):
        yield value


def read(kind: type, said: object) -> None:
    """What the client does with it: decode it, and bring the store further by it."""
    if kind is InitialSnapshot:
        Store.from_snapshot(decode.decode(InitialSnapshot, said, "POST /register"))
    elif kind is Message:
        decode.decode(Message, said, "GET /messages")
    else:
        event = decode.event(said, "GET /events")
        Store.from_snapshot(eg.snapshot(channels=[eg.subscription(9)])).apply(event)


def tried(kind: type, chance: Random, count: int) -> list[str]:
    """Wrong values in every place of the type's JSON; what failed otherwise than by a clear error."""
    said = encode(filled(kind))
    failed = []
    for path in places(said):
        for wrong in chance.sample(WRONG, count):
            try:
                read(kind, with_wrong(said, path, wrong))
            except MalformedResponse:
                continue
            except Exception as error:  # noqa: BLE001  # whatever it is would be a traceback
                failed.append(f"{kind.__name__} {path} {wrong!r:.40}: {error!r:.80}")
    return failed


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_wrong_anywhere_is_a_clear_error_or_left_out(kind: type) -> None:
    """The first state, a message, each event: of the wrong type in each place in turn."""
    assert tried(kind, Random(kind.__name__), QUICK) == []


class RecordingAnswer(Answer):
    """An answer that remembers by which types it was read: of its keys, and of "" for all of it."""

    types: ClassVar[dict[str, object]] = {}

    def read(self, key: str, kind: type[T]) -> T:
        self.types[key] = kind
        return super().read(key, kind)

    def whole(self, kind: type[T]) -> T:
        self.types[""] = kind
        return super().whole(kind)


class AnsweringConnection(Connection):
    """A connection on which every request is answered by `said`."""

    said: Mapping[str, object]

    async def _tell(self, *_: object, **__: object) -> Answer:
        return RecordingAnswer(route="a route", data=deepcopy(self.said))  # events are used up

    get = post = patch = put = delete = get_page = post_page = upload = _tell


def _filled_answer(types: Mapping[str, object]) -> dict[str, Any]:
    """What an answer that is read by these types may be, with one of everything."""
    said: dict[str, Any] = {}
    for key, kind in types.items():
        encoded = typing.cast("Any", encode(_one(key, kind)))
        said |= {key: encoded} if key else encoded
    return said


async def wrongly_answered(cases: Iterable[Case], chance: Random, count: int) -> list[str]:
    """Wrong values in every place of the answers to these calls; what failed otherwise than clearly."""
    told = AnsweringConnection(
        parse_base_url("chat.example.com", allow_http=False), credentials=None
    )
    failed = []
    for case in cases:
        told.said = case.data
        RecordingAnswer.types.clear()
        await case.call(told)
        said = {**case.data, **_filled_answer(RecordingAnswer.types)}
        for path in places(said):
            for wrong in chance.sample(WRONG, count) if path else ():
                told.said = with_wrong(said, path, wrong)
                try:
                    await case.call(told)
                except MalformedResponse:
                    continue
                except Exception as error:  # noqa: BLE001  # whatever it is would be a traceback
                    failed.append(f"{case.sends} {path} {wrong!r:.40}: {error!r:.120}")
    await told.aclose()
    return failed


@pytest.mark.parametrize("routes", ROUTES, ids=lambda routes: routes.__name__.rpartition("_")[2])
async def test_a_wrong_answer_to_any_call_is_a_clear_error_or_left_out(routes: ModuleType) -> None:
    """Every endpoint that the client calls: of the wrong type in each place of its answer in turn."""
    assert await wrongly_answered(routes.CASES, Random(routes.__name__), QUICK) == []


@pytest.mark.soak
async def test_all_that_is_wrong_in_any_answer() -> None:
    """The same with every value in every place."""
    cases = [case for routes in ROUTES for case in routes.CASES]
    assert await wrongly_answered(cases, Random(), len(WRONG)) == []


@pytest.mark.soak
def test_all_that_is_wrong_anywhere() -> None:
    """The same with every value in every place."""
    assert [line for kind in KINDS for line in tried(kind, Random(), len(WRONG))] == []
