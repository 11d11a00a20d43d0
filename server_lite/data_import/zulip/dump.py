"""The tables of an export in a folder, row by row, each validated against its type. Reads only."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import orjson

from server_lite.data_import.checked import Row, checked
from server_lite.data_import.json_rows import rows
from server_lite.errors import StartError
from server_lite.export.paths import is_inside, private

MAX_TABLES: Final = 500
REALM: Final = "realm.json"


class Dump:
    """A folder with `realm.json`; `work` is a folder for split tables."""

    def __init__(self, folder: Path, work: Path) -> None:
        self._folder = folder
        self._work = work
        self._tables: dict[str, Path] = {}
        self._read = set[str]()
        self._lengths: Counter[str] = Counter()

    def split(self) -> None:
        """Split the files with several tables, so that each can be read on its own."""
        files: dict[str, BinaryIO] = {}
        try:
            for name in (REALM, "attachment.json"):
                self._split(self.path(name), files)
        finally:
            for file in files.values():
                file.close()

    def _split(self, path: Path, files: dict[str, BinaryIO]) -> None:
        for table, row in rows(path):
            if not isinstance(row, dict):
                continue  # a version, or a flag
            if table not in files:
                if len(files) == MAX_TABLES:
                    raise StartError(f"{path.name} has more than {MAX_TABLES} tables.")
                self._tables[table] = self._work / f"{len(files):06}"
                files[table] = private(self._tables[table])
            try:
                files[table].write(orjson.dumps(row) + b"\n")
            except TypeError as error:  # a number out of range, a lone surrogate
                raise StartError(f"{path.name}: a row of {table} has an invalid value.") from error
            self._lengths[table] += 1

    def path(self, name: str) -> Path:
        """Return a file of the export; raises StartError if it is missing, or outside of the folder."""
        path = self._folder / name
        if not is_inside(name) or not path.resolve().is_relative_to(self._folder.resolve()):
            raise StartError(f"The path {name!r} leads out of the export.")
        if not path.is_file():
            raise StartError(f"The export has no {name}.")
        return path

    def has(self, name: str) -> bool:
        """Whether the file exists."""
        try:
            self.path(name)
        except StartError:
            return False
        return True

    def has_table(self, table: str) -> bool:
        """Whether the table has rows."""
        return table in self._tables

    def raw(self, table: str) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield (where, row) of all rows of a table; nothing if it does not exist."""
        self._read.add(table)
        path = self._tables.get(table)
        if path is None:
            return
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                yield f"Row {number} of {table}", orjson.loads(line)

    def table(self, table: str, kind: type[Row]) -> Iterator[tuple[str, Row]]:
        """Yield (where, row) with each row as its type; raises StartError for an invalid row."""
        for where, row in self.raw(table):
            yield where, checked(kind, row, where)

    def rows(self, table: str, kind: type[Row]) -> Iterator[Row]:
        """Yield the rows as their type."""
        for _, row in self.table(table, kind):
            yield row

    def unread(self) -> dict[str, int]:
        """Return the row counts of tables that were not read."""
        return {table: number for table, number in self._lengths.items() if table not in self._read}
