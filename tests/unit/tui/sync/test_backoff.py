"""Waiting between attempts: longer each time, never endless, and short again after a success."""

from hypothesis import given
from hypothesis import strategies as st

from tui.sync.backoff import FIRST_SECONDS, MOST_SECONDS, Backoff

chances = st.floats(0, 1, exclude_max=True)


@given(st.lists(chances, min_size=1, max_size=60))
def test_delays_are_bounded_on_both_sides(drawn: list[float]) -> None:
    """The client neither hammers a server that is down nor stays away for long."""
    backoff = Backoff()
    delays = [backoff.next_delay(chance) for chance in drawn]
    assert all(FIRST_SECONDS / 2 <= delay <= MOST_SECONDS for delay in delays)
    assert all(delay >= MOST_SECONDS / 2 for delay in delays[8:])


@given(st.integers(1, 100), chances)
def test_a_success_makes_it_short_again(failures: int, chance: float) -> None:
    """A connection that comes back is used at full speed the next time it breaks."""
    backoff = Backoff()
    for _ in range(failures):
        backoff.next_delay(chance)
    backoff.reset()
    assert backoff.next_delay(chance) <= FIRST_SECONDS


@given(chances, st.floats(0, 10_000))
def test_what_the_server_asks_for_is_waited(chance: float, asked: float) -> None:
    """ "Again in a minute" means a minute, not less."""
    assert Backoff().next_delay(chance, at_least=asked) >= asked


def test_two_clients_do_not_come_back_together() -> None:
    """A hundred clients of a server that restarts spread over half of the delay."""
    early, late = Backoff(attempts=6), Backoff(attempts=6)
    assert late.next_delay(0.99) - early.next_delay(0.0) > 10
