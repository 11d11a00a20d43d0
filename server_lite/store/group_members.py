"""Members of groups with all groups that they contain, asked for permissions: kept in memory. SQL only.

Thousands of nested groups may hold a permission. The members of each group that was asked for stay in memory, and
`note_members` changes them with the table; after any other change of it, or a rollback, they are read again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from threading import Lock
from typing import Final

import orjson

from server_lite.ids import UserId
from server_lite.store.connection import Db

MOST: Final = 20
"""Sets of groups whose members are kept."""
Subgroups = Callable[[Db], Mapping[int, Sequence[int]]]
"""Returns the direct subgroups of each group that has any."""
Within = tuple[frozenset[UserId], frozenset[int]]
"""Users, active or not, and groups."""
_MEMBERS, _SUBGROUPS = "user_group_member", "user_group_subgroup"
FEW: Final = 20
"""Groups that are read without counting their members."""
MOST_LISTED: Final = 100_000
"""Members of all groups of a set, each counted in each group, from which on users are asked for their groups instead."""
PART: Final = 1_000
"""Groups whose members the upkeep reads at once."""
_COUNT_ALL: Final = "SELECT count(*) FROM user_group_member"  # takes SQLite no time
_COUNT: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM user_group_member"
    " WHERE group_id IN (SELECT value FROM json_each(?)) LIMIT ?)"
)
_OF_GROUPS: Final = (
    "SELECT group_id, json_group_array(user_id) FROM user_group_member"
    " WHERE group_id IN (SELECT value FROM json_each(?)) GROUP BY group_id"
)
_OF_USERS: Final = (  # a user who is in many of the groups is found at the first
    "SELECT json_group_array(id) FROM user WHERE EXISTS (SELECT 1 FROM user_group_member"
    " WHERE user_id = user.id AND +group_id IN (SELECT value FROM json_each(?)))"
)


class _Members:
    """Members of groups, active or not. Thread-safe."""

    __slots__ = ("_lock", "_of_group", "_of_set", "generations")

    def __init__(self, _: object = None) -> None:
        self._lock = Lock()
        self._of_group: dict[int, Sequence[UserId]] = {}
        """Those of each group, some perhaps twice."""
        self._of_set: dict[frozenset[int], Within] = {}
        """Those within the groups that were asked for last."""
        self.generations: tuple[int, ...] = ()
        """Those of both tables; changed by the writer alone."""

    def within(self, db: Db, asked: frozenset[int], subgroups: Subgroups) -> Within:
        """Return what `members_within` does."""
        with self._lock:
            if asked not in self._of_set:
                within = self._walk(db, asked, subgroups(db))
                if len(self._of_set) >= MOST:
                    self._of_set.clear()
                self._of_set[asked] = within
            return self._of_set[asked]

    def _walk(
        self, db: Db, asked: frozenset[int], subgroups: Mapping[int, Sequence[int]]
    ) -> Within:
        """Walk from the groups to all in them. Where one is met that was asked for alone, what it has is known."""
        alone = {group_id: ids for ids in self._of_set if len(ids) == 1 for group_id in ids}
        met: list[Within] = []
        walked, left = set(asked), [*asked]
        # One by one: sets of those that are next are slow where each group has one in it.
        while left:
            group_id = left.pop()
            if group_id in alone:
                met.append(self._of_set[alone[group_id]])
                continue
            for inner in subgroups.get(group_id, ()):
                if inner not in walked:
                    walked.add(inner)
                    left.append(inner)
        known = frozenset[int]().union(*(groups for _, groups in met))
        members = self._read(db, walked - known)
        return members.union(*(people for people, _ in met)), known | walked

    def _read(self, db: Db, groups: AbstractSet[int]) -> frozenset[UserId]:
        """Return all members of these groups."""
        missing = groups - self._of_group.keys()
        if len(missing) > FEW and _are_too_many(db, missing):
            return frozenset(orjson.loads(db.value(_OF_USERS, _json(groups))))
        if missing:
            self._keep(db, missing)
        return frozenset[UserId]().union(*map(self._of_group.__getitem__, groups))

    def _keep(self, db: Db, groups: Collection[int]) -> None:
        self._of_group.update(dict.fromkeys(groups, ()))
        rows = db.rows(_OF_GROUPS, _json(groups))
        self._of_group.update((group_id, orjson.loads(ids)) for group_id, ids in rows)

    def keep_some(self, db: Db, groups: AbstractSet[int]) -> bool:
        """Read the members of some of these groups, if they are not kept; returns whether any are left."""
        with self._lock:
            missing = sorted(groups - self._of_group.keys())
            if missing:
                self._keep(db, missing[:PART])
            return len(missing) > PART

    def note(self, group_id: int, user_ids: Collection[UserId], *, joined: bool) -> None:
        """Change the members of a group."""
        self.note_subgroups(group_id)
        with self._lock:
            had = self._of_group.get(group_id)
            if had is not None:
                gone = frozenset[UserId]() if joined else frozenset(user_ids)
                new = user_ids if joined else ()
                self._of_group[group_id] = [*(one for one in had if one not in gone), *new]

    def note_subgroups(self, group_id: int) -> None:
        """Forget what contains a group that changed."""
        with self._lock:
            for asked in [one for one, (_, groups) in self._of_set.items() if group_id in groups]:
                del self._of_set[asked]

    def move_to(self, generations: tuple[int, ...]) -> None:
        """Forget what other generations of the tables made outdated."""
        with self._lock:
            self._of_set.clear()
            if self.generations[:1] != generations[:1]:
                self._of_group.clear()
            self.generations = generations


def _are_too_many(db: Db, groups: Collection[int]) -> bool:
    """Whether these groups have more members than are kept."""
    if db.value(_COUNT_ALL) < MOST_LISTED:
        return False
    return bool(db.value(_COUNT, _json(groups), MOST_LISTED) == MOST_LISTED)


def _json(ids: Iterable[int]) -> str:
    return orjson.dumps(sorted(ids)).decode()


def members_within(db: Db, asked: frozenset[int], subgroups: Subgroups) -> Within:
    """Return the users whom these groups, or groups in them, list, active or not; and all these groups.

    Of groups that contain each other, those inside are best asked for first.
    """
    if not db.can_write:  # threads that read see other generations
        shared = db.memo(_Members, _MEMBERS, _SUBGROUPS)
        return shared.setdefault("members", _Members()).within(db, asked, subgroups)
    return _current(db).within(db, asked, subgroups)


def _current(db: Db) -> _Members:
    kept = db.kept(_Members)
    generations = db.generations(_MEMBERS, _SUBGROUPS)
    if kept.generations != generations or not generations:
        kept.move_to(generations)
    return kept


def keep_some(db: Db) -> bool:
    """Read the members of some groups for the writer, before a change waits for it; returns whether any are left.

    Those of thousands of groups take 20 ms: they are forgotten by a rollback, and unknown after a start.
    """
    return _current(db).keep_some(db, db.cached(_smallest))


def _smallest(db: Db) -> frozenset[int]:
    """Return as many groups as may be kept, the smallest first: it takes longest to read many."""
    sizes = db.rows("SELECT group_id, count(*) FROM user_group_member GROUP BY group_id ORDER BY 2")
    room = MOST_LISTED
    chosen: list[int] = []
    for group_id, size in sizes:
        room -= size
        if room < 0:
            break
        chosen.append(group_id)
    return frozenset(chosen)


def note_members(
    db: Db, before: tuple[int, ...], group_id: int, user_ids: Collection[UserId], *, joined: bool
) -> None:
    """Note who joined or left a group by the only statement since `generation` was `before`."""
    kept = db.kept(_Members)
    if kept.generations[:1] == before:
        kept.note(group_id, user_ids, joined=joined)
        kept.generations = (*generation(db), *kept.generations[1:])


def note_subgroups(db: Db, before: tuple[int, ...], group_id: int) -> None:
    """Note that a group has other subgroups by the only statement since `subgroup_generation` was `before`."""
    kept = db.kept(_Members)
    if kept.generations[1:] == before:
        kept.note_subgroups(group_id)
        kept.generations = (*kept.generations[:1], *subgroup_generation(db))


def generation(db: Db) -> tuple[int, ...]:
    """Return a number that changes with the members of any group."""
    return db.generations(_MEMBERS)


def subgroup_generation(db: Db) -> tuple[int, ...]:
    """Return a number that changes with the subgroups of any group."""
    return db.generations(_SUBGROUPS)
