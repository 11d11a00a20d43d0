"""Initial state: people and bots, and who I am. Reads only."""

from typing import Final

from server_lite.access.user_groups import in_setting
from server_lite.access.users import is_restricted, known_users, sees_address
from server_lite.objects.profile_fields import all_profile_data
from server_lite.objects.users import (
    UserObject,
    api_email,
    avatar_fields,
    hidden_user_object,
    shown_to_strangers,
    user_object,
)
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import realm, users
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


def people(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Accounts in three lists (active, closed, the server's own), and what I am and may do."""
    domain = realm.domain(db)
    active: list[UserObject] = []
    closed: list[UserObject] = []
    system: list[UserObject] = []
    said = all_profile_data(db)
    for user in known_users(db, asked.user):
        sees = sees_address(asked.user, user)
        profile = said.get(user.id, {})
        person = user_object(user, domain=domain, sees_address=sees, profile_data=profile)
        if asked.is_stranger:
            person = shown_to_strangers(person, domain)
        if user.is_system_bot:
            system.append({**person, "is_system_bot": True})
        else:
            (active if user.is_active else closed).append(person)
    if not asked.shape.user_list_incomplete:
        active = sorted(active + _unknown(db, asked, domain), key=lambda person: person["user_id"])
    lists: dict[str, object] = {
        "realm_users": active,
        "realm_non_active_users": closed,
        "cross_realm_bots": system,
    }
    return lists if asked.is_stranger else lists | _myself(db, asked.user, domain)


def _unknown(db: Db, asked: SnapshotRequest, domain: str) -> list[UserObject]:
    """A place in the list for everybody whom I may not know, as old clients need it."""
    if not is_restricted(db, asked.user):
        return []
    known = {user.id for user in known_users(db, asked.user)}
    return [
        hidden_user_object(user, domain=domain)
        for user in users.everyone(db)
        if user.id not in known
    ]


def _myself(db: Db, user: UserRow, domain: str) -> dict[str, object]:
    def may(permission: str) -> bool:
        return in_setting(db, user, realm.permission(db, permission))

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
