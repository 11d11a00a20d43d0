"""Sets of IDs that take eight bytes for each. Pure.

An organization has hundreds of channels with hundreds of subscribers: as a `frozenset`, with its numbers, each takes
ninety bytes.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Set
from typing import cast

from tui.api.model import UserId


class IdSet(Set[UserId]):
    """A frozen set of users' IDs, equal to any other set of them.

    Whether a user is among them takes some steps: for many users make a `frozenset` of it.
    """

    __slots__ = ("_ids",)

    def __init__(self, user_ids: Iterable[UserId] = ()) -> None:
        self._ids = array("q", sorted(frozenset(user_ids)))

    def __contains__(self, user_id: object) -> bool:
        if not isinstance(user_id, int):
            return False
        at = bisect_left(self._ids, user_id)
        return at < len(self._ids) and self._ids[at] == user_id

    def __iter__(self) -> Iterator[UserId]:
        return cast("Iterator[UserId]", iter(self._ids))

    def __len__(self) -> int:
        return len(self._ids)

    def __hash__(self) -> int:
        return self._hash()

    def __repr__(self) -> str:
        return f"IdSet({list(self._ids)})"
