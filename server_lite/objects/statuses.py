"""A person's status as the API's JSON: only what is said. Pure."""

from typing_extensions import TypedDict

from server_lite.events.base import emoji_type
from server_lite.store.personal_settings import setting
from server_lite.store.statuses import StatusRow
from server_lite.store.users import UserRow


class StatusObject(TypedDict, total=False):
    """What somebody says of themselves; nothing that is not said is told."""

    away: bool
    status_text: str
    emoji_name: str
    emoji_code: str
    reaction_type: str


def status_object(
    row: StatusRow | None, user: UserRow, *, zulip_program: bool = False
) -> StatusObject:
    """The UserStatus object. `away` is how older clients know of a hidden presence."""
    status: StatusObject = {}
    if not setting(user, "presence_enabled"):
        status["away"] = True
    if row is not None and row.status_text:
        status["status_text"] = row.status_text
    if row is not None and row.emoji_name:
        status["emoji_name"] = row.emoji_name
        status["emoji_code"] = row.emoji_code
        status["reaction_type"] = emoji_type(row.reaction_type, zulip_program=zulip_program)
    return status
