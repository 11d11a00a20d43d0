"""Sends events about group members, to restricted guests only visible ones. Checks no permissions."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, cast

from server_lite.access.users import restricted_ids, restricted_who_see
from server_lite.events.users import (
    GroupAdded,
    GroupReactivated,
    MembersAdded,
    MembersRemoved,
)
from server_lite.ids import UserId
from server_lite.objects.user_groups import UserGroupObject
from server_lite.store import user_groups, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx

FEW: Final = 100
"""Users who join or leave a group at once by events for guests who see only some of them; with more, these register again."""
EVENTS: Final = 500
"""Events about groups for users who become visible or invisible by one change."""
Parts = Sequence[tuple[frozenset[UserId], frozenset[UserId]]]
"""Users who see the same, with what they see."""
Members = type[MembersAdded] | type[MembersRemoved]
Whole = type[GroupAdded] | type[GroupReactivated]


def emit_members(
    tx: Tx, event: Members, group_id: int, user_ids: Collection[UserId], *, is_closed: bool
) -> None:
    """Send users joining or leaving a group to all users."""
    for viewers, visible_ids in _visible_parts(tx, user_ids):
        if visible_ids:
            group_event = event(
                group_id=group_id, user_ids=sorted(visible_ids), is_deactivated=is_closed
            )
            tx.emit(group_event, to=viewers)


def emit_group(tx: Tx, event: Whole, group: UserGroupObject) -> None:
    """Send a group with its members to all users."""
    for viewers, visible_ids in _visible_parts(tx, group["members"]):
        seen = {**group, "members": [one for one in group["members"] if one in visible_ids]}
        tx.emit(event(group=cast(UserGroupObject, seen)), to=viewers)


def _visible_parts(tx: Tx, user_ids: Collection[UserId]) -> Parts:
    """Return all active users in groups that see the same of these users, each with whom it sees."""
    restricted = restricted_ids(tx)
    # Kept, too: each new set of thousands is compared with those of earlier events.
    everyone = tx.cached(_unrestricted), frozenset(user_ids)
    if not restricted:
        return [everyone]
    if len(user_ids) > FEW:
        tx.end_queues(restricted)
        return [everyone]
    # Kept: a user who joins or leaves many groups is in an event about each.
    return [everyone, *tx.cached(_restricted_parts, frozenset(user_ids))]


def _unrestricted(db: Db) -> frozenset[UserId]:
    return users.active_ids(db) - restricted_ids(db)


def _restricted_parts(db: Db, user_ids: frozenset[UserId]) -> Parts:
    bots = users.bot_ids(db).intersection(user_ids)
    people = user_ids - bots
    restricted = restricted_ids(db)
    seen: defaultdict[UserId, set[UserId]] = defaultdict(set)
    for viewer_id in people & restricted:
        seen[viewer_id].add(viewer_id)
    for user_id, viewers in restricted_who_see(db, people).items():
        for viewer_id in viewers:
            seen[viewer_id].add(user_id)
    viewers_by_seen: defaultdict[frozenset[UserId], list[UserId]] = defaultdict(list)
    for viewer_id, visible_ids in seen.items():
        viewers_by_seen[frozenset(visible_ids)].append(viewer_id)
    parts = [(frozenset(viewers), visible | bots) for visible, viewers in viewers_by_seen.items()]
    return [*parts, (restricted - seen.keys(), bots)]


def emit_visible_people(
    tx: Tx, event: Members, viewers_by_people: Mapping[frozenset[UserId], Collection[UserId]]
) -> None:
    """Send the group memberships of users to viewers to whom these became visible or invisible.

    There is an event for each group of each set of users. Of viewers who would get too many, clients register again.
    """
    groups = _groups_by_user(tx, frozenset[UserId]().union(*viewers_by_people))
    closed = user_groups.deactivated_ids(tx)
    sent, away = 0, list[UserId]()
    by_viewers = sorted(viewers_by_people.items(), key=lambda pair: len(pair[1]), reverse=True)
    for people, viewers in by_viewers:
        if sent > EVENTS:
            away += viewers
            continue
        members: defaultdict[int, list[UserId]] = defaultdict(list)
        for user_id in sorted(people):
            for group_id in groups.get(user_id, ()):
                members[group_id].append(user_id)
        sent += len(members)
        for group_id, inside in sorted(members.items()):
            is_closed = group_id in closed
            group_event = event(group_id=group_id, user_ids=inside, is_deactivated=is_closed)
            tx.emit(group_event, to=viewers)
    if away:
        tx.end_queues(away)


def _groups_by_user(db: Db, people: Collection[UserId]) -> Mapping[UserId, Sequence[int]]:
    """Return the groups that list each of these users, if the account is active."""
    waiting = user_groups.waiting(db)
    groups: dict[UserId, Sequence[int]] = {}
    listed = user_groups.listing_each(db, people)
    for user in users.by_ids(db, people):
        if user.is_active:
            system = () if user.is_system_bot else user_groups.direct_system_groups(user, waiting)
            groups[user.id] = [*listed.get(user.id, ()), *system]
    return groups
