"""A large change that a kill cut short is, after its request was repeated, what it would have been in one go.

Nothing is missing, made or sent twice, and nobody is refused because half of it is done.
"""

import inspect
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server_lite.routes import TABLE
from tests.contract.cut_short import KEY, Preparation, Request, tried
from tests.contract.in_memory_server import InMemoryServer, copied, found_town
from tests.contract.large_changes import (
    ADAM,
    CHANGES,
    GINA,
    MARY,
    MOE,
    NEED_KEY,
    OLGA,
    make_channel,
    make_slices_small,
    protect_history,
    respell,
)


@pytest.fixture(autouse=True, scope="module")
def _small_slices() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        make_slices_small(patch)
        yield


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, str, int]]]:
    """A founded organization and its people."""
    file = tmp_path_factory.mktemp("town") / "template.db"
    return file, found_town(file)


@pytest.fixture
def town(template: tuple[Path, list[tuple[str, str, int]]], tmp_path: Path) -> InMemoryServer:
    """A fresh copy."""
    return copied(*template, tmp_path / "town.db")


def _name(change: Preparation) -> str:
    return change.__name__


def test_every_endpoint_that_makes_slices_is_tried() -> None:
    """Whoever adds a change in slices says what is to be prepared for it."""
    endpoints = {
        contract.function for route in TABLE.routes for contract in route.contracts.values()
    }
    sliced = {one for one in endpoints if "_in_slices(" in inspect.getsource(one)}
    assert sliced == set(CHANGES.values())


@pytest.mark.parametrize("change", CHANGES, ids=_name)
async def test_a_change_that_was_cut_short_goes_on(
    town: InMemoryServer, change: Preparation
) -> None:
    """Killed after its first commit, or before its last one."""
    trial = await tried(town, change, KEY if change in NEED_KEY else None, [GINA])
    assert trial.outcome.answer["result"] == "success"
    request = trial.request
    assert TABLE.find(request.verb, request.path)[0].function == CHANGES[change]
    assert len(trial.files) > 2
    for number in (0, len(trial.files) - 2):
        assert await trial.after_kill(number) == []


UNDONE = [
    (make_channel, "streams/5", {"new_name": "old"}, "channel", "fresh"),
    (respell, "messages/28", {"topic": "long"}, "topic", "LONG"),
    (protect_history, "streams/5", {"new_name": "tea", "is_private": False}, "channel", "cups"),
]


@pytest.mark.parametrize(("change", "path", "form", "table", "name"), UNDONE)
async def test_what_was_undone_meanwhile_is_done_again(
    town: InMemoryServer,
    change: Preparation,
    path: str,
    form: dict[str, Any],
    table: str,
    name: str,
) -> None:
    """The progress of a change is not taken for its result."""
    trial = await tried(town, change, None, [])
    repeated = await trial.after(0, Request(OLGA, "PATCH", path, form))
    assert repeated.answer["result"] == "success"
    assert any(name in row for row in repeated.rows[table])


async def _protect_as_administrator(town: InMemoryServer) -> Request:
    return replace(await protect_history(town), who=ADAM)


LOST = [
    ("PATCH", "users/{adam}", {"role": 400}, "You do not have permission to administer"),
    (
        "DELETE",
        "users/me/subscriptions",
        {"subscriptions": ["cups"], "principals": ["adam@example.com"]},
        "Channel content access is required.",
    ),
]


@pytest.mark.parametrize(("verb", "path", "form", "error"), LOST)
async def test_who_lost_a_permission_meanwhile_is_refused(
    town: InMemoryServer, verb: str, path: str, form: dict[str, Any], error: str
) -> None:
    """What is left of their change is not made, and they do not get the answer that it was."""
    trial = await tried(town, _protect_as_administrator, None, [])
    path = path.format(adam=town.people[ADAM].id)
    repeated = await trial.after(0, Request(OLGA, verb, path, form))
    assert error in repeated.answer["msg"]


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("key", [None, KEY])
@pytest.mark.parametrize("change", CHANGES, ids=_name)
async def test_every_change_goes_on_after_every_commit(
    town: InMemoryServer, change: Preparation, key: str | None
) -> None:
    """Also when the repeated request is cut short, and with a key when only the answer was lost."""
    if key is None and change in NEED_KEY:
        pytest.skip("the request may mean other messages by then")
    trial = await tried(town, change, key, [OLGA, MARY, ADAM, GINA, MOE])
    for number in range(len(trial.files)):
        assert await trial.after_kill(number) == []
        assert await trial.after_kill(number, 0) == []
