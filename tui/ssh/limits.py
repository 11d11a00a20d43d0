"""Limits of the SSH service for its clients. Counts only; the clock comes from outside."""

from __future__ import annotations

import ipaddress
from collections import Counter, deque
from collections.abc import Callable
from typing import Final

from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every limit has its default here, and most of them an option."""

    connections: int = 100
    connections_per_address: int = 30
    unauthenticated: int = 20
    unauthenticated_per_address: int = 4
    login_seconds: int = 120
    asking_seconds: float = 30.0
    """From signing in to the request for a session, which clients send at once."""
    failures: int = 5
    """So many in `failure_seconds`, and the address has to wait."""
    failure_seconds: float = 300.0
    pause_seconds: float = 60.0
    """Doubled with each pause, up to `longest_pause`."""
    longest_pause: float = 3600.0
    sessions: int = 60
    sessions_per_account: int = 5
    guests: int = 5
    """Sessions in which nobody is signed in yet."""
    guest_seconds: float = 600.0
    idle_seconds: float = 0.0
    """Seconds without a key after which a session ends; 0: never."""
    keepalive_seconds: float = 15.0
    keepalives: int = 3
    memory: int = 1024 * 2**20
    """Bytes of address space of a session."""
    disk: int = 512 * 2**20
    """Bytes of a person's folder, and of each file that a session writes."""
    strain_seconds: float = 5.0
    """Seconds without rest after which a session gives way to the others."""
    busy_seconds: float = 30.0
    """Seconds in an endless loop after which a session is ended (`tui.ssh.busy`)."""


def network(address: str) -> str:
    """Return the unit that counts as one address: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


MOST_ADDRESSES: Final = 10_000
"""Most addresses whose failures are remembered."""


class Connections:
    """The connections, those that have not signed in yet, and the addresses that have to wait."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._all: Counter[str] = Counter()
        self._strangers: Counter[str] = Counter()
        self._failures: dict[str, deque[float]] = {}
        self._pauses: dict[str, tuple[float, float]] = {}
        """The end of an address's pause, and its length."""

    def refusal(self, address: str) -> str:
        """Return why a connection is refused; "" if it is accepted, and then it counts."""
        where, limits = network(address), self._limits
        until, _ = self._pauses.get(where, (0.0, 0.0))
        if until > self._clock():
            return "penalty"
        if self._all.total() >= limits.connections:
            return "connections"
        if self._all[where] >= limits.connections_per_address:
            return "connections_per_address"
        if self._strangers.total() >= limits.unauthenticated:
            return "unauthenticated"
        if self._strangers[where] >= limits.unauthenticated_per_address:
            return "unauthenticated_per_address"
        self._all[where] += 1
        self._strangers[where] += 1
        return ""

    def signed_in(self, address: str) -> None:
        """Count a connection as signed in."""
        _less(self._strangers, network(address))

    def left(self, address: str, *, was_stranger: bool) -> None:
        """Count a connection as ended."""
        _less(self._all, network(address))
        if was_stranger:
            _less(self._strangers, network(address))

    def failed(self, address: str) -> float:
        """Count a wrong answer or key; return how many seconds the address has to wait now, 0 for none."""
        where, now, limits = network(address), self._clock(), self._limits
        if len(self._failures) >= MOST_ADDRESSES and where not in self._failures:
            self._failures.pop(next(iter(self._failures)))
        failures = self._failures.setdefault(where, deque())
        failures.append(now)
        while failures and failures[0] <= now - limits.failure_seconds:
            failures.popleft()
        if len(failures) < limits.failures:
            return 0.0
        failures.clear()
        _, last = self._pauses.get(where, (0.0, 0.0))
        pause = min(last * 2 or limits.pause_seconds, limits.longest_pause)
        self._pauses = {
            each: p for each, p in self._pauses.items() if p[0] + limits.longest_pause > now
        }
        self._pauses[where] = (now + pause, pause)
        return pause


def _less(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


class Sessions:
    """Counts the sessions of each person."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._of: Counter[str] = Counter()
        self._guests = 0

    def refusal(self, person: str) -> str:
        """Return a sentence why another session is refused; "" if it is accepted, and then it counts.
        `person` "" is a guest.
        """
        limits = self._limits
        if self._of.total() + self._guests >= limits.sessions:
            return "Too many people are connected. Try again later."
        if not person:
            if self._guests >= limits.guests:
                return "Too many people are signing in. Try again in some minutes."
            self._guests += 1
            return ""
        if self._of[person] >= limits.sessions_per_account:
            return f"You have {limits.sessions_per_account} sessions open. Close one of them first."
        self._of[person] += 1
        return ""

    def left(self, person: str) -> None:
        """Count a session as ended."""
        if person:
            _less(self._of, person)
        else:
            self._guests -= 1

    def became(self, person: str, before: str = "") -> None:
        """Count a guest's session, or that of the person `before`, for another person."""
        self.left(before)
        self._of[person] += 1
