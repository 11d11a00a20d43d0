"""Lists that people put in order by hand. Pure."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def moved(order: Sequence[T], what: T, by: int) -> list[T]:
    """The list with `what` so many places later (earlier if negative), as far as there are places."""
    others = [each for each in order if each != what]
    if len(others) == len(order):
        return list(order)
    at = max(0, order.index(what) + by)
    return [*others[:at], what, *others[at:]]
