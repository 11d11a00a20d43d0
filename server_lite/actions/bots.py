"""Creates and changes bots, their API keys and their storage. Checks no permissions: callers did."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final

from server_lite.access.bots import who_look_after
from server_lite.access.users import ids_who_can_access
from server_lite.actions.users import create_user
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.events.organization import BotAdded, BotDeleted, BotUpdated
from server_lite.events.users import UserUpdated
from server_lite.ids import ChannelId
from server_lite.objects.bots import bot_object
from server_lite.store import bots, keys, sealing, secret_key, users
from server_lite.store.bots import BotRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import Role, UserRow

MAX_STORAGE: Final = 10_000_000
"""Limit of the total characters of keys and values in a bot's storage."""

LABEL: Final = "bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBot:
    """The values of a bot to be created; names and address were validated."""

    email: str
    full_name: str
    bot_type: int
    payload_url: str | None = None
    interface: int = 1
    service_name: str | None = None
    config_data: Mapping[str, str] = field(default_factory=dict)
    webhook_secret: bytes | None = field(default=None, repr=False)
    """Encrypted with the key file."""
    sending_channel_id: ChannelId | None = None
    events_channel_id: ChannelId | None = None
    all_public_streams: bool = False


def create(tx: Tx, owner: UserRow, new: NewBot, secret: bytes) -> tuple[UserRow, str]:
    """Create a bot of this owner; returns the bot and its API key. `secret`: the content of the key file."""
    bot = create_user(
        tx,
        email=new.email,
        full_name=new.full_name,
        role=Role.MEMBER,
        password=None,
        bot_type=new.bot_type,
        bot_owner_id=owner.id,
    )
    row = BotRow(
        user_id=bot.id,
        sending_channel_id=new.sending_channel_id,
        events_channel_id=new.events_channel_id,
        all_public_streams=new.all_public_streams,
        payload_url=new.payload_url,
        interface=new.interface,
        service_name=new.service_name,
        config_data=new.config_data,
        webhook_secret=new.webhook_secret,
    )
    key = _new_key(tx, row, secret)
    tx.emit(BotAdded(bot=bot_object(tx, bot)), to=who_look_after(tx, owner.id))
    return bot, key


def regenerate(tx: Tx, bot: UserRow, secret: bytes) -> str:
    """Revoke the bot's API key and return a new one."""
    keys.delete_all(tx, bot.id)
    return _new_key(tx, bots.by_id(tx, bot.id), secret)


def _new_key(tx: Tx, row: BotRow, secret: bytes) -> str:
    salt = secret_key.new_salt()
    bots.store(tx, replace(row, key_salt=salt))
    key = secret_key.derived(secret, salt, "api key")
    keys.insert(tx, row.user_id, key, LABEL, tx.now)
    return key


def key_of(db: Db, bot: UserRow, secret: bytes) -> str:
    """Return the bot's API key; raises ApiError if it was made with another key file, or elsewhere."""
    salt = bots.by_id(db, bot.id).key_salt
    if salt is not None:
        key = secret_key.derived(secret, salt, "api key")
        owner = keys.owner(db, key)
        if owner is not None and owner.id == bot.id:
            return key
    raise ApiError("This bot's key can no longer be shown. Create a new one.")


def token_of(row: BotRow, secret: bytes) -> str:
    """Return the token by which the program behind an outgoing webhook recognizes calls from this server."""
    return "" if row.key_salt is None else secret_key.derived(secret, row.key_salt, "token")


_SEALED_FOR: Final = "webhook secret"


def sealed_webhook_secret(text: str, secret: bytes) -> bytes | None:
    """Encrypt a webhook's signing secret for storage; None for an empty one, which disables the check."""
    return sealing.seal(secret, text.encode(), _SEALED_FOR) if text else None


def webhook_secret(row: BotRow, secret: bytes) -> str | None:
    """Return the service's signing secret, None without a check; raises ApiError if it is unreadable."""
    if row.webhook_secret is None:
        return None
    plaintext = sealing.opened(secret, row.webhook_secret, _SEALED_FOR)
    if plaintext is None:
        raise ApiError("This bot's webhook secret can no longer be read. Set it again.")
    return plaintext.decode()


def update(tx: Tx, bot: UserRow, row: BotRow) -> None:
    """Store the bot's own settings, those outside its account; the event holds only changed values."""
    before: Mapping[str, object] = bot_object(tx, bot)
    bots.store(tx, row)
    now = bot_object(tx, bot)
    changed = {name: value for name, value in now.items() if before[name] != value}
    if changed:
        event = BotUpdated(bot={"user_id": bot.id, **changed})
        tx.emit(event, to=who_look_after(tx, bot.bot_owner_id))


def set_owner(tx: Tx, bot: UserRow, owner: UserRow) -> UserRow:
    """Make another user the bot's owner."""
    before = who_look_after(tx, bot.bot_owner_id)
    after = who_look_after(tx, owner.id)
    users.set_value(tx, bot.id, "bot_owner_id", owner.id)
    moved = replace(bot, bot_owner_id=owner.id)
    person = {"user_id": bot.id, "bot_owner_id": owner.id}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, bot))
    tx.emit(BotDeleted(user_id=bot.id), to=before - after)
    tx.emit(BotAdded(bot=bot_object(tx, moved)), to=after - before)
    return moved


# Storage of a bot


def remember(tx: Tx, bot: UserRow, values: Mapping[str, str]) -> None:
    """Store values; raises ApiError when the bot's storage would exceed its limit."""
    size = bots.storage_size(tx, bot.id, without=values.keys())
    size += sum(len(key) + len(value) for key, value in values.items())
    if size > MAX_STORAGE:
        raise ApiError(
            f"Request exceeds storage limit by {size - MAX_STORAGE} characters."
            f" The limit is {MAX_STORAGE} characters."
        )
    bots.remember(tx, bot.id, values)


def recall(db: Db, bot: UserRow, chosen_keys: list[str] | None) -> dict[str, str]:
    """Return values by key; raises ApiError if one of `chosen_keys` is not in the bot's storage."""
    stored = bots.storage(db, bot.id, chosen_keys)
    if chosen_keys is not None and not stored.keys() >= set(chosen_keys):
        raise ApiError("Key does not exist.")
    return {key: stored[key] for key in dict.fromkeys(chosen_keys or stored)}


def forget(tx: Tx, bot: UserRow, chosen_keys: list[str] | None) -> None:
    """Remove values, all of them if `chosen_keys` is None; raises like `recall`."""
    recall(tx, bot, chosen_keys)
    bots.forget(tx, bot.id, chosen_keys)
