"""Data exports: users' consents; exporting over the API is refused. Thin.

The server's operator exports with `chinwag-server export`.
"""

from typing import Literal

from typing_extensions import TypedDict

from server_lite.access.roles import check_admin
from server_lite.api.answers import Done
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.store import users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow


class Export(TypedDict):
    """An export, in the API's shape."""

    id: int
    acting_user_id: int
    export_time: float
    deleted_timestamp: float | None
    failed_timestamp: float | None
    export_url: str | None
    pending: bool
    export_type: str


class Exports(TypedDict):
    """Exports made over the API: always empty."""

    exports: list[Export]


class Consent(TypedDict):
    """A user's consent; `email_address_visibility` as in the user's settings."""

    user_id: UserId
    consented: bool
    email_address_visibility: int


class Consents(TypedDict):
    """Consents of all users."""

    export_consents: list[Consent]


def listing(db: Db, user: UserRow) -> Exports:
    """Get all exports, of which there are none; administrators only."""
    check_admin(user)
    return {"exports": []}


def create(
    db: Db,
    user: UserRow,
    *,
    export_type: Literal["public", "full_with_consent", "full_without_consent"] = "public",
) -> Done:
    """Refuse to export over the API; the error names the command that exports."""
    check_admin(user)
    raise ApiError(
        "Please request a manual export from the person who runs this server"
        " (chinwag-server export)."
    )


def delete(db: Db, user: UserRow, export_id: int) -> Done:
    """Refuse to delete an export, as none exists."""
    check_admin(user)
    raise ApiError("Invalid data export ID")


def consents(db: Db, user: UserRow) -> Consents:
    """Get the consents of all users; administrators only."""
    check_admin(user)
    people = (one for one in users.everyone(db) if one.is_active and not one.is_bot)
    return {
        "export_consents": [
            {
                "user_id": person.id,
                "consented": setting(person, "allow_private_data_export"),
                "email_address_visibility": setting(person, "email_address_visibility"),
            }
            for person in people
        ]
    }
