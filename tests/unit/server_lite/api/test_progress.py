"""Progress of a change in slices: what is stored of it, for whom, and for how long."""

from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path

import pytest

from server_lite.api.idempotency import CONTINUED, ChangeRequest, Progress, SlicedChange
from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.database import Database, Tx

REQUEST = ChangeRequest(
    user_id=UserId(5), resend=None, method="POST", path="channels", form={"name": "tea"}
)


@dataclass(slots=True)
class Made(Progress):
    """Things made."""

    things: list[int] = field(default_factory=list)


class Clock:
    """Seconds that the server runs."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path, clock: Clock) -> Iterator[Database]:
    database = Database(tmp_path / "x.db", monotonic=clock)
    yield database
    database.close()


def slices(database: Database, request: ChangeRequest, count: int) -> list[int]:
    """Make some slices of three, then stop; returns what was made by then, by all runs."""
    progress = Made()

    def step(_: Tx) -> list[int] | None:
        progress.things.append(len(progress.things) + 1)
        return progress.things if len(progress.things) == 3 else None

    change = SlicedChange(request, step, progress)
    for _ in range(count):
        database.write_now(change)
    return progress.things


def test_a_change_goes_on_where_it_was_cut_short(database: Database) -> None:
    """The same request of the same user, until it is complete."""
    assert slices(database, REQUEST, 1) == [1]
    assert slices(database, replace(REQUEST, user_id=UserId(6)), 1) == [1]
    assert slices(database, replace(REQUEST, form={"name": "milk"}), 1) == [1]
    assert slices(database, REQUEST, 1) == [1, 2]
    assert slices(database, REQUEST, 1) == [1, 2, 3]
    assert slices(database, REQUEST, 1) == [1]


def test_after_an_hour_the_same_request_is_a_new_one(database: Database, clock: Clock) -> None:
    """By then it probably means something new."""
    slices(database, REQUEST, 2)
    clock.now += CONTINUED + 1
    assert slices(database, REQUEST, 1) == [1]
    assert slices(database, REQUEST, 1) == [1, 2]


def test_progress_of_another_version_is_ignored() -> None:
    """An upgrade came in between."""
    progress = Made()
    progress.restore('{"names":["tea"]}')
    assert progress == Made()
