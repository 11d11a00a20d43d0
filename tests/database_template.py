"""New databases as copies of one: an organization of a test begins with the tables, without the migrations.

These are forty transactions, each of which waits for the disk. Processes of their own create their databases
as the product does, and so do tests of creating one: they ask for the fixture `created_anew`.
"""

import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import apsw

from server_lite.store import checksums, opening

_DATE: Final = "UPDATE setting SET value = unixepoch() WHERE name = 'date_created'"
_UUID: Final = """
UPDATE setting SET value = json_quote(lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4000-a000-' || hex(randomblob(6))
)) WHERE name = 'uuid'
"""


def open_file(path: Path, *, keeps_older: bool) -> apsw.Connection:
    """Open a database as `opening.open_file` does; a new one is a copy, with a date and an ID of its own."""
    if path.parent.is_dir() and not path.exists():
        path.touch(0o600)
        path.write_bytes(_template())
        connection = checksums.connect(path)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(_DATE)
        connection.execute(_UUID)
        connection.close()
    return opening.open_file(path, keeps_older=keeps_older)


@cache
def _template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.db"
        opening.open_file(path, keeps_older=False).close()
        return path.read_bytes()
