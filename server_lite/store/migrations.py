"""Numbered schema files, applied once each and never edited after a release. No data, no nouns."""

from functools import cache
from pathlib import Path
from typing import Final

import apsw

from server_lite.errors import StartError
from server_lite.store.connection import Db

APPLICATION_ID: Final = 0x43485749  # "CHWI", in the header of each of our files
_FOLDER: Final = Path(__file__).with_name("schema")


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """Return (number, SQL) of every schema file, ascending."""
    return tuple((int(name[:3]), (_FOLDER / name).read_text("utf-8")) for name in _files())


def between(version: int, goal: int) -> list[str]:
    """Return the names of the steps from one schema to another, in order: `030-running`."""
    return [name.removesuffix(".sql") for name in _files() if version < int(name[:3]) <= goal]


def _files() -> list[str]:
    return sorted(file.name for file in _FOLDER.glob("*.sql"))


def newest() -> int:
    """Return the schema number that this version writes."""
    return migrations()[-1][0]


def schema_version(db: Db) -> int:
    """Return the schema number of a file."""
    version: int = db.value("PRAGMA user_version")
    return version


def require_newest(db: Db, path: Path) -> None:
    """Raise StartError unless the file has the tables of this version, for commands that only read."""
    version = schema_version(db)
    if version < newest():
        raise StartError(
            f"{path} was made by an older version (schema {version}, this one reads {newest()})."
            " Start the server once to upgrade it."
        )


def has_table(db: Db, name: str) -> bool:
    """Whether the file has a table: older schemas may lack it."""
    return db.value("SELECT 1 FROM sqlite_schema WHERE name = ?", name) is not None


def build(connection: apsw.Connection, version: int) -> None:
    """Create the schema of this number in an empty database, for comparison."""
    for number, sql in migrations():
        if number <= version:
            connection.execute(sql)


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Migrate the file: each step is one transaction, so that the schema is old or new, never in between.

    A new file gets all steps in one: it is empty or whole, and waits for the disk once.
    """
    version = connection.pragma("user_version")
    steps = [step for step in migrations() if step[0] > version]
    if version == 0:
        connection.pragma("application_id", APPLICATION_ID)
    for together in [steps] if version == 0 else [[step] for step in steps]:
        connection.execute("BEGIN EXCLUSIVE")
        for number, sql in together:
            try:
                connection.execute(sql)
            except apsw.SQLError as error:
                connection.execute("ROLLBACK")
                raise StartError(
                    f"{path} could not be brought to schema {number}: {error}."
                ) from error
            connection.pragma("user_version", number)
        connection.execute("COMMIT")
