"""Users: list, get, create, update, deactivate, reactivate. Thin."""

from typing_extensions import TypedDict

from server_lite.access.accounts import check_address, check_name, check_password, check_unique_name
from server_lite.access.anonymous import reader
from server_lite.access.bots import access_bot, check_free_name
from server_lite.access.roles import check_admin
from server_lite.access.users import (
    access_person_to_change,
    access_user,
    access_user_by_email,
    accessible_users,
    check_person,
    is_anonymous,
    sees_address,
)
from server_lite.actions import users as actions
from server_lite.actions.bots import set_owner
from server_lite.actions.credentials import hash_off_loop
from server_lite.actions.newcomers import welcome
from server_lite.api.answers import Done
from server_lite.context import Context
from server_lite.endpoints.profile_fields import FieldAnswer, fill_for
from server_lite.errors import ApiError, Insufficient, LastOwner
from server_lite.ids import UserId
from server_lite.narrow.query import query
from server_lite.objects.profile_fields import all_profile_data, profile_data
from server_lite.objects.users import UserObject, shown_to_anonymous, user_object
from server_lite.store import realm, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import Role, UserRow


class Members(TypedDict):
    """All users visible to the requesting user."""

    members: list[UserObject]


class Person(TypedDict):
    """One user."""

    user: UserObject


class Myself(UserObject):
    """The user's own account; `max_message_id` is -1 without messages."""

    max_message_id: int


class Created(TypedDict):
    """ID of the created user."""

    user_id: UserId


ROLES = frozenset(int(role) for role in Role)


def listing(
    db: Db,
    user: UserRow | None,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
    user_ids: list[UserId] | None = None,
) -> Members:
    """Get all visible users, deactivated ones and bots included."""
    viewer = reader(db, user)
    wanted_ids = None if user_ids is None else frozenset(user_ids)
    domain = realm.domain(db)
    data_by_user = all_profile_data(db) if include_custom_profile_fields else {}
    members = [
        user_object(
            person,
            domain=domain,
            sees_address=sees_address(viewer, person),
            profile_data=data_by_user.get(person.id, {}) if include_custom_profile_fields else None,
        )
        for person in accessible_users(db, viewer)
        if not person.is_system_bot and (wanted_ids is None or person.id in wanted_ids)
    ]
    if user is None:
        members = [shown_to_anonymous(person, domain) for person in members]
    return {"members": members}


def one(
    db: Db,
    user: UserRow | None,
    user_id: UserId,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
) -> Person:
    """Get a user by ID."""
    viewer = reader(db, user)
    return _shown(db, viewer, access_user(db, viewer, user_id), include_custom_profile_fields)


def by_email(
    db: Db,
    user: UserRow,
    email: str,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
) -> Person:
    """Get a user by an email address that is visible to the requesting user."""
    person = access_user_by_email(db, user, email)
    return _shown(db, user, person, include_custom_profile_fields)


def _shown(db: Db, viewer: UserRow, person: UserRow, with_profile: bool) -> Person:
    domain = realm.domain(db)
    result = user_object(
        person,
        domain=domain,
        sees_address=sees_address(viewer, person),
        profile_data=profile_data(db, person.id) if with_profile else None,
    )
    return {"user": shown_to_anonymous(result, domain) if is_anonymous(viewer) else result}


def myself(db: Db, user: UserRow) -> Myself:
    """Get the user's own account."""
    person = user_object(
        user,
        domain=realm.domain(db),
        sees_address=True,
        profile_data=profile_data(db, user.id),
    )
    newest = query(db, user, []).ids(db, limit=1, newest=True)
    return {**person, "max_message_id": newest[0] if newest else -1}


async def create(
    context: Context, user: UserRow, *, email: str, password: str, full_name: str
) -> Created:
    """Create a user, subscribed to the default channels."""
    check_admin(user)
    name = check_name(full_name)
    context.read(lambda db: check_address(db, email))
    hashed = await hash_off_loop(
        context.settings.passwords, check_password(password, dev=context.settings.dev)
    )

    def run(tx: Tx) -> UserId:
        address = check_address(tx, email)
        check_unique_name(tx, name)
        created = actions.create_user(
            tx, email=address, full_name=name, role=Role.MEMBER, password=hashed
        )
        welcome(tx, created)
        return created.id

    return {"user_id": await context.write(run)}


def update(
    tx: Tx,
    user: UserRow,
    user_id: UserId,
    *,
    full_name: str | None = None,
    role: int | None = None,
    new_email: str | None = None,
    profile_data: list[FieldAnswer] | None = None,
) -> Done:
    """Update a user; administrators only."""
    person = access_person_to_change(tx, user, user_id)
    fill_for(tx, user, person, profile_data or [])
    return _changed(tx, user, person, full_name, role, new_email)


def update_by_email(
    tx: Tx,
    user: UserRow,
    email: str,
    *,
    full_name: str | None = None,
    role: int | None = None,
    new_email: str | None = None,
    profile_data: list[FieldAnswer] | None = None,
) -> Done:
    """Update a user by email address; administrators only."""
    account = access_user_by_email(tx, user, email)
    person = access_person_to_change(tx, user, account.id)
    fill_for(tx, user, person, profile_data or [])
    return _changed(tx, user, person, full_name, role, new_email)


def _changed(
    tx: Tx,
    user: UserRow,
    person: UserRow,
    full_name: str | None,
    role: int | None,
    new_email: str | None,
) -> Done:
    if role is not None and role != person.role:
        if role not in ROLES:
            raise ApiError("Invalid role")
        if role == Role.OWNER and not user.is_owner:
            raise Insufficient("Must be an organization owner")
        if person.is_owner and users.count_owners(tx) == 1 and person.is_active:
            raise ApiError(
                "The owner permission cannot be removed from the only organization owner."
            )
    if new_email is not None and new_email.strip().lower() != person.email.lower():
        person = actions.set_email(tx, person, check_address(tx, new_email))
    if full_name is not None and full_name.strip() != person.full_name:
        name = check_name(full_name)
        check_unique_name(tx, name, person.id)
        person = actions.rename(tx, person, name)
    if role is not None:
        actions.set_role(tx, person, Role(role))
    return {}


async def deactivate(
    context: Context,
    user: UserRow,
    user_id: UserId,
    *,
    deactivation_notification_comment: str | None = None,
) -> Done:
    """Deactivate a user and close their connections; administrators only."""

    def access(tx: Tx) -> UserRow:
        person = access_person_to_change(tx, user, user_id)
        if not person.is_active:
            raise ApiError("User is deactivated")
        if person.is_owner and users.count_owners(tx) == 1:
            raise ApiError("Cannot deactivate the only organization owner")
        return person

    if context.earlier_answer() is not None:
        return {}
    await context.prepare_in_slices(lambda tx: actions.deactivate_some_bots(tx, access(tx)))
    await _read_audiences(context, user, user_id)

    def run(tx: Tx) -> Done:
        actions.deactivate(tx, access(tx))
        return {}

    return await context.write_once(run)


async def _read_audiences(context: Context, user: UserRow, user_id: UserId) -> None:
    """Have who sees a user's channels cached for a change of the account, if `user` may change it."""

    def read(db: Db) -> None:
        actions.channels_by_audience(db, access_person_to_change(db, user, user_id))

    await context.database.read_long(read, asker=user.id, deadline=False)


async def deactivate_me(context: Context, user: UserRow) -> Done:
    """Deactivate the user's own account."""
    check_person(user)

    def check(tx: Tx) -> None:
        if users.count_people(tx) == 1:
            raise LastOwner("user", is_last_owner=user.is_owner)
        if user.is_owner and users.count_owners(tx) == 1:
            raise LastOwner("organization owner", is_last_owner=True)

    def some_bots(tx: Tx) -> bool:
        check(tx)
        return actions.deactivate_some_bots(tx, user)

    def run(tx: Tx) -> None:
        check(tx)
        actions.deactivate(tx, user)

    await context.prepare_in_slices(some_bots)
    await context.database.read_long(
        lambda db: actions.channels_by_audience(db, user), asker=user.id, deadline=False
    )
    await context.write(run)
    return {}


async def reactivate(context: Context, user: UserRow, user_id: UserId) -> Done:
    """Reactivate a user or a bot; administrators only."""

    def access_account(db: Db) -> UserRow:
        is_bot = access_user(db, user, user_id).is_bot and user.is_admin
        access = access_bot if is_bot else access_person_to_change
        account = access(db, user, user_id)
        if account.is_active:
            raise ApiError("User is already active")
        return account

    await context.database.read_long(
        lambda db: actions.channels_by_audience(db, access_account(db)),
        asker=user.id,
        deadline=False,
    )
    await context.write(lambda tx: _reopen(tx, user, access_account(tx)))
    return {}


def _reopen(tx: Tx, user: UserRow, account: UserRow) -> None:
    if account.is_bot:
        # The bot's owner may be deactivated, and its name taken by now.
        check_free_name(tx, account.full_name, account.id)
        owner = users.by_id(tx, account.bot_owner_id) if account.bot_owner_id else None
        if owner is None or not owner.is_active:
            account = set_owner(tx, account, user)
    actions.reactivate(tx, account)
