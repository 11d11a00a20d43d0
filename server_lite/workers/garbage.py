"""Keeps the stops short that Python's garbage collector makes. Decides nothing else.

A collection stops all threads, and takes 0.15 µs for each list, dict or object that it looks through, and for each
element in it. While a thread puts together a long answer there are half a million, for which nothing is to be found:
they end with the answer, without any collector. Looked through together, they stopped the server for a tenth of a
second. So only new objects are looked through, few at a time, and once or twice; all of them once an hour.
"""

import asyncio
import gc
from collections.abc import Callable
from typing import Final

NEW: Final = 20_000
"""How many new objects are looked through together: once or twice, after which they count as old."""
NEVER: Final = 2**30
HOUR: Final = 3600.0
PATIENCE: Final = 60
"""Seconds to wait for long reads to end, whose objects would be looked through as well."""


async def run(is_reading: Callable[[], bool]) -> None:
    """Collect garbage among old objects once an hour; runs until canceled. `is_reading`: in a thread, at the moment."""
    before = gc.get_threshold()
    gc.set_threshold(NEW, 0, NEVER)
    try:
        while True:
            await asyncio.sleep(HOUR)
            for _ in range(PATIENCE):
                if not is_reading():
                    break
                await asyncio.sleep(1)
            gc.collect()
    finally:
        gc.set_threshold(*before)
