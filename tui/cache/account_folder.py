"""The folders of an account, private to the user. Makes folders; no other I/O."""

import re
from pathlib import Path

from tui.accounts import Account, is_local
from tui.config import Folders, private_folder
from tui.dataclass import dataclass
from tui.digests import sha256_of


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFolder:
    """`state` holds data that exists nowhere else (drafts, outbox); `cache` may be deleted at any time."""

    state: Path
    cache: Path


def account_folder(folders: Folders, *, site: str, email: str) -> AccountFolder:
    """Return the folders of an account, made with mode 0700 where they are missing."""
    readable = re.sub(r"[^A-Za-z0-9.@-]+", "_", f"{email}-{site}")[:80]
    # Two accounts whose names differ in other characters only must not share a folder.
    digest = sha256_of(f"{site}\0{email}")[:12]
    name = f"{readable}-{digest}"
    return AccountFolder(
        state=private_folder(folders.state / "accounts" / name),
        cache=private_folder(folders.cache / "accounts" / name),
    )


def folder_of(folders: Folders, account: Account) -> AccountFolder:
    """Return the folders of a stored account."""
    # The port of this machine's own server may change; the account's folder stays.
    site = "this machine" if is_local(folders, account) else account.site
    return account_folder(folders, site=site, email=account.email)
