"""Each limit at its boundary, and what counts as one address."""

import pytest

from tui.ssh.limits import Connections, Limits, Sessions, network

SOME = Limits(
    connections=4, connections_per_address=2, unauthenticated=3, unauthenticated_per_address=1,
    failures=3, sessions=3, sessions_per_account=2, guests=1,
)  # fmt: skip


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("address", "one"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("/run/socket", "/run/socket"),
    ],
)
def test_what_counts_as_one_address(address: str, one: str) -> None:
    """Somebody with IPv6 has a whole /64."""
    assert network(address) == one


def test_connections_are_counted_until_they_leave() -> None:
    """Per address and in all, signed in and not."""
    counts = Connections(SOME, Clock())
    assert counts.refusal("a") == ""
    assert counts.refusal("a") == "unauthenticated_per_address"
    counts.signed_in("a")
    assert counts.refusal("a") == ""
    assert counts.refusal("a") == "connections_per_address"
    assert (counts.refusal("b"), counts.refusal("c")) == ("", "")
    assert counts.refusal("d") == "connections"
    counts.left("a", was_stranger=False)
    assert counts.refusal("d") == "unauthenticated"
    counts.left("b", was_stranger=True)
    assert counts.refusal("d") == ""


def test_failures_make_an_address_wait_longer_each_time() -> None:
    """Three failures within five minutes; other addresses do not wait."""
    clock = Clock()
    counts = Connections(SOME, clock)
    assert [counts.failed("a") for _ in range(3)] == [0.0, 0.0, 60.0]
    assert counts.refusal("a") == "penalty"
    assert counts.refusal("b") == ""
    clock.now += 61
    assert counts.refusal("a") == ""
    assert [counts.failed("a") for _ in range(3)] == [0.0, 0.0, 120.0]
    clock.now += 121
    counts.failed("a")
    clock.now += 301
    assert [counts.failed("a") for _ in range(2)] == [0.0, 0.0]


def test_sessions_are_counted_by_person() -> None:
    """Guests do not crowd out those who are known, and become them."""
    counts = Sessions(SOME)
    assert counts.refusal("") == ""
    assert "signing in" in counts.refusal("")
    counts.became("ann")
    assert counts.refusal("ann") == ""
    assert "You have 2 sessions open" in counts.refusal("ann")
    assert counts.refusal("ben") == ""
    assert "Too many people" in counts.refusal("cleo")
    counts.left("ann")
    assert counts.refusal("cleo") == ""
    counts.left("cleo")
    counts.became("cleo", "ben")
    assert [counts.refusal("ben"), counts.refusal("ben")] == [
        "",
        "Too many people are connected. Try again later.",
    ]


def test_a_dead_line_ends_within_a_minute() -> None:
    """As the guide says: so long is asked whether anybody is there."""
    assert Limits().keepalive_seconds * (Limits().keepalives + 1) <= 60
