"""`chinwag-server doctor`: is everything well, and what to do where it is not. Served or not."""

import argparse
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import apsw

from server_lite.cli import output
from server_lite.cli.progress import progress
from server_lite.cli.serving import existing, taken
from server_lite.errors import StartError
from server_lite.maintenance.checks import (
    AROUND,
    INSIDE,
    OF_ANY_VERSION,
    DatabaseUnderTest,
    Finding,
    indexed_in_vain,
    unindexed,
)
from server_lite.store import checksums, messages
from server_lite.store.connection import Db, open_reader
from server_lite.store.database import Database, Tx
from server_lite.store.identity import confine, identity
from server_lite.store.instance_lock import Lock
from server_lite.store.migrations import newest


def doctor(options: argparse.Namespace) -> None:
    """Print a line for each finding; raises StartError if one of them is a failure."""
    existing(options.db)
    if options.repair:
        _repair(options.db)
    findings = list(_examined(options.db))
    if options.json:
        output.show_json([asdict(one) for one in findings])
    else:
        for one in findings:
            output.show(f"{one.level:<4}  {one.check:<10}  {one.says}")
            if one.remedy:
                output.show(f"{'':17} -> {one.remedy}")
    failures = sum(one.level == "fail" for one in findings)
    if failures:
        raise StartError(f"{failures} of {len(findings)} checks failed for {options.db}.")


def _examined(path: Path) -> Iterator[Finding]:
    for look in AROUND:
        yield from look(path)
    try:
        with closing(open_reader(path)) as reader, progress("Reading") as tell:
            confine(reader)
            reader.execute("BEGIN")
            patient = DatabaseUnderTest(path, Db(reader), time.time())
            stranger = identity(patient.db)
            if stranger:
                yield Finding(
                    "schema", "fail", "; ".join(stranger), "open it with the program it belongs to"
                )
                return
            is_old = patient.db.value("PRAGMA user_version") < newest()
            checks = OF_ANY_VERSION if is_old else INSIDE
            for number, check in enumerate(checks):
                tell(number, len(checks))
                yield from check(patient)
    except apsw.Error as error:
        yield Finding("pages", "fail", checksums.words(error), "restore the newest intact backup")


def _repair(path: Path) -> None:
    """Make the index of search agree with the messages again."""
    lock = Lock(path)
    if not lock.take():
        raise StartError(taken(path))
    try:
        database = Database(path)
        try:
            database.write_now(_index)
        finally:
            database.close()
    finally:
        lock.release()


def _index(tx: Tx) -> None:
    messages.unindex(tx, indexed_in_vain(tx))
    messages.index_again(tx, unindexed(tx))
    messages.index_earlier(tx, 0)  # nothing waits any more
