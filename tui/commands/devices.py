"""This machine in the account's list of devices: registered from signing in to signing out."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from tui.accounts import Account
from tui.api.features import DEVICES, SIGNING_OUT
from tui.api.model import DeviceId
from tui.api.routes import devices, server
from tui.cache.account_folder import folder_of
from tui.commands.connecting import connect
from tui.config import Folders
from tui.errors import ApiError
from tui.regular_file import read_text
from tui.sync.machine import Sync

NOTE: Final = "device"
"""The file with this machine's device ID."""


async def enrol(folders: Folders, account: Account) -> None:
    """Register this machine, once. Servers without a list, or that fail, do not matter."""
    note = _note(folders, account)
    if note.exists():
        return
    connection = connect(account)
    try:
        if DEVICES.is_in((await server.settings(connection)).feature_level):
            note.write_text(str(await devices.register(connection)), "utf-8")
    except ApiError:
        return  # signing in worked; the next sign-in tries again
    finally:
        await connection.aclose()


async def withdraw(folders: Folders, account: Account) -> None:
    """Remove this machine from the list; a server that cannot be reached keeps an entry without meaning."""
    note = _note(folders, account)
    device_id = this_one(note.parent)
    if device_id is None:
        return
    note.unlink(missing_ok=True)
    connection = connect(account)
    try:
        with suppress(ApiError):
            if SIGNING_OUT.is_in((await server.settings(connection)).feature_level):
                await devices.remove(connection, device_id=device_id)
    finally:
        await connection.aclose()


def this_one(state: Path) -> DeviceId | None:
    """Return this machine's device ID, stored in the account's folder; None if it is not registered."""
    try:
        return DeviceId(int(read_text(state / NOTE)))
    except (OSError, ValueError):
        return None


async def forget(sync: Sync, device_id: DeviceId) -> None:
    """Remove a device from the list, which ends its push notifications."""
    await devices.remove(sync.connection, device_id=device_id)


def _note(folders: Folders, account: Account) -> Path:
    """Return the path of the file with this machine's device ID."""
    return folder_of(folders, account).state / NOTE
