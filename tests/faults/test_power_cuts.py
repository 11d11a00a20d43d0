"""The power fails, and the disk fails: what was acknowledged is there, what was not was refused."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from server_lite.errors import Unavailable
from server_lite.store import connection
from server_lite.store.database import Database, Tx
from tests.faults.power import forgetful_disk

WORDS = "said " * 60
SAID = "SELECT name FROM setting WHERE name GLOB '[0-9]*' ORDER BY name"


def _say(number: int, tx: Tx) -> None:
    tx.run("INSERT INTO setting (name, value) VALUES (?, ?)", f"{number:06}", WORDS)


def _said(file: Path) -> list[int]:
    database = Database(file)
    try:
        assert database.reader.value("PRAGMA integrity_check") == "ok"
        return list(map(int, database.reader.column(SAID)))
    finally:
        database.close()


def _cut_often(folder: Path, *, commits: int, cuts: int, chance: random.Random) -> int:
    """How often something was gone that had been acknowledged."""
    (folder / "disk").mkdir()
    with forgetful_disk() as disk:
        database = Database(folder / "disk" / "chinwag.db")
        disk.begin(folder / "disk")
        for number in range(commits):
            database.write_now(partial(_say, number))
            disk.acknowledge(number)
        steps = len(disk.steps)
        database.close()
    assert steps > commits, "nothing was written"
    lost = 0
    for cut in range(cuts):
        copy = folder / f"cut {cut}"
        at = chance.randrange(1, steps)
        acknowledged = disk.after_cut(at, chance, copy)
        said = _said(copy / "chinwag.db")
        assert said == list(range(len(said))), "there is a hole"
        lost += len(said) <= acknowledged
    return lost


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """My message was sent, the lights went out: it is there when they are on again."""
    assert _cut_often(tmp_path, commits=40, cuts=12, chance=random.Random(2)) == 0


def test_with_less_care_it_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual advice (`synchronous = NORMAL`) loses: the test above would see it."""
    careless = tuple(each.replace("FULL", "NORMAL") for each in connection.PRAGMAS)
    monkeypatch.setattr(connection, "PRAGMAS", careless)
    assert _cut_often(tmp_path, commits=40, cuts=12, chance=random.Random(2)) > 0


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_thousand_power_cuts(tmp_path: Path) -> None:
    """The same, with a write-ahead log that is folded back in between."""
    assert _cut_often(tmp_path, commits=4000, cuts=300, chance=random.Random()) == 0


async def test_who_was_not_synced_is_not_told_so(tmp_path: Path) -> None:
    """The disk fails under a batch: each of its writers is refused, and all until the file is reopened.

    What the system did with the pages of a failed fsync is not known, so it is not tried again on them.
    """
    with forgetful_disk() as disk:
        database = Database(tmp_path / "chinwag.db")
        acknowledged = []
        for round_ in range(6):
            disk.fail_syncs = round_ % 3 == 1
            batch = [round_ * 10 + each for each in range(5)]
            outcomes = await asyncio.gather(
                *(database.write(partial(_say, number)) for number in batch),
                return_exceptions=True,
            )
            if round_ % 3:
                assert all(isinstance(each, Unavailable) for each in outcomes), outcomes
            else:
                assert outcomes == [None] * 5
                acknowledged += batch
            if round_ % 3 == 2:
                database.close()
                database = Database(tmp_path / "chinwag.db")
        assert disk.failed == 2
        database.close()
    said = _said(tmp_path / "chinwag.db")
    assert set(said) >= set(acknowledged)
    assert not {20, 50} & set(said)
