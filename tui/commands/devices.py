"""This machine among the devices of an account: on the server's list from signing in to signing out."""

from contextlib import suppress
from pathlib import Path

from tui.accounts import Account
from tui.api.model import DeviceId
from tui.api.routes import devices, server
from tui.api.routes.devices import REGISTERED_SINCE, REMOVED_SINCE
from tui.cache.account_folder import folder_of
from tui.commands.sign_in import connect
from tui.config import Folders
from tui.errors import ApiError


async def enrol(folders: Folders, account: Account) -> None:
    """Put this machine on the list, once. Servers without a list, or that fail, are none the worse."""
    note = _note(folders, account)
    if note.exists():
        return
    connection = connect(account)
    try:
        if (await server.settings(connection)).feature_level >= REGISTERED_SINCE:
            note.write_text(str(await devices.register(connection)), "utf-8")
    except ApiError:
        return  # one is signed in all the same; the next sign-in tries again
    finally:
        await connection.aclose()


async def withdraw(folders: Folders, account: Account) -> None:
    """Take it off the list; a server that cannot be reached keeps a line that means nothing."""
    note = _note(folders, account)
    try:
        device_id = DeviceId(int(note.read_text("utf-8")))
    except (OSError, ValueError):
        return
    note.unlink(missing_ok=True)
    connection = connect(account)
    try:
        with suppress(ApiError):
            if (await server.settings(connection)).feature_level >= REMOVED_SINCE:
                await devices.remove(connection, device_id=device_id)
    finally:
        await connection.aclose()


def _note(folders: Folders, account: Account) -> Path:
    """Where this machine's number is kept."""
    return folder_of(folders, account).state / "device"
