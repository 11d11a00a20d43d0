"""Rows of bots' settings beside their accounts, and of bot storage. SQL only."""

from collections.abc import Collection, Mapping
from dataclasses import field
from enum import IntEnum
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, UserId
from server_lite.store.connection import Db
from server_lite.store.rows import Rows


class BotType(IntEnum):
    """Types of bots, numbered as in the API."""

    GENERIC = 1
    INCOMING_WEBHOOK = 2
    OUTGOING_WEBHOOK = 3
    EMBEDDED = 4


TRIGGER_WORDS: Final = "trigger_words"
"""Key of the trigger words in a bot's configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRow:
    """A row of `bot`; a bot without a row has these defaults."""

    user_id: UserId
    key_salt: bytes | None = None
    sending_channel_id: ChannelId | None = None
    events_channel_id: ChannelId | None = None
    all_public_streams: bool = False
    payload_url: str | None = None
    interface: int = 1
    service_name: str | None = None
    config_data: Mapping[str, str]
    webhook_secret: bytes | None = field(default=None, repr=False)
    """Of an incoming webhook: its service's signing secret, encrypted."""

    @property
    def trigger_words(self) -> list[str]:
        """The trigger words of an outgoing webhook, in lower case."""
        return _words(self.config_data.get(TRIGGER_WORDS, ""))


_ROWS: Final = Rows(BotRow, "bot")


def by_id(db: Db, user_id: UserId) -> BotRow:
    """Return the bot's settings beside its account."""
    row = _ROWS.one(db, "WHERE user_id = ?", user_id)
    return BotRow(user_id=user_id, config_data={}) if row is None else row


def by_trigger_words(db: Db) -> list[tuple[list[str], list[UserId]]]:
    """Return trigger words of outgoing webhooks, in lower case, with the IDs of the bots that have just these, active or not."""
    rows = db.rows(  # thousands of bots are read faster as an array
        f"SELECT config_data ->> '{TRIGGER_WORDS}', json_group_array(user_id) FROM bot"
        " WHERE config_data != '{}' GROUP BY 1"
    )
    return [(_words(words), orjson.loads(user_ids)) for words, user_ids in rows if words]


def _words(text: str) -> list[str]:
    return text.casefold().replace(",", " ").split()


def store(db: Db, bot: BotRow) -> None:
    """Store all settings of the bot."""
    db.run(
        "INSERT OR REPLACE INTO bot (user_id, key_salt, sending_channel_id, events_channel_id,"
        " all_public_streams, payload_url, interface, service_name, config_data,"
        " webhook_secret) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        bot.user_id,
        bot.key_salt,
        bot.sending_channel_id,
        bot.events_channel_id,
        bot.all_public_streams,
        bot.payload_url,
        bot.interface,
        bot.service_name,
        orjson.dumps(dict(bot.config_data)).decode(),
        bot.webhook_secret,
    )


# Bot storage


def storage(db: Db, user_id: UserId, keys: Collection[str] | None = None) -> dict[str, str]:
    """Return values by key: all of them, or the existing ones of `keys`."""
    condition, values = _those(keys)
    rows = db.rows(
        f"SELECT key, value FROM bot_storage WHERE user_id = ? AND {condition}", user_id, *values
    )
    return dict(rows)


def storage_size(db: Db, user_id: UserId, *, without: Collection[str]) -> int:
    """Return the total characters of keys and values, except those of `without`."""
    condition, values = _those(without)
    size: int = db.value(
        f"SELECT coalesce(sum(size), 0) FROM bot_storage WHERE user_id = ? AND NOT ({condition})",
        user_id,
        *values,
    )
    return size


def remember(db: Db, user_id: UserId, values: Mapping[str, str]) -> None:
    """Store values, replacing those of the same keys."""
    db.many(
        "INSERT OR REPLACE INTO bot_storage (user_id, key, size, value) VALUES (?, ?, ?, ?)",
        [(user_id, key, len(key) + len(value), value) for key, value in values.items()],
    )


def forget(db: Db, user_id: UserId, keys: Collection[str] | None) -> None:
    """Delete values: those of `keys`, or all of them."""
    condition, values = _those(keys)
    db.run(f"DELETE FROM bot_storage WHERE user_id = ? AND {condition}", user_id, *values)


def _those(keys: Collection[str] | None) -> tuple[str, list[str]]:
    """Return a condition for these keys, however many; None matches all."""
    if keys is None:
        return "1", []
    return "key IN (SELECT value FROM json_each(?))", [orjson.dumps(list(keys)).decode()]


def with_sealed_keys(db: Db) -> list[UserId]:
    """Return IDs of the bots whose API keys are derived from the key file."""
    return db.column("SELECT user_id FROM bot WHERE key_salt IS NOT NULL")
