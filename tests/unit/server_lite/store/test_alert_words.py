"""Alert words in memory: the same as in the table after any changes, which cost nothing for the words of others."""

import asyncio
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.actions import alert_words as actions
from server_lite.actions.mentions import _alerted
from server_lite.actions.users import create_user
from server_lite.store import alert_words
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow
from tests.call_counter import calls

WORDS = ("tea", "Tea time", "#tea", "über", "c++")


class Change(NamedTuple):
    """A change of one user's words; those with the same number are one commit."""

    user: int
    adds: bool
    words: list[str]
    fails: bool


changes = st.lists(
    st.lists(
        st.builds(
            Change,
            st.integers(0, 1),
            st.booleans(),
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
            st.booleans(),
        ),
        min_size=1,
        max_size=3,
    ),
    max_size=5,
)


def _people(tx: Tx, count: int) -> list[UserRow]:
    return [
        create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=Role.MEMBER, password=None)
        for n in range(count)
    ]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> tuple[Database, list[UserRow]]:
    database = Database(tmp_path_factory.mktemp("town") / "x.db")
    return database, database.write_now(lambda tx: _people(tx, 2))


@settings(max_examples=15, deadline=None)
@given(commits=changes)
def test_words_are_found_after_any_changes(
    town: tuple[Database, list[UserRow]], commits: list[list[Change]]
) -> None:
    """Whoever has a word is alerted, also if another user removed it in the same commit, or a change failed."""
    database, people = town
    have: list[set[str]] = [
        {word.casefold() for word in alert_words.of(database.reader, user.id)} for user in people
    ]

    def make(change: Change, tx: Tx) -> None:
        act = actions.add if change.adds else actions.remove
        act(tx, people[change.user], change.words)
        if change.fails:
            raise LookupError

    async def run() -> None:
        for commit in commits:
            await asyncio.gather(
                *(database.write(partial(make, one)) for one in commit),
                return_exceptions=True,
            )
            for change in commit:
                keys = {word.casefold() for word in change.words}
                if not change.fails:
                    mine = have[change.user]
                    have[change.user] = mine | keys if change.adds else mine - keys
            for word in WORDS:
                alerted = database.write_now(partial(_alerted, plain=f"a {word} b"))
                assert alerted >= {
                    user.id
                    for user, mine in zip(people, have, strict=True)
                    if word.casefold() in mine
                }
                wrong = {user.id for user, mine in zip(people, have, strict=True) if not mine}
                assert not alerted & wrong

    asyncio.run(run())


def test_a_word_stays_if_its_removal_fails_right_after_a_start(
    town: tuple[Database, list[UserRow]],
) -> None:
    """As the first use of words since the start, a removal that is not stored leaves the word in memory too."""
    database, (user, _) = town
    database.write_now(lambda tx: actions.add(tx, user, ["rare"]))
    started = Database(database.path)

    def fail(tx: Tx) -> None:
        actions.remove(tx, user, ["rare"])
        raise LookupError

    with pytest.raises(LookupError):
        started.write_now(fail)
    assert started.write_now(partial(_alerted, plain="a rare word")) == {user.id}
    started.close()
    database.write_now(lambda tx: actions.remove(tx, user, ["rare"]))


def test_a_message_after_a_change_reads_no_words_of_others(tmp_path: Path) -> None:
    """With ten words of each of 5,000 users that held the next message for a tenth of a second."""

    def cost(others: int) -> int:
        database = Database(tmp_path / f"{others}.db")
        one, other = database.write_now(lambda tx: _people(tx, 2))
        database.write_now(
            lambda tx: actions.add(tx, other, [f"word {number}" for number in range(others)])
        )
        database.write_now(lambda tx: actions.add(tx, one, ["tea"]))
        counted = calls(lambda: database.write_now(lambda tx: _alerted(tx, "a cup of tea")))
        database.close()
        return counted

    assert cost(3) == cost(300)
