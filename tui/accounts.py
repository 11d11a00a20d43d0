"""Accounts: one zuliprc file each, as the ecosystem's other clients and bots use. No network."""

import re
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from tui.config import Folders, private_folder
from tui.dataclass import dataclass
from tui.errors import ConfigError
from tui.regular_file import read_text, replacing


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A user's account on one server; the API key is not shown where this is printed."""

    site: str
    email: str
    key: str = field(repr=False)


def read_zuliprc(path: Path) -> Account:
    """Return the account in a zuliprc file. Raises ConfigError, also if others on this machine can read the
    file.
    """
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8").removeprefix("\ufeff")  # as editors on Windows write it
    except FileNotFoundError as error:
        raise ConfigError(f"{path} does not exist.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"{path} holds a key that others could read: run `chmod 600 {path}`.")
    try:
        section = _section(text)
        return Account(site=section["site"], email=section["email"], key=section["key"])
    except (ValueError, KeyError) as error:
        raise ConfigError(
            f"{path} is not a zuliprc: it needs [api] with site, email and key."
        ) from error


def _section(text: str) -> Mapping[str, str]:
    """Return the names and values of [api]. Raises ValueError or KeyError.

    A file as this program or the server writes it is read without the parser, whose import a start would wait for.
    """
    if re.fullmatch(r"\[api\]\n(?:[a-z]+ ?= ?\S+\n)+\n?", text):
        entries = [line.split("=", 1) for line in text.rstrip("\n").split("\n")[1:]]
        section = {name.rstrip(): value.lstrip() for name, value in entries}
        if len(section) == len(entries):
            return section
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    return parser["api"]


def write_zuliprc(path: Path, account: Account) -> None:
    """Save an account with mode 0600; the file is complete or does not exist."""
    for value in (account.site, account.email, account.key):
        if any(character < " " for character in value):
            raise ConfigError("The server's answer cannot be stored: it has control characters.")
    _write(path, f"[api]\nemail={account.email}\nkey={account.key}\nsite={account.site}\n")


def _write(path: Path, text: str) -> None:
    private_folder(path.parent)
    try:
        with replacing(path, ".new-") as file:
            file.write(text.encode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error


def path_for(folders: Folders, account: Account) -> Path:
    """Return the path of the account's file: one per email and server."""
    name = re.sub(r"[^A-Za-z0-9.@-]+", "_", f"{account.email}-{account.site}")[:150]
    return folders.config / "accounts" / f"{name}.zuliprc"


def known(folders: Folders) -> list[Path]:
    """Return the zuliprc files of all accounts that were added and still exist, in that order."""
    listed = _listed(folders)
    paths = [
        path for path in (_signed_in_files(folders) if listed is None else listed) if path.is_file()
    ]
    last = last_used(folders)
    return list(dict.fromkeys([*paths, last] if last is not None else paths))


def _listed(folders: Folders) -> list[Path] | None:
    """Return the paths in the list; None where there is no list."""
    try:
        lines = read_text(_list_file(folders)).splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return [Path(line) for line in lines]


def add(folders: Folders, path: Path) -> None:
    """Open this account at every start from now on, after those that are opened already.

    The list is written with the first account, so that no account changes its position.
    """
    others = [each for each in known(folders) if each != path]
    listed = _listed(folders)
    if listed is None or path not in listed:
        _write_list(folders, [*(others if listed is None else listed), path])


def forget(folders: Folders, path: Path) -> None:
    """Remove the account from the list; its key is deleted where Chinwag stored it."""
    _write_list(folders, [each for each in known(folders) if each != path])
    if last_used(folders) == path:
        (folders.state / "last-account").unlink(missing_ok=True)
    if path.parent == folders.config / "accounts":
        path.unlink(missing_ok=True)


def _list_file(folders: Folders) -> Path:
    return folders.config / "accounts" / "list"


def _signed_in_files(folders: Folders) -> list[Path]:
    """Return, where there is no list yet, the accounts that signed in here, oldest first."""
    signed_in = list((folders.config / "accounts").glob("*.zuliprc"))
    signed_in.sort(key=lambda path: (path.stat().st_mtime, path.name))
    own = local(folders)
    return [*signed_in, *([own] if own is not None else [])]


def _write_list(folders: Folders, paths: list[Path]) -> None:
    _write(_list_file(folders), "".join(f"{path}\n" for path in paths))


def remember(folders: Folders, path: Path) -> None:
    """Save which account was used last. Raises ConfigError."""
    if last_used(folders) != path:
        _write(folders.state / "last-account", str(path))


def last_used(folders: Folders) -> Path | None:
    """Return the zuliprc of the account used last; None if it is gone."""
    return _noted(folders.state / "last-account")


def to_open(folders: Folders) -> Path | None:
    """Return the account to show at a start: the one used last, else the first that was added.

    The last one is recorded in the state folder, which a backup of the settings leaves out.
    """
    return last_used(folders) or next(iter(known(folders)), None)


def remember_local(folders: Folders, path: Path) -> None:
    """Save where this machine's own server keeps its owner's account. Raises ConfigError."""
    _write(folders.state / "local-account", str(path))


def local(folders: Folders) -> Path | None:
    """Return the zuliprc of this machine's own server; None if it was never started."""
    return _noted(folders.state / "local-account")


def is_local(folders: Folders, account: Account) -> bool:
    """Whether the account is the one of this machine's own server."""
    path = local(folders)
    try:
        return path is not None and read_zuliprc(path) == account
    except ConfigError:
        return False


def _noted(note: Path) -> Path | None:
    try:
        path = Path(read_text(note))
    except (OSError, UnicodeDecodeError):
        return None
    return path if path.is_file() else None
