"""Tables of one JSON object, each written row by row to its own file, in constant memory."""

import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

import orjson

from server_lite.export.paths import private

_COPIED: Final = 1024 * 1024


class Tables:
    """Rows by table, in temporary files until `write` combines them into one object."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700)
        self._files: dict[str, BinaryIO] = {}
        self.counts: Counter[str] = Counter()

    def declare(self, *tables: str) -> None:
        """Write these tables even if they are empty."""
        for table in tables:
            self._file(table)

    def add(self, table: str, **columns: object) -> int:
        """Add a row; its ID defaults to its number in the table. Returns the ID."""
        out = self._file(table)
        number = self.counts[table] = self.counts[table] + 1
        row = {"id": number, **columns}
        out.write((b"," if number > 1 else b"") + orjson.dumps(row))
        return row["id"] if isinstance(row["id"], int) else number

    def _file(self, table: str) -> BinaryIO:
        file = self._files.get(table)
        if file is None:
            file = self._files[table] = private(self._folder / table)
        return file

    def write(self, out: Path, **more: object) -> None:
        """Write the object to a new file: `more` first, then all tables."""
        with private(out) as target:
            target.write(orjson.dumps(more)[:-1])
            begun = bool(more)
            for table in self._files:
                target.write((b",\n" if begun else b"") + orjson.dumps(table) + b":[")
                self._copy(table, target)
                target.write(b"]")
                begun = True
            target.write(b"}\n")

    def write_rows(self, table: str, out: Path) -> None:
        """Write the rows of one table to a new file as a bare list."""
        self.declare(table)
        with private(out) as target:
            target.write(b"[")
            self._copy(table, target)
            target.write(b"]\n")

    def _copy(self, table: str, target: BinaryIO) -> None:
        self._files[table].flush()
        with (self._folder / table).open("rb") as source:
            shutil.copyfileobj(source, target, _COPIED)

    def close(self) -> None:
        """Delete the temporary files."""
        for file in self._files.values():
            file.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Write one small object to a new file."""
    with private(path) as out:
        out.write(orjson.dumps(value) + b"\n")
