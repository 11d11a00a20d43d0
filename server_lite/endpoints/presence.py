"""Presence: report the user's own, get that of others. Thin."""

import time
from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access import presence as access
from server_lite.access.users import access_user, access_user_by_email, check_person
from server_lite.actions import presence as actions
from server_lite.api.decoding import MaxLength
from server_lite.context import Context
from server_lite.errors import ApiError, BadParameter
from server_lite.ids import UserId
from server_lite.objects.presence import LegacyPresence, LookedUp, Timestamps, of_one
from server_lite.store import presence, realm, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow

MAX_DAYS = 36500


class Presences(TypedDict, total=False):
    """Presence by user ID, or by email address in the old format; empty if only the ping was requested.

    `presence_last_update_id` is -1 until someone reports presence; `server_timestamp` in UNIX seconds.
    """

    presences: dict[str, Timestamps | LegacyPresence]
    presence_last_update_id: int
    server_timestamp: float


class PresencesByEmail(TypedDict):
    """Presence by email address."""

    presences: dict[str, Timestamps | LegacyPresence]
    server_timestamp: float


class OnePresence(TypedDict):
    """Presence of one user."""

    presence: LookedUp


async def report(
    context: Context,
    user: UserRow,
    *,
    status: Annotated[str, MaxLength(100)],
    new_user_input: bool = False,
    ping_only: bool = False,
    slim_presence: bool = False,
    last_update_id: int | None = None,
    history_limit_days: int | None = None,
) -> Presences:
    """Report the user's presence and get that of others."""
    check_person(user)
    if status not in ("active", "idle"):
        raise BadParameter(f"Invalid status: {status}")
    days = access.DEFAULT_DAYS if history_limit_days is None else history_limit_days
    if not 0 <= days <= MAX_DAYS:
        raise BadParameter("history_limit_days is not between 0 and 36500")

    def change(tx: Tx) -> float:
        current = users.by_id(tx, user.id) or user  # who just switched it off stays hidden
        hidden = realm.setting(tx, "presence_disabled") or not setting(current, "presence_enabled")
        if not hidden:
            actions.report(tx, current, active=status == "active", new_input=new_user_input)
        return tx.now

    now = await context.write(change)
    if ping_only:
        return {}
    after = -1 if last_update_id is None else last_update_id
    by_id = slim_presence or last_update_id is not None

    def read(db: Db) -> Presences:
        presences = access.presences(
            db,
            user,
            by_id=by_id,
            now=now,
            days=MAX_DAYS if after > 0 else days,
            after_update=after,
        )
        newest = max(after, presence.newest_update(db))
        return {
            "presences": presences,
            "presence_last_update_id": newest,
            "server_timestamp": now,
        }

    # Not on the loop, though many are short: fifty reports share a commit, and would all read in the turn after it.
    return await context.database.read_long(read, asker=user.id)


def everybody(db: Db, user: UserRow) -> PresencesByEmail:
    """Get the presence of all users by email address, in the old format."""
    now = time.time()
    presences = access.presences(db, user, by_id=False, now=now, days=access.DEFAULT_DAYS)
    return {"presences": presences, "server_timestamp": now}


def of_user(db: Db, user: UserRow, user_id_or_email: str) -> OnePresence:
    """Get the presence of one user."""
    if user_id_or_email.isdecimal() and len(user_id_or_email) < 19:
        person = access_user(db, user, UserId(int(user_id_or_email)), active=True)
    else:
        person = access_user_by_email(db, user, user_id_or_email)
    if person.is_bot:
        raise ApiError("Presence is not supported for bot users.")
    row = presence.of(db, person.id)
    if row is None or not person.is_active:
        raise ApiError(f"No presence data for {user_id_or_email}")
    return {"presence": of_one(row, time.time())}
