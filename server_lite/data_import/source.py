"""The interface of all importable formats: records, and the bytes of files."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, Protocol

from server_lite.dataclass import dataclass
from server_lite.export import format as form
from server_lite.export.format import Record
from server_lite.store.backups import Tell

Named = form.Person | form.Group | form.Folder | form.Channel | form.Emoji | form.File
"""Records that others refer to by ID."""
Placed = tuple[str, Record]
"""The place of a record, for error messages, and the record."""


def walk(tell: Tell, begin: int, end: int) -> Tell:
    """Return the progress callback of a pass that is the work from `begin` to `end` percent."""
    return lambda done, of: tell(begin * of + (end - begin) * done, 100 * of)


class Source(Protocol):
    """A recognized file or folder; its contents are untrusted."""

    path: Path
    numbers_stay: bool
    """Whether message IDs are the same in a later export of the same organization."""
    left_out: Counter[str]
    """Contents that are not imported, with their number; complete when all records were read."""

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield all records in the order of the plain form, without its end. Raises StartError."""

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        """Return the path of a file, an emoji or an avatar."""

    def digest(self) -> str:
        """Return a digest that is equal for equal contents, to recognize a repeated import."""

    def origin(self) -> str:
        """Return a key that is equal for all exports of an organization; known from the first record on."""

    def key(self, record: Named) -> str:
        """Return the organization's own key of a record that was read: equal in all its exports."""


def number_of(record: Named) -> str:
    """Return the key for formats with stable IDs."""
    return str(record.id)


def name_of(record: Named) -> str:
    """Return the key for formats that assign new IDs in each export."""
    match record:
        case form.Person():
            return record.email.lower()
        case form.File():
            return f"{record.name} {record.created}"
        case _:
            return record.name


class FileKeys:
    """Keys of files in formats without IDs of files: name and time, numbered where several have both."""

    def __init__(self) -> None:
        self._counts = Counter[str]()
        self._numbers: dict[int, int] = {}
        """Numbers of the files that have a key in common with an earlier one, by ID."""

    def add(self, file: form.File) -> None:
        """Note a file; in each export of an organization they come in the same order."""
        key = name_of(file)
        self._counts[key] += 1
        if self._counts[key] > 1:
            self._numbers[file.id] = self._counts[key]

    def of(self, record: Named) -> str:
        """Return the key of a record: as `name_of` does, and unique for files."""
        number = self._numbers.get(record.id) if isinstance(record, form.File) else None
        return name_of(record) if number is None else f"{name_of(record)} ({number})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The number of imported records by type, and what was left out."""

    counts: Mapping[str, int]
    left_out: Mapping[str, int]
    was_there: bool = False
    """Whether the same contents were imported before: nothing was added."""
    is_later: bool = False
    """Whether an earlier export of the organization was imported before: only new records were added."""
    aside: Path | None = None
    """If so, the path of the database as it was before."""
