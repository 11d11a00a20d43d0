"""Nobody waits for all that another one wants, and what one wants keeps its order."""

from collections.abc import Hashable

from hypothesis import given
from hypothesis import strategies as st

from server_lite.fair_queue import FairQueue

ASKERS = st.lists(st.sampled_from("abc"), max_size=20)


def filled(askers: list[str]) -> FairQueue[int]:
    queue = FairQueue[int]()
    for number, asker in enumerate(askers):
        queue.add(asker, number)
    return queue


@given(ASKERS)
def test_each_gets_one_in_turn(askers: list[str]) -> None:
    """Between two of one, each other who waits gets one; those of one keep their order."""
    queue, left = filled(askers), list[Hashable](askers)
    taken = queue.take(len(askers))
    for at, (asker, _) in enumerate(taken):
        left.remove(asker)
        before = next((b for b in range(at - 1, -1, -1) if taken[b][0] == asker), None)
        if before is not None:
            assert {*left} <= {name for name, _ in taken[before:at]}
    for name in "abc":
        own = [number for asker, number in taken if asker == name]
        assert own == [number for number, asker in enumerate(askers) if asker == name]
    assert len(queue) == 0


@given(ASKERS, st.integers(0, 20), st.integers(0, 20))
def test_what_is_put_back_comes_first(askers: list[str], most: int, kept: int) -> None:
    """Nothing is lost or doubled, what was taken comes again, each one's in order, and the next one first."""
    queue = filled(askers)
    taken = queue.take(most)
    queue.put_back(taken[kept:])
    done = taken[:kept]
    assert len(queue) + len(done) == len(askers)
    again = queue.take(len(askers))
    if taken[kept:]:
        assert again[0] == taken[kept]
    for name in "abc":
        own = [number for asker, number in [*done, *again] if asker == name]
        assert own == [number for number, asker in enumerate(askers) if asker == name]
