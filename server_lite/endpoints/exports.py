"""Who lets the organisation export what only they can see. Thin. The export itself is a copy of the file."""

from server_lite.access.roles import check_admin
from server_lite.params import Answer
from server_lite.store import users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow


def consents(db: Db, user: UserRow) -> Answer:
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
