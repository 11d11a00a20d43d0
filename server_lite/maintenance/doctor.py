"""Runs all checks of a server's database, served or not, and repairs. Prints nothing."""

import time
from collections.abc import Iterator
from pathlib import Path

import apsw

from server_lite.maintenance.checks import (
    AROUND,
    INSIDE,
    OF_ANY_VERSION,
    DatabaseUnderTest,
    Finding,
)
from server_lite.maintenance.files import locked
from server_lite.store import backups, checksums, search_index, unread_messages
from server_lite.store.backups import Tell
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.identity import confine, identity
from server_lite.store.migrations import newest, schema_version


def examine(path: Path, tell: Tell) -> Iterator[Finding]:
    """Check the file and its surroundings, one check after the other."""
    for look in AROUND:
        yield from look(path)
    try:
        with backups.snapshot(path) as reader:
            confine(reader)
            database_under_test = DatabaseUnderTest(path, Db(reader), time.time())
            stranger = identity(database_under_test.db)
            if stranger:
                yield Finding(
                    "schema", "fail", "; ".join(stranger), "open it with the program it belongs to"
                )
                return
            is_old = schema_version(database_under_test.db) < newest()
            checks = OF_ANY_VERSION if is_old else INSIDE
            for number, check in enumerate(checks):
                tell(number, len(checks))
                yield from check(database_under_test)
    except apsw.Error as error:
        yield Finding(
            "pages", "fail", checksums.error_text(error), "restore the newest intact backup"
        )


def repair(path: Path) -> None:
    """Repair the search index and the lists of unread messages; raises StartError while the database is served."""
    with locked(path):
        database = Database(path)
        try:
            database.write_now(_repair)
        finally:
            database.close()


def _repair(tx: Tx) -> None:
    search_index.remove(tx, search_index.stale(tx))
    search_index.update(tx, search_index.missing(tx))
    search_index.add_earlier(tx, 0)  # no messages wait for indexing now
    if unread_messages.count_wrong(tx):
        unread_messages.rebuild_by_user(tx)
