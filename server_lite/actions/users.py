"""Making, changing, closing and reopening accounts. Asks no permission: callers did."""

from server_lite.access.users import split_by_address
from server_lite.events.users import UserAdded
from server_lite.objects.users import user_object
from server_lite.store import realm, users
from server_lite.store.database import Tx
from server_lite.store.users import Role, UserRow


def create_user(
    tx: Tx,
    *,
    email: str,
    full_name: str,
    role: Role,
    password: str | None,
    bot_type: int | None = None,
    bot_owner_id: int | None = None,
) -> UserRow:
    """A new account, told to everybody. `password` is an argon2id hash.

    Address and name were checked before; an address in use breaks the table's index.
    """
    user_id = users.insert(
        tx,
        email=email,
        full_name=full_name,
        role=role,
        now=tx.now,
        password=password,
        bot_type=bot_type,
        bot_owner_id=bot_owner_id,
    )
    user = users.by_id(tx, user_id)
    assert user is not None
    _tell_new(tx, user)
    return user


def set_password(tx: Tx, user: UserRow, hashed: str) -> None:
    """A new password, as an argon2id hash. Keys given out earlier go on."""
    users.set_password(tx, user.id, hashed)


def _tell_new(tx: Tx, user: UserRow) -> None:
    domain = realm.domain(tx)
    viewers = [viewer for viewer in users.everyone(tx) if viewer.is_active]
    for ids, sees in zip(split_by_address(user, viewers), (True, False), strict=True):
        person = user_object(user, domain=domain, sees_address=sees, profile_data={})
        tx.emit(UserAdded(person=person), to=ids)
