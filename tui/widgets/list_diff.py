"""Compares two sequences of items: where each item of the old one is in the new. No Textual, no chat.

Most changes of a conversation touch one end of it or one message, so the runs that both sequences share at
their ends are found first, block by block with comparisons of lists, which cost a few nanoseconds per item;
only what lies between is looked up by key.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from tui.dataclass import dataclass
from tui.widgets.list_item import ListItem

BLOCK = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """The way from an old sequence to a new one, in positions."""

    old_length: int
    new_length: int
    head: int
    """How many leading items are the same in both, by key."""
    tail: int
    """How many trailing items are the same in both, by key."""
    moved: Mapping[int, int]
    """Old position -> new position of the items between head and tail that stayed."""

    def find(self, old: int) -> int | None:
        """Return the new position of the item at `old`; None if it is gone."""
        if old < self.head:
            return old
        if old >= self.old_length - self.tail:
            return old + self.new_length - self.old_length
        return self.moved.get(old)

    def follow(self, old: int) -> int | None:
        """Return the new position as `find`; of a removed item, that of the next one that stayed, or None."""
        for index in range(old, self.old_length - self.tail):
            if (new := self.find(index)) is not None:
                return new
        first_of_tail = max(old, self.old_length - self.tail)
        return self.find(first_of_tail) if first_of_tail < self.old_length else None


def diff(
    old: Sequence[ListItem],
    new: Sequence[ListItem],
    replaced: Mapping[Hashable, Hashable] | None = None,
) -> Diff:
    """Compare two sequences by key.

    `replaced` maps old keys to new ones of the same item: a message that was shown before the server had
    given it an ID.
    """
    renamed = replaced or {}
    shorter = min(len(old), len(new))
    head = _common(old, new, limit=shorter, backwards=False)
    tail = _common(old, new, limit=shorter - head, backwards=True)
    places = {new[index].key: index for index in range(head, len(new) - tail)}
    moved: dict[int, int] = {}
    for index in range(head, len(old) - tail):
        key = old[index].key
        if (place := places.get(renamed.get(key, key))) is not None:
            moved[index] = place
    return Diff(old_length=len(old), new_length=len(new), head=head, tail=tail, moved=moved)


def _common(
    old: Sequence[ListItem],
    new: Sequence[ListItem],
    *,
    limit: int,
    backwards: bool,
) -> int:
    """Return the length of the run that both sequences share at one end, at most `limit`."""
    done = 0
    while done < limit:
        size = min(BLOCK, limit - done)
        before, after = _block(old, done, size, backwards), _block(new, done, size, backwards)
        if before == after:
            done += size
            continue
        for one, other in zip(before, after, strict=True):
            if one is not other and one.key != other.key:
                return done
            done += 1
    return done


def _block(items: Sequence[ListItem], done: int, size: int, backwards: bool) -> Sequence[ListItem]:
    if not backwards:
        return items[done : done + size]
    end = len(items) - done
    return items[end - size : end][::-1]
