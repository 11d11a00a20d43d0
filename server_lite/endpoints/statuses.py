"""Users' statuses: text and emoji. Thin."""

from typing import Annotated, Literal

from typing_extensions import TypedDict

from server_lite.access.emoji import TYPES, known_emoji
from server_lite.access.users import access_user, check_person
from server_lite.actions import statuses as actions
from server_lite.actions.settings import set_personal
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength
from server_lite.api.params import RequestInfo
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.objects.personal import StatusObject, status_object
from server_lite.store import statuses
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

Text = Annotated[str | None, MaxLength(60)]
ReactionType = Literal["unicode_emoji", "realm_emoji", "service_extra_emoji", "zulip_extra_emoji"]


class Status(TypedDict):
    """The user's status."""

    status: StatusObject


def update(
    tx: Tx,
    user: UserRow,
    *,
    status_text: Text = None,
    away: bool | None = None,
    emoji_name: Annotated[str | None, MaxLength(60)] = None,
    emoji_code: Annotated[str | None, MaxLength(100)] = None,
    reaction_type: ReactionType | None = None,
) -> Done:
    """Update the user's own status; older clients hide their presence with `away`."""
    check_person(user)
    changed = _changes(tx, status_text, emoji_name, emoji_code, reaction_type)
    if not changed and away is None:
        raise ApiError("Client did not pass any new values.")
    if away is not None:
        set_personal(tx, user, {"presence_enabled": not away}, tell_away=False)
    actions.set_status(tx, user, changed, away=away)
    return {}


def update_of(
    tx: Tx,
    user: UserRow,
    user_id: UserId,
    *,
    status_text: Text = None,
    emoji_name: Annotated[str | None, MaxLength(60)] = None,
    emoji_code: Annotated[str | None, MaxLength(100)] = None,
    reaction_type: ReactionType | None = None,
) -> Done:
    """Update a user's status; administrators only."""
    person = access_user(tx, user, user_id, active=True)
    if not user.is_admin:
        raise ApiError("Insufficient permission")
    changed = _changes(tx, status_text, emoji_name, emoji_code, reaction_type)
    if not changed:
        raise ApiError("Client did not pass any new values.")
    actions.set_status(tx, person, changed)
    return {}


def of_user(db: Db, user: UserRow, user_id: UserId, *, request: RequestInfo) -> Status:
    """Get a user's status."""
    person = access_user(db, user, user_id)
    row = statuses.of(db, person.id)
    return {"status": status_object(row, person, zulip_program=request.zulip_program)}


def _changes(
    db: Db, text: str | None, name: str | None, code: str | None, kind: str | None
) -> dict[str, str]:
    """Return the fields to change; an empty emoji name removes the emoji."""
    changed: dict[str, str] = {}
    if text is not None:
        changed["status_text"] = text.strip()
    if name is None:
        if code is not None or kind is not None:
            raise ApiError(
                "Client must pass emoji_name if they pass either emoji_code or reaction_type."
            )
    elif not name:
        changed |= {"emoji_name": "", "emoji_code": "", "reaction_type": ""}
    else:
        found_type, found_code, found_name = known_emoji(
            db, name, code, None if kind is None else TYPES[kind]
        )
        changed |= {
            "emoji_name": found_name,
            "emoji_code": found_code,
            "reaction_type": found_type,
        }
    return changed
