"""Bots: creation, changes, API keys, storage. Raises TuiError; no Textual."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tui.accounts import Account, write_zuliprc
from tui.api.connection import Connection, Credentials
from tui.api.features import BOT_KEYS
from tui.api.model import User, UserId
from tui.api.organization import BotService
from tui.api.routes import avatars, users
from tui.api.routes import bots as routes
from tui.api.routes.bots import NewBot
from tui.commands import files
from tui.commands.downloads import reserve
from tui.errors import ConfigError
from tui.host import LOCAL, Host
from tui.sync.machine import Sync


async def service(sync: Sync, bot: User) -> BotService | None:
    """Return the service of the user's outgoing webhook; None where the server does not send it."""
    owned = await routes.fetch(sync.connection)
    services = (each.services[0] for each in owned if each.email == bot.email and each.services)
    return next(services, None)


async def create(
    sync: Sync,
    *,
    full_name: str,
    short_name: str,
    bot_type: int,
    payload_url: str | None = None,
    interface: int | None = None,
    service_name: str | None = None,
    config_data: Mapping[str, str] | None = None,
) -> NewBot:
    """Create a bot of the user; return its ID and API key."""
    return await routes.create(
        sync.connection,
        full_name=full_name,
        short_name=short_name,
        bot_type=bot_type,
        payload_url=payload_url,
        interface=interface,
        service_name=service_name,
        config_data=config_data,
    )


async def change(
    sync: Sync,
    bot_id: UserId,
    *,
    full_name: str | None,
    owner_id: UserId | None,
    payload_url: str | None,
    interface: int | None,
    config_data: Mapping[str, str] | None,
) -> None:
    """Change a bot's name, owner, URL or options; None keeps a value."""
    await routes.update(
        sync.connection,
        bot_id=bot_id,
        full_name=full_name,
        owner_id=owner_id,
        payload_url=payload_url,
        interface=interface,
        config_data=config_data,
    )


async def configure(sync: Sync, bot_id: UserId, config_data: Mapping[str, str]) -> None:
    """Set options of a bot; an empty value removes an option, others stay."""
    await routes.update(sync.connection, bot_id=bot_id, config_data=config_data)


async def deactivate(sync: Sync, bot_id: UserId) -> None:
    """Deactivate a bot; its connections end at once."""
    await routes.deactivate(sync.connection, bot_id=bot_id)


async def reactivate(sync: Sync, bot_id: UserId) -> None:
    """Reactivate a bot."""
    await users.reactivate(sync.connection, user_id=bot_id)


async def key(sync: Sync, bot_id: UserId) -> str:
    """Return a bot's API key; an older server sends it only in the list of the user's own bots."""
    bot = sync.store.users.get(bot_id)
    if bot is not None and not BOT_KEYS.is_in(sync.store.realm.feature_level):
        owned = await routes.fetch(sync.connection)
        if api_key := next((each.api_key for each in owned if each.email == bot.email), ""):
            return api_key
    return await routes.get_api_key(sync.connection, bot_id=bot_id)


async def new_key(sync: Sync, bot_id: UserId) -> None:
    """Regenerate a bot's API key; the old one stops working."""
    await routes.regenerate_api_key(sync.connection, bot_id=bot_id)


async def save_zuliprc(sync: Sync, bot: User, path: str, host: Host = LOCAL) -> Path:
    """Save a bot's zuliprc with mode 0600, under another name where that one is taken; return its path."""
    host.require("files")
    account = Account(
        site=sync.connection.base_url.text, email=bot.email, key=await key(sync, bot.user_id)
    )
    return _save(account, host.expanded(path).absolute())


def _save(account: Account, path: Path) -> Path:
    if not path.name or path.is_dir():
        raise ConfigError(f"{path} is a folder; add a file name.")
    kept = reserve(path.parent, path.name)
    try:
        write_zuliprc(kept, account)
    except ConfigError:
        kept.unlink(missing_ok=True)
        raise
    return kept


def configuration(text: str) -> dict[str, str]:
    """Parse an embedded bot's options from lines of `key: value`; raises ConfigError."""
    settings = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if not line.strip():
            continue
        if not colon or not name.strip():
            raise ConfigError(f"Each line of the configuration is a key, a colon, a value: {line}")
        settings[name.strip()] = value.strip()
    return settings


class BotStorage:
    """A bot's storage, read and changed in the bot's name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def all(self) -> Mapping[str, str]:
        """Return all values by key."""
        return await routes.get_storage(self._connection, keys=None)

    async def put(self, name: str, value: str) -> None:
        """Set a value; others stay. ApiRefused says where the limit is exceeded."""
        await routes.update_storage(self._connection, storage={name: value})

    async def delete(self, name: str) -> None:
        """Delete a value."""
        await routes.delete_storage(self._connection, keys=[name])


@asynccontextmanager
async def storage(sync: Sync, bot: User) -> AsyncIterator[BotStorage]:
    """Open a bot's storage, through a connection with the bot's own key."""
    async with _as_bot(sync, bot) as connection:
        yield BotStorage(connection)


async def set_picture(sync: Sync, bot: User, path: Path) -> None:
    """Set a bot's avatar, through a connection with the bot's own key."""
    limit = sync.store.realm.limits.max_avatar_file_size_mib
    with files.opened(path, most_mib=limit) as (file, _):
        async with _as_bot(sync, bot) as connection:
            await avatars.upload(connection, file=file, filename=path.name, progress=lambda _: None)


@asynccontextmanager
async def _as_bot(sync: Sync, bot: User) -> AsyncIterator[Connection]:
    credentials = Credentials(bot.email, await key(sync, bot.user_id))
    connection = Connection(sync.connection.base_url, credentials=credentials)
    try:
        yield connection
    finally:
        await connection.aclose()
