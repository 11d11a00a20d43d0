"""Measures how fast the machine is at the moment, beside every figure. Knows nothing of the programs.

A machine that is shared does the same work in half or twice the time within minutes, in CPU time as well.
"""

import time
from typing import Final

ROUNDS: Final = 5
WORDS: Final = 4_000


def fixed_work() -> float:
    """Return the milliseconds of CPU of the same piece of Python work each time; the smallest of a few."""
    return min(_once() for _ in range(ROUNDS))


def _once() -> float:
    begin = time.thread_time()
    words = [f"word {number * 7919 % WORDS}" for number in range(WORDS)]
    lengths: dict[str, list[int]] = {}
    for word in sorted(words):
        lengths.setdefault(word[-2:], []).append(len(word))
    ", ".join(sorted(lengths)).split(", ")
    return (time.thread_time() - begin) * 1000
