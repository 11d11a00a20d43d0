"""Who lets the organisation export what only they can see. Thin. The export itself is a copy of the file."""

from typing_extensions import TypedDict

from server_lite.access.roles import check_admin
from server_lite.store import users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow


class Consent(TypedDict):
    """One person's answer; `email_address_visibility` as in their settings."""

    user_id: int
    consented: bool
    email_address_visibility: int


class Consents(TypedDict):
    """Everybody's."""

    export_consents: list[Consent]


def consents(db: Db, user: UserRow) -> Consents:
    """Everybody's answer, for administrators."""
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
