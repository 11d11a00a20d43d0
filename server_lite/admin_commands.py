"""Administration commands of the server's operator: one table, used by the command line and by the server.

A command names an entry and passes JSON values. While a server owns the database, it runs the entry,
so that events reach all clients; else the command itself does. Either way the same function
runs in one transaction. Checks no permissions: its users can read the database file anyway.
"""

import base64
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from server_lite.access.accounts import check_address, check_name
from server_lite.access.bots import address_for, check_free_name, check_owner_of_bots, check_url
from server_lite.access.channel_email import ChannelEmail, access_channel_of, read_address
from server_lite.access.channel_settings import checked_description, checked_name
from server_lite.access.invites import check_minutes
from server_lite.actions import bots, channel_mail, credentials, uploads
from server_lite.actions import invites as invitations
from server_lite.actions import users as accounts
from server_lite.actions.bots import NewBot
from server_lite.actions.channel_mail import Email
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.newcomers import welcome
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user, set_password
from server_lite.api.decoding import complaint
from server_lite.config import Limits
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError, ChannelExists, LastOwner
from server_lite.objects.uploads import url_of
from server_lite.store import channels, invites, keys, subscriptions, users
from server_lite.store.bots import BotType
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.invites import Terms
from server_lite.store.users import Role, UserRow
from server_lite.validation import ValidationError, validator

Result = dict[str, object]
Command = Callable[..., Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminEnvironment:
    """Access to what surrounds the database where a command runs."""

    secret: Callable[[], bytes]
    """Returns the content of the key file; the first call creates it."""


ROLES: Final[Mapping[str, Role]] = {role.name.lower(): role for role in Role}
BOT_KINDS: Final[Mapping[str, BotType]] = {
    "generic": BotType.GENERIC,
    "incoming": BotType.INCOMING_WEBHOOK,
    "outgoing": BotType.OUTGOING_WEBHOOK,
}


def user_add(tx: Tx, *, email: str, full_name: str, role: str, password_hash: str | None) -> Result:
    """Create a user; without a password the account can be used only with an API key."""
    user = create_user(
        tx,
        email=check_address(tx, email),
        full_name=check_name(full_name),
        role=_role(role),
        password=password_hash,
    )
    welcome(tx, user)
    return {"user_id": user.id, "email": user.email}


def user_list(tx: Tx) -> Result:
    """Return all users, deactivated ones included."""
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
    """Set a user's password; API keys stay valid."""
    user = _somebody(tx, email)
    set_password(tx, user, password_hash)
    return {"user_id": user.id}


def user_set_role(tx: Tx, *, email: str, role: str) -> Result:
    """Set a user's role; the organization must keep an owner."""
    user, new_role = _somebody(tx, email), _role(role)
    if new_role != Role.OWNER and _is_only_owner(tx, user):
        raise ApiError("The owner permission cannot be removed from the only organization owner.")
    accounts.set_role(tx, user, new_role)
    return {"user_id": user.id}


def user_deactivate(tx: Tx, *, email: str) -> Result:
    """Deactivate a user and their bots: their keys stop working, their messages stay."""
    user = _somebody(tx, email)
    if _is_only_owner(tx, user):
        raise LastOwner("organization owner", is_last_owner=True)
    if user.is_active:
        accounts.deactivate(tx, user)
    return {"user_id": user.id}


def deactivate_some_bots(tx: Tx, *, email: str) -> bool:
    """Deactivate some of a user's many bots before the user; returns whether to call it again."""
    user = _somebody(tx, email)
    return not _is_only_owner(tx, user) and accounts.deactivate_some_bots(tx, user)


def user_reactivate(tx: Tx, *, email: str) -> Result:
    """Reactivate a user, with the same password."""
    user = _somebody(tx, email)
    if not user.is_active:
        accounts.reactivate(tx, user)
    return {"user_id": user.id}


def channel_list(tx: Tx) -> Result:
    """Return all channels, archived ones included."""
    counts = subscriptions.all_subscriber_counts(tx)
    return {
        "channels": [
            {
                "channel_id": row.id,
                "name": row.name,
                "description": row.description,
                "is_private": row.invite_only,
                "is_web_public": row.is_web_public,
                "is_default": row.is_default,
                "is_archived": row.is_archived,
                "subscribers": counts.get(row.id, 0),
            }
            for row in channels.where(tx, "TRUE")
        ]
    }


def channel_add(tx: Tx, *, name: str, description: str, private: bool, default: bool) -> Result:
    """Create a channel as the first owner, who is its first subscriber."""
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
    """Return the token of a new invitation by the first owner, with the default channels.

    It is derived from a secret that is discarded, so it is shown only this once.
    """
    invited_as = _role(role)
    if many and email is not None:
        raise ApiError("An invitation is for one address or for many people, not both.")
    seconds = check_minutes(days * 24 * 60)
    terms = Terms(
        role=invited_as,
        expires=None if seconds is None else tx.now + seconds,
        channel_ids=(),
        group_ids=(),
        include_defaults=True,
    )
    address = None if email is None else check_address(tx, email)
    secret = secrets.token_bytes(32)
    row = invitations.invite(tx, _first_owner(tx), terms, secret, email=address, is_multiuse=many)
    return {"token": invitations.token_of(row, secret)}


def invite_list(tx: Tx) -> Result:
    """Return open invitations. Their links cannot be shown again."""
    by_role = {role: name for name, role in ROLES.items()}
    return {
        "invites": [
            {
                "invite_id": row.id,
                "email": row.email,
                "many": row.is_multiuse,
                "role": by_role[Role(row.terms.role)],
                "expires": row.terms.expires,
            }
            for row in invites.open_ones(tx, tx.now)
        ]
    }


def invite_revoke(tx: Tx, *, invite_id: int) -> Result:
    """Revoke an invitation."""
    rows = [row for row in invites.open_ones(tx, tx.now) if row.id == invite_id]
    if not rows:
        raise ApiError(f"There is no open invitation {invite_id}.")
    invitations.revoke(tx, rows[0])
    return {"invite_id": invite_id}


def bot_add(
    tx: Tx,
    environment: AdminEnvironment,
    *,
    short_name: str,
    full_name: str,
    kind: str,
    owner: str | None,
    url: str | None,
) -> Result:
    """Create a bot and return its API key; it is owned by the first owner by default."""
    if kind not in BOT_KINDS:
        raise ApiError(f"Unknown kind '{kind}'; the kinds are {', '.join(BOT_KINDS)}.")
    if (kind == "outgoing") != (url is not None):
        raise ApiError("Outgoing webhook bots need the URL of a program, and only they take one.")
    bot_owner = _first_owner(tx) if owner is None else _somebody(tx, owner)
    check_owner_of_bots(tx, bot_owner.id)
    name = check_name(full_name)
    check_free_name(tx, name)
    new = NewBot(
        email=address_for(tx, short_name),
        full_name=name,
        bot_type=BOT_KINDS[kind],
        payload_url=None if url is None else check_url(url),
    )
    bot, key = bots.create(tx, bot_owner, new, environment.secret())
    return {"user_id": bot.id, "email": bot.email, "api_key": key}


def bot_list(tx: Tx) -> Result:
    """Return all bots without their API keys, deactivated ones included."""
    kinds = {kind: name for name, kind in BOT_KINDS.items()}
    email_by_id = {user.id: user.email for user in users.everyone(tx)}
    return {
        "bots": [
            {
                "user_id": bot.id,
                "email": bot.email,
                "full_name": bot.full_name,
                "kind": kinds.get(BotType(bot.bot_type or BotType.GENERIC), "embedded"),
                "owner": None if bot.bot_owner_id is None else email_by_id.get(bot.bot_owner_id),
                "is_active": bot.is_active,
            }
            for bot in users.everyone(tx)
            if bot.is_bot and not bot.is_system_bot
        ]
    }


def bot_key(tx: Tx, environment: AdminEnvironment, *, email: str, new: bool) -> Result:
    """Return the bot's API key, or a new one that replaces it."""
    bot = users.by_email(tx, email)
    if bot is None or not bot.is_bot or bot.is_system_bot or not bot.is_active:
        raise ApiError(f"No active bot has the email address {email}.")
    if not new:
        return {"email": bot.email, "api_key": bots.key_of(tx, bot, environment.secret())}
    key = bots.regenerate(tx, bot, environment.secret())
    tx.end_queues([bot.id])
    return {"email": bot.email, "api_key": key}


def owner_key(tx: Tx, *, label: str) -> Result:
    """Return an API key of the first owner, without a password: anyone who can read the file may have one."""
    return {**credentials.sign_in(tx, _first_owner(tx), label)}


def key_check(tx: Tx, *, email: str, key: str) -> Result:
    """Return whether an API key is valid for this user."""
    user = keys.owner(tx, key)
    right = user is not None and user.is_active and user.email.lower() == email.lower()
    return {"valid": right}


def mail_check(tx: Tx, environment: AdminEnvironment, *, address: str, key: str) -> Result:
    """Return whether an email to this address would be posted: "new", "known", or "unknown" (no address)."""
    to = read_address(environment.secret(), address)
    if to is None:
        return {"state": "unknown"}
    if channel_mail.is_known(tx, to, key):
        return {"state": "known"}
    access_channel_of(tx, to)
    return {"state": "new"}


def mail_file(
    tx: Tx,
    environment: AdminEnvironment,
    *,
    address: str,
    name: str,
    content_type: str,
    size: int,
) -> Result:
    """Start a file of an email, whose slices follow."""
    _, _, sender = access_channel_of(tx, _channel_email(environment, address))
    limits = Limits()
    # The account that posts all mail has many files.
    limits = replace(limits, uploads_per_person=limits.uploads_together)
    number = uploads.begin(
        tx, sender, name=name, content_type=content_type, most=size, limits=limits
    )
    return {"upload_id": number}


def mail_slice(tx: Tx, *, upload_id: int, number: int, data: str) -> Result:
    """Store the next bytes of the file, in Base64."""
    try:
        part = base64.b64decode(data, validate=True)
    except ValueError as error:
        raise ApiError("data is not Base64") from error
    uploads.add_slice(tx, upload_id, number, part)
    return {}


def mail_file_end(tx: Tx, *, upload_id: int, size: int) -> Result:
    """Complete the file."""
    row = uploads.finish(tx, upload_id, size)
    return {"url": url_of(row), "name": row.name}


def mail_post(
    tx: Tx,
    environment: AdminEnvironment,
    *,
    address: str,
    key: str,
    name: str,
    sender: str,
    subject: str,
    text: str,
    files: list[str],
) -> Result:
    """Post the email; `message_id` is null if it was already posted."""
    to = _channel_email(environment, address)
    email = Email(key=key, name=name, address=sender, subject=subject, text=text, files=files)
    return {"message_id": channel_mail.post(tx, to, email)}


def text_of(
    db: Db, environment: AdminEnvironment, name: str, arguments: dict[str, object]
) -> tuple[UserRow, str] | None:
    """Return the sender and the text of the message that a command sends; None if it sends none. Raises ApiError."""
    if name != mail_post.__name__:
        return None
    given = _checked(mail_post, arguments)
    _, _, sender = access_channel_of(db, _channel_email(environment, str(given["address"])))
    key, writer, address, subject, text = (
        str(given[field]) for field in ("key", "name", "sender", "subject", "text")
    )
    files = (
        [str(file) for file in arguments["files"]] if isinstance(arguments["files"], list) else []
    )
    email = Email(key=key, name=writer, address=address, subject=subject, text=text, files=files)
    return sender, channel_mail.content_of(email, sender)


def _channel_email(environment: AdminEnvironment, address: str) -> ChannelEmail:
    to = read_address(environment.secret(), address)
    if to is None:
        raise ApiError("No channel has this email address.")
    return to


COMMANDS: Final[dict[str, Command]] = {
    function.__name__: function
    for function in (
        user_add,
        user_list,
        user_set_password,
        user_set_role,
        user_deactivate,
        user_reactivate,
        channel_list,
        channel_add,
        invite,
        invite_list,
        invite_revoke,
        bot_add,
        bot_list,
        bot_key,
        owner_key,
        key_check,
        mail_check,
        mail_file,
        mail_slice,
        mail_file_end,
        mail_post,
    )
}


PARTS: Final[Mapping[str, Callable[..., bool]]] = {"user_deactivate": deactivate_some_bots}
"""What a running server does in slices before a command that may take long."""


def run_part(tx: Tx, name: str, arguments: dict[str, object]) -> bool:
    """Run a slice of what comes before a command of `PARTS`; returns whether to call it again."""
    part = PARTS[name]
    return part(tx, **_checked(part, arguments))


def run_command(
    tx: Tx, environment: AdminEnvironment, name: str, arguments: dict[str, object]
) -> Result:
    """Run one command; raises ApiError with a sentence for the operator."""
    function = COMMANDS.get(name)
    if function is None:
        raise ApiError(f"Unknown command '{name}'.")
    before = (tx, environment) if "environment" in function.__annotations__ else (tx,)
    return function(*before, **_checked(function, arguments))


def _checked(function: Callable[..., object], arguments: dict[str, object]) -> dict[str, object]:
    """Return the arguments, which come from a file or socket, after checking their types."""
    given = ("tx", "environment", "return")
    hints = {name: hint for name, hint in function.__annotations__.items() if name not in given}
    if arguments.keys() != hints.keys():
        raise ApiError(f"{function.__name__} takes: {', '.join(hints) or 'nothing'}.")
    return {name: _value(name, hints[name], value) for name, value in arguments.items()}


def _value(name: str, hint: object, value: object) -> object:
    try:
        return validator(hint).validate_python(value, strict=True)
    except ValidationError as error:
        raise ApiError(complaint(name, error)) from error


def _role(name: str) -> Role:
    if name not in ROLES:
        raise ApiError(f"There is no role '{name}'; the roles are {', '.join(ROLES)}.")
    return ROLES[name]


def _is_only_owner(tx: Tx, user: UserRow) -> bool:
    return user.is_owner and user.is_active and users.count_owners(tx) == 1


def _first_owner(tx: Tx) -> UserRow:
    owner = users.first_owner(tx)
    if owner is None:
        raise ApiError("This organization has no owner.")
    return owner


def _somebody(tx: Tx, email: str) -> UserRow:
    user = users.by_email(tx, email)
    if user is None or user.is_bot:
        raise ApiError(f"No account has the email address {email}.")
    return user
