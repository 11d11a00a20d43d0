"""Bots as shown to users who manage them. Reads only.

Contains no API keys and no tokens: those are requested one by one.
"""

from typing_extensions import TypedDict

from server_lite.ids import ChannelId, UserId
from server_lite.store import bots, channels
from server_lite.store.bots import BotRow, BotType
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


class OutgoingService(TypedDict):
    """The service of an outgoing webhook; the token is empty where it is not shown."""

    base_url: str
    interface: int
    token: str
    trigger_words: list[str]


class EmbeddedService(TypedDict):
    """The service of an embedded bot."""

    service_name: str
    config_data: dict[str, str]


Service = OutgoingService | EmbeddedService


class BotDefaults(TypedDict):
    """Default channel names of a bot, null if not set."""

    default_sending_stream: str | None
    default_events_register_stream: str | None
    default_all_public_streams: bool


class BotObject(BotDefaults):
    """A bot's own fields beside its account, as shown to users who manage it."""

    user_id: UserId
    services: list[Service]


def bot_object(db: Db, bot: UserRow) -> BotObject:
    """Return the Bot object."""
    row = bots.by_id(db, bot.id)
    return {"user_id": bot.id, **defaults(db, row), "services": services(bot, row)}


def defaults(db: Db, row: BotRow) -> BotDefaults:
    """Return the bot's default channels for sending and for events."""
    return {
        "default_sending_stream": _name(db, row.sending_channel_id),
        "default_events_register_stream": _name(db, row.events_channel_id),
        "default_all_public_streams": row.all_public_streams,
    }


def _name(db: Db, channel_id: ChannelId | None) -> str | None:
    channel = None if channel_id is None else channels.by_id(db, channel_id)
    return None if channel is None else channel.name


def services(bot: UserRow, row: BotRow, token: str = "") -> list[Service]:
    """Return the service of an outgoing webhook or an embedded bot."""
    if bot.bot_type == BotType.OUTGOING_WEBHOOK:
        called: OutgoingService = {
            "base_url": row.payload_url or "",
            "interface": row.interface,
            "token": token,
            "trigger_words": row.trigger_words,
        }
        return [called]
    if bot.bot_type == BotType.EMBEDDED:
        return [{"service_name": row.service_name or "", "config_data": dict(row.config_data)}]
    return []
