"""People, SSH keys and link tokens, as digests in one SQLite file. No SSH.

A person is an account of the one server with a folder of its own. Accounts are identified by what never
changes: an email address that was given up can be another person's the next day. A key is *noted* when a user
chose it, and *bound* when it signed for the first time and that was confirmed.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tui.config import private_folder
from tui.dataclass import dataclass
from tui.errors import ConfigError

TOKEN_SECONDS: Final = 600
MOST_KEYS: Final = 50
"""Most keys of one person."""
_SCHEMA: Final = """
CREATE TABLE person (
    id TEXT PRIMARY KEY,
    account TEXT UNIQUE,
    email TEXT NOT NULL,
    created REAL NOT NULL
) STRICT;
CREATE TABLE key (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
    label TEXT NOT NULL,
    is_bound INTEGER NOT NULL,
    noted REAL NOT NULL,
    noted_from TEXT NOT NULL,
    used REAL
) STRICT;
CREATE TABLE token (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
    expires REAL NOT NULL
) STRICT;
PRAGMA user_version = 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """`id` is the name of their folder; nothing in it identifies them."""

    id: str
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownKey:
    """A person's key; times in UNIX seconds, `used` is None before its first signature."""

    digest: str
    person: Person
    label: str
    is_bound: bool
    noted: float
    noted_from: str
    used: float | None


class Keys:
    """Opened by the front process and by commands of the machine's owner; several may be open at once."""

    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        """Open the file, created with mode 0600 where it is missing. Raises ConfigError."""
        self._clock = clock
        private_folder(state)
        path = state / "keys.sqlite"
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            if path.stat().st_mode & 0o077:
                raise ConfigError(f"{path} could be read by others: run `chmod 600 {path}`.")
            self._database = sqlite3.connect(path, isolation_level=None, timeout=5.0)
            self._database.executescript(
                "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"
            )
            if self._one("PRAGMA user_version") == (0,):
                self._database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA}; COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(f"{path} cannot be opened: {error}.") from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    # People

    def signed_in(self, account: str, email: str) -> Person:
        """Return the person with this account, whatever their email was before; created if missing."""
        row = self._one("SELECT id FROM person WHERE account = ?", account) or self._one(
            "SELECT id FROM person WHERE account IS NULL AND email = ?", email.casefold()
        )
        if row is None:
            return self._new(account, email)
        self._database.execute(
            "UPDATE person SET account = ?, email = ? WHERE id = ?",
            (account, email.casefold(), row[0]),
        )
        return Person(id=row[0], email=email.casefold())

    def person(self, email: str) -> Person:
        """Return the person that the machine's owner means by an email; created, without an account, where
        there is none.
        """
        return self.find(email) or self._new(None, email)

    def find(self, email: str) -> Person | None:
        """Return the person who had this email last; None if there is none."""
        row = self._one(
            "SELECT id, email FROM person WHERE email = ? ORDER BY created DESC, id LIMIT 1",
            email.casefold(),
        )
        return None if row is None else Person(id=row[0], email=row[1])

    def _new(self, account: str | None, email: str) -> Person:
        person = Person(id=secrets.token_hex(16), email=email.casefold())
        self._database.execute(
            "INSERT INTO person VALUES (?, ?, ?, ?)",
            (person.id, account, person.email, self._clock()),
        )
        return person

    # Keys

    def get(self, digest: str) -> KnownKey | None:
        """Return a key by its digest; None if it is unknown."""
        keys = self._keys("key.digest = ?", digest)
        return keys[0] if keys else None

    def of(self, person: Person) -> list[KnownKey]:
        """Return all keys of a person, oldest first."""
        return self._keys("person.id = ?", person.id)

    def all(self) -> list[KnownKey]:
        """Return the keys of all people."""
        return self._keys("1")

    def note(self, person: Person, digest: str, label: str, address: str) -> None:
        """Note a key that a user chose for the next time. Raises ConfigError where it cannot be noted."""
        known_key = self.get(digest)
        if known_key is not None and known_key.person.id == person.id:
            return
        if known_key is not None and known_key.is_bound:
            raise ConfigError("This key belongs to another account.")
        if known_key is not None:  # anyone can note a public key; only its owner can bind it
            self.revoke(digest)
        if len(self.of(person)) >= MOST_KEYS:
            raise ConfigError(f"{MOST_KEYS} keys are the most. Revoke one first.")
        self._database.execute(
            "INSERT INTO key VALUES (?, ?, ?, 0, ?, ?, NULL)",
            (digest, person.id, label, self._clock(), address),
        )

    def bind(self, digest: str, person: Person) -> bool:
        """Bind a key that signed, and whose owner confirmed it; False where it is another's, or revoked, by
        now.
        """
        changed = self._database.execute(
            "UPDATE key SET is_bound = 1 WHERE digest = ? AND person = ?", (digest, person.id)
        )
        return changed.rowcount > 0

    def use(self, digest: str) -> None:
        """Record that a key signed just now."""
        self._database.execute("UPDATE key SET used = ? WHERE digest = ?", (self._clock(), digest))

    def revoke(self, digest: str) -> bool:
        """Revoke a key; False if it is unknown."""
        return self._database.execute("DELETE FROM key WHERE digest = ?", (digest,)).rowcount > 0

    def revoke_all(self, person: Person) -> None:
        """Revoke all keys and tokens of a person."""
        self._database.execute("DELETE FROM key WHERE person = ?", (person.id,))
        self._database.execute("DELETE FROM token WHERE person = ?", (person.id,))

    # Tokens

    def new_token(self, person: Person) -> str:
        """Return a token that signs another device in, once, within `TOKEN_SECONDS`."""
        token = secrets.token_urlsafe(18)
        expires = self._clock() + TOKEN_SECONDS
        self._database.execute(
            "INSERT INTO token VALUES (?, ?, ?)", (_digest(token), person.id, expires)
        )
        return token

    def take_token(self, token: str) -> Person | None:
        """Use a token up and return its person; None if it is not valid."""
        self._database.execute("DELETE FROM token WHERE expires <= ?", (self._clock(),))
        row = self._one("DELETE FROM token WHERE digest = ? RETURNING person", _digest(token))
        if row is None:
            return None
        row_of_person = self._one("SELECT id, email FROM person WHERE id = ?", row[0])
        return (
            None if row_of_person is None else Person(id=row_of_person[0], email=row_of_person[1])
        )

    def _keys(self, condition: str, *values: object) -> list[KnownKey]:
        rows = self._database.execute(
            "SELECT key.digest, person.id, person.email, label, is_bound, noted, noted_from, used"
            f" FROM key JOIN person ON person.id = key.person WHERE {condition} ORDER BY noted, key.digest",
            values,
        )
        return [
            KnownKey(
                digest=digest, person=Person(id=person, email=email), label=label, is_bound=bool(bound),
                noted=noted, noted_from=noted_from, used=used,
            )
            for digest, person, email, label, bound, noted, noted_from, used in rows
        ]  # fmt: skip

    def _one(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._database.execute(statement, values).fetchone()
        return row


def _digest(token: str) -> str:
    return hashlib.sha256(token.strip().encode()).hexdigest()
