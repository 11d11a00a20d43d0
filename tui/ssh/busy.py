"""Detects sessions in an endless loop, from the system's counts. Pure: no processes, no clock.

On a busy machine a process that never rests gets little of a core, so its CPU time alone does not show it. A
session is *strained* if it always ran or waited for a core, and *stuck* if it moreover had a core for itself
or never waited for anything: a session that is only slow waits for keys and for its server all the time.
"""

from __future__ import annotations

from typing import Final, Literal

from tui.dataclass import dataclass

ALWAYS: Final = 0.9
"""A larger share of a time counts as all of it."""
FEW_WAITS: Final = 2.0
"""In a second; the timer of a program that draws causes more."""

Verdict = Literal["", "strained", "stuck"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """A process's totals: seconds on a core, seconds on one or waiting for one, and how often it waited."""

    cpu: float
    runnable: float
    waits: int


class Watch:
    """Watches one session; call `judge` whenever it `is_due`."""

    def __init__(self, now: float, usage: Usage) -> None:
        self._since = now
        self._usage = usage
        self._stuck_since = now

    def is_due(self, now: float, strain: float) -> bool:
        """Whether `strain` seconds have passed since the last check; each check reads some files."""
        return now - self._since >= strain > 0

    def judge(self, now: float, usage: Usage, busy: float) -> Verdict:
        """Return strained if the session was since the last check; stuck after `busy` seconds of that."""
        elapsed = now - self._since
        before, self._usage = self._usage, usage
        began, self._since = self._since, now
        is_strained = usage.runnable - before.runnable > ALWAYS * elapsed
        rests = (
            usage.cpu - before.cpu <= ALWAYS * elapsed
            and usage.waits - before.waits >= FEW_WAITS * elapsed
        )
        if not is_strained or rests:
            self._stuck_since = now
            return "strained" if is_strained else ""
        self._stuck_since = min(self._stuck_since, began)
        return "stuck" if now - self._stuck_since >= busy else "strained"
