"""Reordering lists by hand. Pure."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def moved(order: Sequence[T], what: T, by: int) -> list[T]:
    """Return the list with `what` moved `by` places later (earlier if negative), not beyond its ends."""
    others = [each for each in order if each != what]
    if len(others) == len(order):
        return list(order)
    at = max(0, order.index(what) + by)
    return [*others[:at], what, *others[at:]]
