"""What the owner of the machine can do to an organisation: one table, used by commands and by the server.

A command names an entry and gives JSON values. While a server holds the database the entry is carried
out by it, so that everybody connected is told; else by the command itself. Either way the same function
runs in one transaction. Asks no permission: who reaches it can read the database file anyway.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from server_lite.access.accounts import check_address, check_name
from server_lite.access.channel_settings import checked_description, checked_name
from server_lite.access.invites import check_minutes
from server_lite.actions import credentials
from server_lite.actions import invites as invitations
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.organisation import welcome
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user, set_password
from server_lite.errors import ApiError, ChannelExists
from server_lite.params import complaint
from server_lite.store import channels, keys, users
from server_lite.store.database import Tx
from server_lite.store.invites import Terms
from server_lite.store.users import Role, UserRow

Result = dict[str, Any]
Command = Callable[..., Result]

ROLES: Final[Mapping[str, Role]] = {role.name.lower(): role for role in Role}


def user_add(tx: Tx, *, email: str, full_name: str, role: str, password_hash: str | None) -> Result:
    """A new account; without a password it can be used with a key only."""
    if role not in ROLES:
        raise ApiError(f"There is no role '{role}'; the roles are {', '.join(ROLES)}.")
    user = create_user(
        tx,
        email=check_address(tx, email),
        full_name=check_name(full_name),
        role=ROLES[role],
        password=password_hash,
    )
    welcome(tx, user)
    return {"user_id": user.id, "email": user.email}


def user_list(tx: Tx) -> Result:
    """All accounts, closed ones included."""
    return {
        "users": [
            {
                "user_id": user.id,
                "email": user.email,
                "full_name": user.full_name,
                "role": Role(user.role).name.lower(),
                "is_active": user.is_active,
                "is_bot": user.is_bot,
            }
            for user in users.everyone(tx)
            if not user.is_system_bot
        ]
    }


def user_set_password(tx: Tx, *, email: str, password_hash: str) -> Result:
    """A new password; sessions of programs that hold a key go on."""
    user = _somebody(tx, email)
    set_password(tx, user, password_hash)
    return {"user_id": user.id}


def channel_add(tx: Tx, *, name: str, description: str, private: bool, default: bool) -> Result:
    """A new channel. It is made by the first owner, who is its first subscriber."""
    owner = _first_owner(tx)
    name = checked_name(name)
    if channels.by_name(tx, name) is not None:
        raise ChannelExists(name)
    options = NewChannel(invite_only=private, is_default=default)
    text = checked_description(description)
    channel = create_channel(tx, owner, name=name, description=text, options=options)
    subscribe(tx, [channel], [owner])
    return {"channel_id": channel.id}


def invite(tx: Tx, *, email: str | None, role: str, days: int, many: bool) -> Result:
    """The token of a new invitation, made by the first owner; with the channels for everybody.

    It is made with a secret of its own that is thrown away: it is shown this once.
    """
    if role not in ROLES:
        raise ApiError(f"There is no role '{role}'; the roles are {', '.join(ROLES)}.")
    if many and email is not None:
        raise ApiError("An invitation is for one address or for many people, not both.")
    seconds = check_minutes(days * 24 * 60)
    terms = Terms(
        role=ROLES[role],
        expires=None if seconds is None else tx.now + seconds,
        channel_ids=(),
        group_ids=(),
        include_defaults=True,
    )
    address = None if email is None else check_address(tx, email)
    secret = secrets.token_bytes(32)
    row = invitations.invite(tx, _first_owner(tx), terms, secret, email=address, is_multiuse=many)
    return {"token": invitations.token_of(row, secret)}


def owner_key(tx: Tx, *, label: str) -> Result:
    """A key for the first owner, without a password: whoever reads the file may have one."""
    return {**credentials.sign_in(tx, _first_owner(tx), label)}


def key_check(tx: Tx, *, email: str, key: str) -> Result:
    """Whether a key signs this account in."""
    user = keys.owner(tx, key)
    right = user is not None and user.is_active and user.email.lower() == email.lower()
    return {"valid": right}


COMMANDS: Final[dict[str, Command]] = {
    function.__name__: function
    for function in (
        user_add,
        user_list,
        user_set_password,
        channel_add,
        invite,
        owner_key,
        key_check,
    )
}


def perform(tx: Tx, name: str, arguments: dict[str, Any]) -> Result:
    """Carry out one command; raises ApiError with a sentence for the person who asked."""
    function = COMMANDS.get(name)
    if function is None:
        raise ApiError(f"This version knows no command '{name}'.")
    return _checked(function)(tx, arguments)


def _checked(function: Command) -> Callable[[Tx, dict[str, Any]], Result]:
    """The arguments come from a file or socket: their types are checked before they are used."""
    hints = {n: h for n, h in function.__annotations__.items() if n not in ("tx", "return")}

    def call(tx: Tx, arguments: dict[str, Any]) -> Result:
        if arguments.keys() != hints.keys():
            raise ApiError(f"{function.__name__} takes: {', '.join(hints) or 'nothing'}.")
        checked = {name: _value(name, hints[name], value) for name, value in arguments.items()}
        return function(tx, **checked)

    return call


def _value(name: str, hint: Any, value: Any) -> Any:
    try:
        return TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError as error:
        raise ApiError(complaint(name, error)) from error


def _first_owner(tx: Tx) -> UserRow:
    owner = users.first_owner(tx)
    if owner is None:
        raise ApiError("This organisation has no owner.")
    return owner


def _somebody(tx: Tx, email: str) -> UserRow:
    user = users.by_email(tx, email)
    if user is None or user.is_bot:
        raise ApiError(f"Nobody here has the address {email}.")
    return user
