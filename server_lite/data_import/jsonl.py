"""Our own export in the plain form: JSON lines, with the files in a folder beside them. Reads only."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from server_lite.data_import.source import Named, Placed, number_of
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.files import files_of
from server_lite.store.backups import Tell


class JsonLines:
    """`Source` for a file written by `chinwag-server export`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.numbers_stay = True
        self.left_out: Counter[str] = Counter()

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield the records with their line numbers, and check the order and the end of the file."""
        with self.path.open("rb") as lines:
            size = os.fstat(lines.fileno()).st_size
            for number, placed in enumerate(self._read(lines)):
                yield placed
                if number % 1000 == 0:
                    tell(lines.tell(), size)

    def _read(self, lines: BinaryIO) -> Iterator[Placed]:
        source, number = self.path, 0
        total = form.Sum()
        while line := lines.readline():
            number += 1
            where = f"Line {number} of {source}"
            record = form.from_line(line, where)
            if (number == 1) != isinstance(record, form.Organization):
                raise StartError(f"{where}: the organization must be the first line, once.")
            if isinstance(record, form.End):
                if record != total.end():
                    raise StartError(f"{source} was changed or damaged since it was written.")
                if lines.readline():
                    raise StartError(f"{source} continues after its end, in line {number + 1}.")
                return
            total.add(record, line)
            yield where, record
        if number == 0:
            raise StartError(f"{source} is empty.")
        raise StartError(f"{source} is incomplete: it stops after line {number}, before its end.")

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        return files_of(self.path) / kind / str(number)

    def digest(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def origin(self) -> str:
        """Identify the organization by its first account, whose creation time (in microseconds) is unique."""
        with self.path.open("rb") as lines:
            for record in (form.from_line(line, str(self.path)) for line in lines):
                if isinstance(record, form.Person):
                    return f"chinwag {record.id} {record.joined}"
                if isinstance(record, form.Message | form.End):
                    break
        return ""

    def key(self, record: Named) -> str:
        return number_of(record)
