"""Which accounts a person may know of. Reads only; the same error for absent and forbidden."""

from server_lite.errors import ApiError
from server_lite.store import users
from server_lite.store.connection import Db
from server_lite.store.users import Role, UserRow


def access_user(db: Db, caller: UserRow, user_id: int) -> UserRow:
    """An account the caller may know of, active or not."""
    user = users.by_id(db, user_id)
    if user is None:
        raise ApiError("No such user")
    return user


def nobody() -> UserRow:
    """Who is asking when no one signed in: a guest without an account."""
    return UserRow(
        id=0,
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
