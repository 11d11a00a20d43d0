"""Snapshot: users and bots, and the user's own account. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import Final

import orjson

from server_lite.access.user_groups import is_in_group_setting
from server_lite.access.users import (
    accessible_user_ids,
    anonymous_user,
    is_anonymous,
    sees_address,
)
from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.objects.encoded import KeptValues, array, kept
from server_lite.objects.profile_fields import ProfileData, all_profile_data, profile_data
from server_lite.objects.users import (
    UserObject,
    api_email,
    avatar_fields,
    hidden_user_object,
    shown_to_anonymous,
    user_object,
)
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import realm, users
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

SOMEBODY: Final = UserId(-1)
"""An ID that no account has: a viewer who sees others as all users with the same role do."""


@dataclass(frozen=True, slots=True)
class People:
    """All accounts as JSON objects, by ID."""

    active: KeptValues
    closed: KeptValues
    system: KeptValues
    """The server's own accounts."""
    rows: Sequence[UserRow]
    """The accounts, in the order of their IDs."""
    basis: tuple[object, ...]
    """What else they were made of."""

    def encoded(self, user: UserRow) -> bytes:
        """Return one of these accounts."""
        if user.is_system_bot:
            return self.system[user.id]
        return (self.active if user.is_active else self.closed)[user.id]


def people(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return accounts in three lists (active, deactivated, the server's own), and the user's own account."""
    me = request.user
    everybody = db.cached(_everybody, None if request.is_anonymous else me.role)
    accessible_ids = accessible_user_ids(db, me)
    myself = _encoded(db, me, me) if me.id in everybody.active else None
    if accessible_ids is None:
        # Users always see their own address.
        active = everybody.active
        lists: dict[str, object] = {
            "realm_users": active.array() if myself is None else active.array_with(me.id, myself),
            "realm_non_active_users": everybody.closed.array(),
            "cross_realm_bots": everybody.system.array(),
        }
    else:
        visible = everybody.active.among(accessible_ids)
        if myself is not None:
            visible[me.id] = myself
        if not request.shape.user_list_incomplete:
            hidden = db.cached(_hidden)
            others = {each: hidden[each] for each in hidden if each not in accessible_ids}
            visible = dict(sorted({**others, **visible}.items()))
        lists = {
            "realm_users": array(visible.values()),
            "realm_non_active_users": array(everybody.closed.among(accessible_ids).values()),
            "cross_realm_bots": array(everybody.system.among(accessible_ids).values()),
        }
    return lists if request.is_anonymous else lists | _myself(db, me, realm.domain(db))


def _everybody(db: Db, role: int | None) -> People:
    """Return all accounts as an unrelated user with this role sees them; None: as visitors do."""
    viewer = anonymous_user() if role is None else replace(anonymous_user(), id=SOMEBODY, role=role)
    domain, rows = realm.domain(db), users.everyone(db)
    basis = domain, *db.generations("profile_field", "profile_value")
    latest = db.memo(_everybody)
    before = latest.get(role)
    if before is not None and before.basis != basis:
        before = None
    # After a change of a user, all others are copied from before.
    earlier = () if before is None else before.rows
    data_by_user = all_profile_data(db) if before is None else {}
    active, closed, system = dict[int, bytes](), dict[int, bytes](), dict[int, bytes]()
    for user, same in zip(rows, chain(earlier, repeat(None)), strict=False):
        people = system if user.is_system_bot else active if user.is_active else closed
        if before is not None and user is same:
            people[user.id] = before.encoded(user)
            continue
        data = data_by_user.get(user.id, {}) if before is None else profile_data(db, user.id)
        person = _object(viewer, user, domain, data)
        people[user.id] = kept({**person, "is_system_bot": True} if people is system else person)
    everybody = People(KeptValues(active), KeptValues(closed), KeptValues(system), rows, basis)
    latest[role] = everybody
    return everybody  # not what is there now: other threads read other snapshots


def _encoded(db: Db, viewer: UserRow, user: UserRow) -> bytes:
    data = profile_data(db, user.id)
    return orjson.dumps(_object(viewer, user, realm.domain(db), data))


def _object(viewer: UserRow, user: UserRow, domain: str, data: ProfileData) -> UserObject:
    sees = sees_address(viewer, user)
    person = user_object(user, domain=domain, sees_address=sees, profile_data=data)
    return shown_to_anonymous(person, domain) if is_anonymous(viewer) else person


def _hidden(db: Db) -> Mapping[int, bytes]:
    """Return a placeholder for every account, which old clients need for invisible users."""
    domain = realm.domain(db)
    return {user.id: kept(hidden_user_object(user, domain=domain)) for user in users.everyone(db)}


def _myself(db: Db, user: UserRow, domain: str) -> dict[str, object]:
    def may(permission: str) -> bool:
        return is_in_group_setting(db, user, realm.permission(db, permission))

    public = may("can_create_public_channel_group")
    private = may("can_create_private_channel_group")
    return {
        "user_id": user.id,
        "email": api_email(user, domain),
        "delivery_email": user.email,
        "full_name": user.full_name,
        **avatar_fields(user),
        "is_owner": user.is_owner,
        "is_admin": user.is_admin,
        "is_moderator": user.is_moderator,
        "is_guest": user.is_guest,
        "can_create_streams": public or private,
        "can_create_public_streams": public,
        "can_create_private_streams": private,
        "can_create_web_public_streams": realm.setting(db, "enable_spectator_access")
        and may("can_create_web_public_channel_group"),
        "can_subscribe_other_users": may("can_add_subscribers_group"),
        "can_invite_others_to_realm": may("can_invite_users_group"),
    }


SECTIONS: Final[dict[str, Section]] = {"realm_user": people}
