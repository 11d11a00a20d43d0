"""Validates names, addresses and passwords of accounts. Reads only; raises ApiError with the reason."""

import re
import unicodedata
from typing import Final

from server_lite.config import MAX_PASSWORD, MIN_PASSWORD
from server_lite.errors import AddressInUse, ApiError
from server_lite.store import realm, users
from server_lite.store.connection import Db

MAX_NAME: Final = 100
MAX_ADDRESS: Final = 254

# Characters that start formatting or a mention, so that a name never ends its own mention.
_NOT_IN_NAMES: Final = frozenset('*`\\>"@')
_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)


def check_name(name: str) -> str:
    """Return the validated full name, trimmed."""
    name = name.strip()
    if not name:
        raise ApiError("Name too short!")
    if len(name) > MAX_NAME:
        raise ApiError("Name too long!")
    if any(c in _NOT_IN_NAMES or unicodedata.category(c) in ("Cc", "Cs", "Co") for c in name):
        raise ApiError("Invalid characters in name!")
    if re.search(r"\|\d+$", name):  # `@**Name|12**` mentions account 12
        raise ApiError("Invalid format!")
    return name


def check_unique_name(db: Db, name: str, except_id: int = 0) -> None:
    """Raise if the organization requires unique names and an active user has this one."""
    if realm.setting(db, "require_unique_names") and users.is_name_taken(db, name, except_id):
        raise ApiError("Unique names required in this organization.")


def is_address(email: str) -> bool:
    """Whether the text is a well-formed address, of a bot or of an account of another program too."""
    return len(email) <= MAX_ADDRESS and _ADDRESS.fullmatch(email) is not None


def check_address(db: Db, email: str, except_id: int = 0) -> str:
    """Return a person's address, trimmed; it must be valid and unused. No mail is sent to it.

    As on a full server, the domain has a dot or is `localhost`, and dots are not at an end or in a row.
    """
    name, _, domain = email.strip().partition("@")
    if ("." not in domain and domain.lower() != "localhost") or "" in name.split("."):
        raise ApiError("Enter a valid email address.")
    return check_stored_address(db, email, except_id)


def check_stored_address(db: Db, email: str, except_id: int = 0) -> str:
    """Return the address of a bot or an imported account, trimmed; it must be well-formed and unused."""
    email = email.strip()
    if not is_address(email):
        raise ApiError("Enter a valid email address.")
    owner = users.by_email(db, email)
    if owner is not None and owner.id != except_id:
        raise AddressInUse("Email is already in use.")
    return email


def check_password(password: str, *, dev: bool = False) -> str:
    """Return the password unchanged: surrounding spaces count. Development servers accept any."""
    if len(password) < MIN_PASSWORD and not dev:
        raise ApiError(f"The password is too short: at least {MIN_PASSWORD} characters, please.")
    if len(password) > MAX_PASSWORD:
        raise ApiError(f"The password is too long: at most {MAX_PASSWORD} characters, please.")
    return password
