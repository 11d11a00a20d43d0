"""Which users are visible to a user, and whose email address. Reads only.

All users see all others, except guests where the organization restricts them
(`can_access_all_users_group`): they see bots, and users with whom they share a channel or a direct
conversation. A user who does not exist and one who is invisible raise the same error.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import orjson

from server_lite.errors import ApiError, Insufficient
from server_lite.ids import UserId
from server_lite.objects.users import id_in_hidden_email
from server_lite.store import channels, guest_channels, realm, users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import Visibility, setting
from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import NOTIFICATION_BOT, Role, UserRow


def access_user(db: Db, caller: UserRow, user_id: UserId, *, active: bool = False) -> UserRow:
    """Return a user visible to the caller; `active` refuses deactivated ones. Raises `No such user`."""
    user = users.by_id(db, user_id)
    if user is None or (active and not user.is_active) or not can_access_user(db, caller, user):
        raise ApiError("No such user")
    return user


def access_user_by_email(db: Db, caller: UserRow, email: str) -> UserRow:
    """Return a visible user by the address shown to the caller: the real one only if they may see it."""
    user = users.by_email(db, email)
    if user is not None and not sees_address(caller, user):
        user = None
    if user is None:
        user_id = id_in_hidden_email(email, realm.domain(db))
        user = None if user_id is None else users.by_id(db, user_id)
    if user is None or not can_access_user(db, caller, user):
        raise ApiError("No such user")
    return user


def access_person_to_change(db: Db, caller: UserRow, user_id: UserId) -> UserRow:
    """Return a user whom the caller may change; owners only if the caller is one."""
    user = access_user(db, caller, user_id)
    if not caller.is_admin:
        raise ApiError("Insufficient permission")
    if user.is_bot:
        raise ApiError("No such user")
    if user.is_owner and not caller.is_owner:
        raise Insufficient("Must be an organization owner")
    return user


def check_person(user: UserRow) -> None:
    """Raise for bots."""
    if user.is_bot:
        raise ApiError("This endpoint does not accept bot requests.")


# Visibility of users


def is_restricted(db: Db, viewer: UserRow) -> bool:
    """Whether the viewer sees only some of the other users."""
    return viewer.is_guest and _are_guests_restricted(db)


def _are_guests_restricted(db: Db) -> bool:
    # Only system groups are allowed, and guests are in no other one.
    return bool(realm.permission(db, "can_access_all_users_group") != SystemGroup.EVERYONE)


def _sees_nobody(db: Db, viewer: UserRow) -> bool:
    """Whether the viewer is anonymous and no channel is web-public: then no names are shown either."""
    return is_anonymous(viewer) and not channels.where(
        db, "channel.is_web_public AND NOT channel.is_archived"
    )


def restricted_ids(db: Db) -> frozenset[UserId]:
    """Return IDs of the active users who see only some of the others."""
    return users.guest_ids(db) if _are_guests_restricted(db) else frozenset()


def can_access_user(db: Db, viewer: UserRow, user: UserRow) -> bool:
    """Whether `viewer` may know that `user` exists."""
    if _sees_nobody(db, viewer):
        return user.is_system_bot
    if user.is_bot or viewer.id == user.id or not is_restricted(db, viewer):
        return True
    return _are_acquainted(db, viewer.id, user.id)


def accessible_user_ids(db: Db, viewer: UserRow) -> frozenset[UserId] | None:
    """Return IDs of all users for whom `can_access_user` holds; None if that is every user."""
    if _sees_nobody(db, viewer):
        return frozenset((NOTIFICATION_BOT,))
    if not is_restricted(db, viewer):
        return None
    return _acquaintances(db, viewer.id) | users.bot_ids(db) | {viewer.id}


def accessible_users(db: Db, viewer: UserRow) -> Sequence[UserRow]:
    """Return all users for whom `can_access_user` holds, by ID."""
    accessible_ids = accessible_user_ids(db, viewer)
    return users.everyone(db) if accessible_ids is None else users.by_ids(db, accessible_ids)


def ids_who_can_access(db: Db, user: UserRow) -> frozenset[UserId]:
    """Return IDs of active users for whom `can_access_user(…, user)` holds: the audience of their events."""
    restricted = restricted_ids(db)
    if not restricted or user.is_bot:
        return users.active_ids(db)
    latest = db.memo(ids_who_can_access, *_SIGHT)
    aware = latest.get(user.id)
    if aware is None:  # the last one is kept: a user may change a hundred answers at once
        unaware = restricted - {user.id} - restricted_who_see(db, [user.id])[user.id]
        aware = users.active_ids(db) - unaware
        latest.clear()
        latest[user.id] = aware
    return aware


_SIGHT: Final = ("conversation_member", "setting", "subscription", "user")
"""Tables by which users are visible to others."""


def ids_who_can_access_each(
    db: Db, ids: Collection[UserId]
) -> dict[UserId, Sequence[frozenset[UserId]]]:
    """Return `ids_who_can_access` for each of many users, not bots, in parts: all who are not restricted, then others."""
    restricted = restricted_ids(db)
    free = users.active_ids(db) - restricted
    if not restricted:
        return {one: [free] for one in ids}
    viewers = restricted_who_see(db, ids)
    return {one: [free, viewers[one] | restricted.intersection((one,))] for one in ids}


def restricted_who_see(
    db: Db, ids: Collection[UserId], among: frozenset[UserId] | None = None
) -> dict[UserId, frozenset[UserId]]:
    """Return the other restricted users, of all or of these, who see each user; every requested ID is a key.

    Not for bots. Few queries for all of them: an organization may have hundreds of guests, and each of them thousands
    of acquaintances.
    """
    viewer_ids = restricted_ids(db) if among is None else among
    channels_by_viewer = guest_channels.of_guests(db, viewer_ids)
    viewers: dict[UserId, set[UserId]] = {
        user_id: {
            viewer_id
            for viewer_id, theirs in channels_by_viewer.items()
            if not inside.isdisjoint(theirs)
        }
        for user_id, inside in guest_channels.of_users(db, ids).items()
    }
    for user_id, others in db.rows(
        "SELECT mine.user_id, json_group_array(DISTINCT theirs.user_id) FROM conversation_member AS mine"
        " CROSS JOIN conversation_member AS theirs ON theirs.conversation_id = mine.conversation_id"
        " WHERE mine.user_id IN (SELECT value FROM json_each(?)) GROUP BY mine.user_id",
        orjson.dumps(sorted(ids)).decode(),
    ):
        viewers[user_id].update(viewer_ids.intersection(orjson.loads(others)))
    return {user_id: frozenset(theirs - {user_id}) for user_id, theirs in viewers.items()}


def ids_who_cannot_access(db: Db, user: UserRow, viewers: Iterable[UserId]) -> frozenset[UserId]:
    """Return which of the viewers `can_access_user(…, user)` does not hold for."""
    if user.is_bot or not restricted_ids(db):
        return frozenset()
    return frozenset(viewers) - ids_who_can_access(db, user)


def inaccessible_user_ids(db: Db, viewer: UserRow, ids: Iterable[UserId]) -> frozenset[UserId]:
    """Return which of these IDs are invisible to the viewer."""
    accessible_ids = accessible_user_ids(db, viewer)
    return frozenset() if accessible_ids is None else frozenset(ids) - accessible_ids


def _acquaintances(db: Db, user_id: UserId) -> frozenset[UserId]:
    """Return IDs of users who share a channel or a direct conversation with the user. Takes milliseconds."""
    in_channels, in_conversations = (
        orjson.loads(db.value(sql, user_id)) for sql in (_IN_CHANNELS, _IN_CONVERSATIONS)
    )
    return frozenset((*in_channels, *in_conversations))


def _are_acquainted(db: Db, viewer_id: UserId, user_id: UserId) -> bool:
    """Whether the user is one of the viewer's acquaintances."""
    return any(
        db.value(sql, user_id, viewer_id) for sql in (_SHARE_A_CHANNEL, _SHARE_A_CONVERSATION)
    )


_IN_CHANNELS: Final = (
    "SELECT json_group_array(DISTINCT theirs.user_id) FROM subscription AS mine"
    " CROSS JOIN subscription AS theirs ON theirs.channel_id = mine.channel_id AND theirs.active"
    " WHERE mine.user_id = ? AND mine.active"
)
_IN_CONVERSATIONS: Final = (
    "SELECT json_group_array(DISTINCT theirs.user_id) FROM conversation_member AS mine"
    " CROSS JOIN conversation_member AS theirs ON theirs.conversation_id = mine.conversation_id"
    " WHERE mine.user_id = ?"
)
_SHARE_A_CHANNEL: Final = (
    "SELECT EXISTS (SELECT 1 FROM subscription AS mine CROSS JOIN subscription AS theirs"
    " ON theirs.user_id = ? AND theirs.channel_id = mine.channel_id AND theirs.active"
    " WHERE mine.user_id = ? AND mine.active)"
)
_SHARE_A_CONVERSATION: Final = (
    "SELECT EXISTS (SELECT 1 FROM conversation_member AS mine CROSS JOIN conversation_member AS theirs"
    " ON theirs.user_id = ? AND theirs.conversation_id = mine.conversation_id WHERE mine.user_id = ?)"
)


# Visibility of email addresses


def sees_address(viewer: UserRow, user: UserRow) -> bool:
    """Whether `viewer` may see the real address of `user`; anonymous visitors see none."""
    if is_anonymous(viewer):
        return False
    if viewer.id == user.id or user.is_bot:
        return True
    return shows_address(Visibility(setting(user, "email_address_visibility")), viewer)


_SEEN_UP_TO: Final[Mapping[Visibility, Role]] = {
    Visibility.MEMBERS: Role.MEMBER,
    Visibility.MODERATORS: Role.MODERATOR,
    Visibility.ADMINISTRATORS: Role.ADMINISTRATOR,
}
"""The lowest role that sees an address, where not all or none but its user do."""


def shows_address(visibility: Visibility, viewer: UserRow) -> bool:
    """Whether users with this visibility show their address to another user."""
    role = _SEEN_UP_TO.get(visibility)
    return visibility == Visibility.EVERYONE or (role is not None and viewer.role <= role)


def split_by_address(
    db: Db, user: UserRow, viewer_ids: frozenset[UserId]
) -> tuple[frozenset[UserId], frozenset[UserId]]:
    """Return which of these active viewers may see the address of `user`, and which may not."""
    visibility = Visibility(setting(user, "email_address_visibility"))
    if user.is_bot or visibility == Visibility.EVERYONE:
        return viewer_ids, frozenset()
    role = _SEEN_UP_TO.get(visibility)
    allowed = frozenset() if role is None else users.active_ids_up_to(db, role)
    return viewer_ids & (allowed | {user.id}), viewer_ids - allowed - {user.id}


def is_anonymous(viewer: UserRow) -> bool:
    """Whether the viewer has not signed in."""
    return viewer.id == 0


def anonymous_user() -> UserRow:
    """Return the user that stands for anonymous visitors: a guest without an account."""
    return UserRow(
        id=UserId(0),
        email="",
        full_name="",
        role=Role.GUEST,
        is_active=False,
        bot_type=None,
        bot_owner_id=None,
        date_joined=0.0,
        first_sign_in=None,
        timezone="",
        avatar=None,
        avatar_version=1,
        is_imported_stub=False,
        settings={},
    )
