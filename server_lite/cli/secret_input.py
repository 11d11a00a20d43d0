"""Reads a password: from standard input or the terminal, never from the command line."""

import getpass
import sys

from server_lite.access.accounts import check_password
from server_lite.actions.credentials import hash_password
from server_lite.config import PasswordCost
from server_lite.errors import StartError


def hashed_password(*, stdin: bool) -> str:
    """Return the argon2id hash of a password that was read and validated."""
    return hash_password(PasswordCost(), check_password(_from_stdin() if stdin else _asked()))


def _from_stdin() -> str:
    line = sys.stdin.buffer.readline(4096)
    try:
        return line.decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise StartError("The password on standard input is not UTF-8.") from error


def _asked() -> str:
    if not sys.stdin.isatty():
        raise StartError("There is no terminal to ask for a password; give it on standard input.")
    first = getpass.getpass("New password: ")
    if getpass.getpass("Repeat password: ") != first:
        raise StartError("The passwords do not match.")
    return first
