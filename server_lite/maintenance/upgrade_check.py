"""Reports what this version would do to a stored organization. Changes nothing, prints nothing."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.store import backups, checksums
from server_lite.store.connection import Db
from server_lite.store.migrations import schema_version


@dataclass(frozen=True, slots=True)
class StoredDatabase:
    """The file as it is now; size in bytes."""

    version: int
    """Of its schema."""
    size: int


def read_stored(db: Path) -> StoredDatabase:
    """Examine a file without changing it; raises StartError if this version would refuse it."""
    try:
        with _opened(db) as reader:
            stored = StoredDatabase(schema_version(reader), backups.size(reader))
            faults = backups.integrity(reader, quick=True)
    except apsw.Error as error:
        raise StartError(f"{db} cannot be served: {checksums.error_text(error)}.") from error
    if faults:
        raise StartError(f"{db} is damaged and would not be upgraded: {'; '.join(faults)}.")
    return stored


@contextmanager
def _opened(db: Path) -> Iterator[Db]:
    """Open the file for reading. Creates no write-ahead log beside it if none exists."""
    if db.with_name(f"{db.name}-wal").exists():
        with backups.opened(db) as reader:
            yield reader
        return
    with closing(backups.quiet(db)) as connection:
        yield backups.known(connection, db)
