"""Which accounts a person may know of, and whose address they may see. Reads only.

An account that does not exist and one that is hidden raise the same error.
"""

from collections.abc import Iterable

from server_lite.errors import ApiError
from server_lite.store import users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import Visibility, setting
from server_lite.store.users import Role, UserRow


def access_user(db: Db, caller: UserRow, user_id: int) -> UserRow:
    """An account the caller may know of, active or not."""
    user = users.by_id(db, user_id)
    if user is None:
        raise ApiError("No such user")
    return user


def sees_address(viewer: UserRow, user: UserRow) -> bool:
    """Whether `viewer` may see the real address of `user`."""
    if viewer.id == user.id or user.is_bot:
        return True
    visibility = setting(user, "email_address_visibility")
    if visibility == Visibility.EVERYONE:
        return True
    if visibility == Visibility.MEMBERS:
        return viewer.role <= Role.MEMBER
    if visibility == Visibility.MODERATORS:
        return viewer.is_moderator
    return visibility == Visibility.ADMINISTRATORS and viewer.is_admin


def split_by_address(
    user: UserRow, viewers: Iterable[UserRow]
) -> tuple[frozenset[int], frozenset[int]]:
    """Ids of those who may see the address of `user`, and of those who may not."""
    seers, others = set[int](), set[int]()
    for viewer in viewers:
        (seers if sees_address(viewer, user) else others).add(viewer.id)
    return frozenset(seers), frozenset(others)


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
