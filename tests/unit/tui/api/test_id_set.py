"""Subscribers of channels: sets like any others, in little memory."""

import sys
from collections.abc import Set as AbstractSet

from hypothesis import given
from hypothesis import strategies as st

from tui.api.id_set import IdSet
from tui.api.model import UserId

IDS = st.frozensets(st.integers(0, 2**40).map(UserId), max_size=20)


@given(IDS, IDS)
def test_it_is_equal_to_the_set_of_its_ids_and_changes_like_one(
    ids: frozenset[UserId], others: frozenset[UserId]
) -> None:
    """Events add and remove some; a fresh answer of the server is the same then."""
    made = IdSet(ids)
    assert same(made, ids)
    assert (list(made), len(made)) == (sorted(ids), len(ids))
    assert hash(made) == hash(IdSet(sorted(ids)))
    assert same(made | others, ids | others)
    assert same(made - others, ids - others)
    assert {each for each in others | ids if each in made} == ids
    no_ids: list[object] = ["1", None]
    assert not any(each in made for each in no_ids)


def same(one: AbstractSet[UserId], other: AbstractSet[UserId]) -> bool:
    """Whether they are equal, whichever is asked."""
    return one == other and other == one


def test_a_member_takes_eight_bytes() -> None:
    """A channel of a large organization has a thousand, and there are hundreds of channels."""
    made = IdSet(UserId(number) for number in range(1_000, 2_000))
    assert sys.getsizeof(made) + sys.getsizeof(made._ids) <= 8 * 1_000 + 200
