"""Simulates a busy machine: the event loop stops now and then, for up to 0.3 s. Knows of no server and no app.

A story that holds only because one message was handled before another fails here, and not once in a month.
"""

import asyncio
import time
from random import Random
from typing import Final

import pytest

PERIOD: Final = 2.0
"""Seconds at most that the machine is equally busy."""
CHANCES: Final = (0.0, 0.002, 0.02, 0.1)
"""Of a stall, at each turn of the loop: how busy it can be."""
STALLS: Final = (0.002, 0.02, 0.1, 0.3)
"""Seconds that a stall takes at most."""


def stall(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Stop each event loop at random turns, until the test ends."""
    random = Random(seed)
    run_once = asyncio.BaseEventLoop._run_once  # type: ignore[attr-defined]  # every turn goes through it
    chance, until = 0.0, 0.0

    def run_late(loop: asyncio.BaseEventLoop) -> None:
        nonlocal chance, until
        if (now := time.monotonic()) > until:
            chance, until = random.choice(CHANCES), now + PERIOD * random.random()
        if random.random() < chance:
            time.sleep(random.choice(STALLS) * random.random())
        run_once(loop)

    monkeypatch.setattr(asyncio.BaseEventLoop, "_run_once", run_late)
