"""Splits an mbox file into messages, with one at a time in memory. Does not parse mail."""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LARGEST: Final = 64 * 1024 * 1024
"""Maximum bytes read of a message; the rest of a larger one is ignored."""
_BEGIN: Final = b"From "
_LONGEST_LINE: Final = 1024 * 1024


class Mailbox:
    """The file: a message starts with a line `From ` at the start or after an empty line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begins = array("q")
        self._ends = array("q")
        self._find()

    def _find(self) -> None:
        at, behind_empty = 0, True
        with self._path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE):
                if behind_empty and line.startswith(_BEGIN):
                    if self._begins:
                        self._ends.append(at)
                    self._begins.append(at + len(line))
                behind_empty = line in (b"\n", b"\r\n")
                at += len(line)
        if self._begins:
            self._ends.append(at)

    def __len__(self) -> int:
        return len(self._begins)

    def messages(self) -> Iterator[tuple[int, bytes]]:
        """Yield (number, bytes) of each message, in the order of the file."""
        for number in range(len(self._begins)):
            yield number, self.message(number)

    def message(self, number: int) -> bytes:
        """Return the bytes of one message."""
        with self._path.open("rb") as file:
            file.seek(self._begins[number])
            return file.read(min(self._ends[number] - self._begins[number], LARGEST))
