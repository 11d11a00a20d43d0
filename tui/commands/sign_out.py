"""Signing out on this machine: counts what would be lost, then deletes the key."""

import shutil
from pathlib import Path

from tui import accounts
from tui.accounts import Account
from tui.cache.account_folder import folder_of
from tui.cache.database import Database
from tui.commands import devices
from tui.config import Folders


def unsent(folders: Folders, account: Account) -> int:
    """Return how many messages wait on this machine to be sent."""
    path = folder_of(folders, account).state / "account.db"
    if not path.exists():
        return 0
    database = Database(path)
    try:
        return int(database.rows("SELECT count(*) FROM outbox")[0][0])
    finally:
        database.close()


def consequences(folders: Folders, account: Account) -> str:
    """Return the consequences of signing out, as sentences for the confirmation."""
    gone = "Its API key and offline copy are deleted from this machine."
    match unsent(folders, account):
        case 0:
            return f"{gone} Drafts are kept for when you sign in again."
        case 1:
            return f"{gone} Drafts and 1 unsent message are kept for when you sign in again."
        case count:
            return f"{gone} Drafts and {count} unsent messages are kept for when you sign in again."


async def sign_out(folders: Folders, path: Path, account: Account) -> None:
    """Sign out: remove the device from the server's list, delete key and caches; keep drafts and unsent
    messages.

    A key file that Chinwag did not create is left alone. Raises ConfigError.
    """
    places = folder_of(folders, account)
    await devices.withdraw(folders, account)
    accounts.forget(folders, path)
    shutil.rmtree(places.cache, ignore_errors=True)
