"""Bots: list, create, update, deactivate; API keys. Thin."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.access.accounts import check_name
from server_lite.access.bots import (
    access_bot,
    address_for,
    channel_id_for,
    check_free_name,
    check_may_create,
    check_owner_of_bots,
    check_role,
    check_trigger_words,
    check_url,
)
from server_lite.access.users import check_person
from server_lite.actions import avatars
from server_lite.actions import bots as actions
from server_lite.actions import users as accounts
from server_lite.actions.bots import NewBot
from server_lite.api.answers import Done
from server_lite.api.decoding import check_text
from server_lite.api.params import Picture
from server_lite.context import Context
from server_lite.endpoints.avatars import stored
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.integrations import table as integrations
from server_lite.integrations.table import SECRET
from server_lite.objects import bots as objects
from server_lite.objects.bots import BotDefaults, Service
from server_lite.objects.users import avatar_url
from server_lite.store import bots, users
from server_lite.store.bots import BotRow, BotType
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


class BotAccount(BotDefaults):
    """A bot of the user."""

    user_id: UserId
    username: str
    full_name: str
    bot_type: int | None
    avatar_url: str
    services: list[Service]
    api_key: NotRequired[str]


class Bots(TypedDict):
    """Active bots. A bot whose key was made with another key file has no `api_key`."""

    bots: list[BotAccount]


class Created(BotDefaults):
    """The created bot."""

    user_id: UserId
    api_key: str
    avatar_url: str


class Changed(BotDefaults):
    """The bot after the change."""

    full_name: str
    avatar_url: str
    service_interface: int
    service_payload_url: str | None
    config_data: dict[str, str] | None
    bot_owner: NotRequired[str]


class Key(TypedDict):
    """The bot's API key."""

    api_key: str


MAX_CONFIG = 10_000
"""Limit of characters in the configuration of one bot."""


async def listing(context: Context, user: UserRow) -> Bots:
    """Get the user's active bots with their API keys."""
    check_person(user)
    secret = context.file_secret()

    def read(db: Db) -> list[BotAccount]:
        return [_listed(db, bot, secret) for bot in users.active_bots_of(db, user.id)]

    return {"bots": await context.database.read_long(read, asker=user.id)}


def _listed(db: Db, bot: UserRow, secret: bytes) -> BotAccount:
    row = bots.by_id(db, bot.id)
    places = objects.defaults(db, row)
    listed: BotAccount = {
        "user_id": bot.id,
        "username": bot.email,
        "full_name": bot.full_name,
        "bot_type": bot.bot_type,
        "avatar_url": avatar_url(bot),
        "default_sending_stream": places["default_sending_stream"],
        "default_events_register_stream": places["default_events_register_stream"],
        "default_all_public_streams": places["default_all_public_streams"],
        "services": objects.services(bot, row, actions.token_of(row, secret)),
    }
    with suppress(ApiError):  # made with another key file, so it cannot be shown
        listed["api_key"] = actions.key_of(db, bot, secret)
    return listed


async def create(
    context: Context,
    user: UserRow,
    *,
    full_name: str,
    short_name: str,
    bot_type: int = BotType.GENERIC,
    payload_url: str | None = None,
    interface_type: int = 1,
    service_name: str | None = None,
    config_data: dict[str, str] | None = None,
    default_sending_stream: str | None = None,
    default_events_register_stream: str | None = None,
    default_all_public_streams: bool = False,
    file: Picture | None = None,
) -> Created:
    """Create a bot; an attached file is its avatar."""
    secret = context.file_secret()
    context.read(lambda db: check_may_create(db, user, bot_type))
    avatar_id = None if file is None else await stored(context, file)

    def run(tx: Tx) -> Created:
        check_may_create(tx, user, bot_type)
        name = check_name(full_name)
        check_free_name(tx, name)
        outgoing = bot_type == BotType.OUTGOING_WEBHOOK
        config, webhook_secret = _config(bot_type, config_data or {}, secret)
        new = NewBot(
            email=address_for(tx, short_name),
            full_name=name,
            bot_type=bot_type,
            payload_url=check_url(_bare(payload_url)) if outgoing else None,
            interface=_interface(interface_type),
            service_name=_service(bot_type, service_name),
            config_data=config,
            webhook_secret=webhook_secret,
            sending_channel_id=channel_id_for(tx, user, default_sending_stream or ""),
            events_channel_id=channel_id_for(tx, user, default_events_register_stream or ""),
            all_public_streams=default_all_public_streams,
        )
        bot, key = actions.create(tx, user, new, secret)
        if avatar_id is not None:
            bot = avatars.give(tx, bot, avatar_id)
        row = bots.by_id(tx, bot.id)
        return {
            "user_id": bot.id,
            "api_key": key,
            "avatar_url": avatar_url(bot),
            **objects.defaults(tx, row),
        }

    return await context.write(run)


async def update(
    context: Context,
    user: UserRow,
    bot_id: UserId,
    *,
    full_name: str | None = None,
    short_name: str | None = None,
    bot_owner_id: UserId | None = None,
    role: int | None = None,
    service_payload_url: str | None = None,
    service_interface: int | None = None,
    config_data: dict[str, str] | None = None,
    default_sending_stream: str | None = None,
    default_events_register_stream: str | None = None,
    default_all_public_streams: bool | None = None,
    file: Picture | None = None,
) -> Changed:
    """Update a bot; either all given values change or none. An attached file is its avatar."""
    secret = context.file_secret()
    context.read(lambda db: access_bot(db, user, bot_id))
    avatar_id = None if file is None else await stored(context, file)

    def run(tx: Tx) -> Changed:
        bot = access_bot(tx, user, bot_id)
        bot = _change_account(tx, user, bot, full_name, short_name, role)
        if bot_owner_id is not None and bot_owner_id != bot.bot_owner_id:
            bot = actions.set_owner(tx, bot, check_owner_of_bots(tx, bot_owner_id))
        if avatar_id is not None:
            bot = avatars.give(tx, bot, avatar_id)
        row = bots.by_id(tx, bot.id)
        if service_payload_url is not None and bot.bot_type == BotType.OUTGOING_WEBHOOK:
            row = replace(row, payload_url=check_url(_bare(service_payload_url)))
        if service_interface is not None:
            row = replace(row, interface=_interface(service_interface))
        if config_data is not None:
            config, sealed = _config(bot.bot_type, {**row.config_data, **config_data}, secret)
            if SECRET in config_data:
                row = replace(row, webhook_secret=sealed)
            row = replace(row, config_data=config)
        if default_sending_stream is not None:
            channel_id = channel_id_for(tx, user, default_sending_stream)
            row = replace(row, sending_channel_id=channel_id)
        if default_events_register_stream is not None:
            channel_id = channel_id_for(tx, user, default_events_register_stream)
            row = replace(row, events_channel_id=channel_id)
        if default_all_public_streams is not None:
            row = replace(row, all_public_streams=default_all_public_streams)
        actions.update(tx, bot, row)
        return _changed(tx, bot, row)

    return await context.write(run)


def _change_account(
    tx: Tx,
    user: UserRow,
    bot: UserRow,
    full_name: str | None,
    short_name: str | None,
    role: int | None,
) -> UserRow:
    if full_name is not None and full_name.strip() != bot.full_name:
        name = check_name(full_name)
        check_free_name(tx, name, bot.id)
        bot = accounts.rename(tx, bot, name)
    if short_name is not None:
        email = address_for(tx, short_name, bot.id)
        if email != bot.email:
            bot = accounts.set_email(tx, bot, email)
    return bot if role is None else accounts.set_role(tx, bot, check_role(user, bot, role))


def _changed(db: Db, bot: UserRow, row: BotRow) -> Changed:
    owner = None if bot.bot_owner_id is None else users.by_id(db, bot.bot_owner_id)
    places = objects.defaults(db, row)
    changed: Changed = {
        "full_name": bot.full_name,
        "avatar_url": avatar_url(bot),
        "service_interface": row.interface,
        "service_payload_url": row.payload_url,
        "config_data": dict(row.config_data) or None,
        "default_sending_stream": places["default_sending_stream"],
        "default_events_register_stream": places["default_events_register_stream"],
        "default_all_public_streams": places["default_all_public_streams"],
    }
    if owner is not None:
        changed["bot_owner"] = owner.email
    return changed


async def deactivate(context: Context, user: UserRow, bot_id: UserId) -> Done:
    """Deactivate a bot; its connections are closed at once."""

    def run(tx: Tx) -> None:
        bot = access_bot(tx, user, bot_id)
        if bot.is_active:
            accounts.deactivate(tx, bot)

    await context.write(run)
    return {}


async def api_key(context: Context, user: UserRow, bot_id: UserId) -> Key:
    """Get the bot's API key."""
    secret = context.file_secret()

    def read(db: Db) -> str:
        return actions.key_of(db, access_bot(db, user, bot_id, active=True), secret)

    return {"api_key": context.read(read)}


async def regenerate(context: Context, user: UserRow, bot_id: UserId) -> Key:
    """Regenerate the bot's API key; the old one stops working."""
    secret = context.file_secret()

    def run(tx: Tx) -> str:
        bot = access_bot(tx, user, bot_id, active=True)
        context.queues.send_home(tx, bot.id)
        return actions.regenerate(tx, bot, secret)

    return {"api_key": await context.write(run)}


def _bare(url: str | None) -> str | None:
    """Return the URL without JSON quotes, which some clients send."""
    return url[1:-1] if url and len(url) > 1 and url[0] == url[-1] == '"' else url


def _interface(number: int) -> int:
    if number not in (1, 2):
        raise ApiError("Invalid interface type")
    return number


def _service(bot_type: int, name: str | None) -> str | None:
    """Return the name of the service that posts through the bot, if one was given."""
    if bot_type != BotType.INCOMING_WEBHOOK or not name:
        return None
    return integrations.named(name).name


def _config(
    bot_type: int | None, data: Mapping[str, str], secret: bytes
) -> tuple[dict[str, str], bytes | None]:
    """Return (config data to store, the webhook's secret encrypted); `secret` is from the key file."""
    for key, value in data.items():
        check_text(key, "config_data")
        check_text(value, "config_data")
    if sum(len(key) + len(value) for key, value in data.items()) > MAX_CONFIG:
        raise ApiError(f"config_data is too long (limit: {MAX_CONFIG} characters)")
    if bot_type == BotType.OUTGOING_WEBHOOK:
        check_trigger_words(BotRow(user_id=UserId(0), config_data=data).trigger_words)
    if bot_type != BotType.INCOMING_WEBHOOK:
        return dict(data), None
    integrations.check_config(data)
    kept = {key: value for key, value in data.items() if key != SECRET and value}
    return kept, actions.sealed_webhook_secret(data.get(SECRET, "").strip(), secret)
