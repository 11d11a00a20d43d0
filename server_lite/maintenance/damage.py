"""Checks a database for damage after serving has started, in a thread. Changes nothing."""

import asyncio
import logging
import threading
from contextlib import closing, suppress
from pathlib import Path

import apsw

from server_lite.store import backups, checksums
from server_lite.store.connection import Db, open_reader

log = logging.getLogger("chinwag.server")


async def look_for_damage(path: Path) -> list[str]:
    """Check every page of the file; logs problems as CRITICAL, and returns them.

    Reads the whole file once. Canceling it ends the check at once.
    """
    try:
        connection = open_reader(path)
    except apsw.Error as error:
        return _report(path, [checksums.error_text(error)])
    stopped = threading.Event()
    # Interrupting alone ends only a running statement; the flag also ends later ones.
    connection.set_progress_handler(stopped.is_set, 1000)
    check = asyncio.ensure_future(asyncio.to_thread(_damage, connection))
    try:
        return _report(path, await asyncio.shield(check))
    except asyncio.CancelledError:
        stopped.set()
        with suppress(apsw.ConnectionClosedError):  # the flag may have ended it already
            connection.interrupt()
        await asyncio.wait([check])  # the thread closes the connection
        raise


def _damage(connection: apsw.Connection) -> list[str]:
    with closing(connection):
        try:
            return backups.integrity(Db(connection), quick=True)
        except apsw.InterruptError:
            return []
        except apsw.Error as error:
            return [checksums.error_text(error)]


def _report(path: Path, problems: list[str]) -> list[str]:
    if problems:
        log.critical(
            "%s is damaged: %s. Make a copy of the file, run `chinwag-server doctor`, and restore the"
            " newest sound backup.",
            path,
            "; ".join(problems),
        )
    return problems
