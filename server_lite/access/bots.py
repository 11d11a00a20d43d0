"""Permissions to create, see and change bots. Reads only.

A bot has an owner; the owner and administrators manage it.
"""

import re
from collections.abc import Sequence
from typing import Final

from server_lite.access.accounts import check_stored_address
from server_lite.access.channels import access_channel_by_name
from server_lite.access.user_groups import is_in_group_setting
from server_lite.access.users import check_person
from server_lite.errors import ApiError, Insufficient
from server_lite.ids import ChannelId, UserId
from server_lite.store import realm, users
from server_lite.store.bots import BotType
from server_lite.store.connection import Db
from server_lite.store.users import Role, UserRow

MAX_SHORT_NAME: Final = 50
MAX_WORDS: Final = 20
"""Limit of trigger words of one bot."""
MAX_WORD: Final = 50
_TRIGGER_WORD: Final = re.compile(r"[/!][\w-]{1,48}")
_COMMANDS: Final = frozenset({"/me", "/poll", "/todo"})
_SHORT_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def check_may_create(db: Db, user: UserRow, bot_type: int) -> None:
    """Raise unless the user may create bots of this type."""
    check_person(user)
    if bot_type not in list(BotType):
        raise ApiError("Invalid bot type")
    if bot_type == BotType.EMBEDDED:
        raise ApiError("Embedded bots are not enabled.")
    everything = is_in_group_setting(db, user, realm.permission(db, "can_create_bots_group"))
    writing = is_in_group_setting(
        db, user, realm.permission(db, "can_create_write_only_bots_group")
    )
    only_writes = bot_type == BotType.INCOMING_WEBHOOK
    if user.is_guest or not (everything or (only_writes and writing)):
        raise ApiError("Insufficient permission")


def access_bot(db: Db, user: UserRow, bot_id: UserId, *, active: bool = False) -> UserRow:
    """Return a bot that the user manages; `active` refuses deactivated bots."""
    bot = users.by_id(db, bot_id)
    if bot is None or not bot.is_bot or bot.is_system_bot or (active and not bot.is_active):
        raise ApiError("No such bot")
    if not looks_after(user, bot) or bot.role < user.role:
        raise ApiError("Insufficient permission")  # a bot's key grants the bot's role
    return bot


def looks_after(user: UserRow, bot: UserRow) -> bool:
    """Whether the user manages the bot: its owner or an administrator."""
    return user.is_admin or bot.bot_owner_id == user.id


def who_look_after(db: Db, owner_id: UserId | None) -> frozenset[UserId]:
    """Return IDs of the active users for whom `looks_after` holds, for a bot with this owner."""
    owners = users.active_ids(db).intersection((owner_id,))
    return users.active_ids_up_to(db, Role.ADMINISTRATOR) | owners


def bots_of(db: Db, user: UserRow) -> list[UserRow]:
    """Return the bots for which `looks_after` holds, deactivated ones included, by ID."""
    bots = users.all_bots(db) if user.is_admin else users.bots_of(db, user.id)
    return [bot for bot in bots if not bot.is_system_bot and looks_after(user, bot)]


def bot_ids_of(db: Db, user: UserRow) -> frozenset[UserId]:
    """Return the IDs of `bots_of`."""
    ids = users.bot_ids(db) if user.is_admin else users.bot_ids_of(db, user.id)
    return ids - {users.NOTIFICATION_BOT}


def address_for(db: Db, short_name: str, except_id: int = 0) -> str:
    """Return the bot's address, made of its short name; raises ApiError if it is in use."""
    short_name = short_name.strip().removesuffix("-bot")
    if len(short_name) > MAX_SHORT_NAME or not _SHORT_NAME.fullmatch(short_name):
        raise ApiError("Bad name or username")
    email = f"{short_name.lower()}-bot@{realm.domain(db)}"
    taken = users.by_email(db, email)
    if taken is not None and taken.id != except_id:
        raise ApiError("Username already in use")
    return check_stored_address(db, email, except_id)


def check_free_name(db: Db, full_name: str, except_id: int = 0) -> None:
    """Raise if an active user has a name that looks like this, so that a bot cannot impersonate them."""
    if users.is_name_taken(db, full_name, except_id, with_bots=True):
        raise ApiError("Name is already in use.")


def check_url(url: str | None) -> str:
    """Return the URL for an outgoing webhook's messages; must be HTTP or HTTPS."""
    if not url or len(url) > 2000 or not url.startswith(("http://", "https://")):
        raise ApiError("payload_url is not a URL")
    return url


def check_trigger_words(words: Sequence[str]) -> None:
    """Raise ApiError for words that no message can start with, or that are commands."""
    if len(words) > MAX_WORDS:
        raise ApiError(f"A bot has at most {MAX_WORDS} trigger words.")
    if any(not _TRIGGER_WORD.fullmatch(word) for word in words):
        raise ApiError("A trigger word is / or !, then letters, digits, - or _: /deploy")
    if taken := _COMMANDS.intersection(words):
        raise ApiError(f"'{min(taken)}' is a command of messages, and cannot be a trigger word.")


def trigger_word_of(content: str) -> str:
    """Return the trigger word that a message starts with; cheap for messages without any."""
    if not content.startswith(("/", "!")):
        return ""
    match = _TRIGGER_WORD.match(content[:MAX_WORD].casefold())
    return "" if match is None or content[match.end() : match.end() + 1].strip() else match[0]


def channel_id_for(db: Db, user: UserRow, name: str) -> ChannelId | None:
    """Return the ID of the channel with this name; None for an empty name."""
    return access_channel_by_name(db, user, name).id if name else None


def check_owner_of_bots(db: Db, user_id: UserId) -> UserRow:
    """Return the user who can own bots; raises ApiError for bots and deactivated users."""
    owner = users.by_id(db, user_id)
    if owner is None:
        raise ApiError("Failed to change owner, no such user")
    if not owner.is_active:
        raise ApiError("Failed to change owner, user is deactivated")
    if owner.is_bot:
        raise ApiError("Failed to change owner, bots can't own other bots")
    if owner.is_guest:
        raise ApiError("Failed to change owner, guests can't own bots")
    return owner


def check_role(user: UserRow, bot: UserRow, role: int) -> Role:
    """Return the role for the bot; users cannot give a higher role than their own."""
    if role not in list(Role):
        raise ApiError("Invalid role")
    if role == bot.role:
        return Role(role)
    if not user.is_admin:
        raise ApiError("Insufficient permission")
    if role == Role.OWNER:
        if not user.is_owner:
            raise Insufficient("Must be an organization owner")
        raise ApiError("Invalid role")  # bots cannot be owners
    return Role(role)
