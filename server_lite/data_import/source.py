"""What every file that can be imported offers, whatever its format: records, and the bytes of files."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, Protocol

from server_lite.dataclass import dataclass
from server_lite.export import format as form
from server_lite.export.format import Record
from server_lite.store.backups import Tell

Named = form.Person | form.Group | form.Folder | form.Channel | form.Emoji | form.File
"""Records that others name by number."""
Placed = tuple[str, Record]
"""Where a record stands, for a sentence on what is wrong with it, and the record."""


def walk(tell: Tell, begin: int, end: int) -> Tell:
    """Tells of the steps of one walk, which is the work from `begin` to `end` percent."""
    return lambda done, of: tell(begin * of + (end - begin) * done, 100 * of)


class Source(Protocol):
    """A file or folder that was recognized; its contents are a stranger's."""

    path: Path
    numbers_stay: bool
    """Whether a later export of the same organization has the same numbers for the same messages."""
    left_out: Counter[str]
    """What is in it and does not come -> how many; complete when all records were read."""

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Everything in the order of the plain form, without its end. Raises StartError."""

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        """Where the bytes of a file, an emoji or a person's picture lie."""

    def digest(self) -> str:
        """The same for the same contents: by it the organization made of them is known."""

    def origin(self) -> str:
        """The same for all exports of an organization; known from the first record on."""

    def key(self, record: Named) -> str:
        """What the organization itself calls a record that was read: the same in all its exports."""


def number_of(record: Named) -> str:
    """The key where numbers stay."""
    return str(record.id)


def name_of(record: Named) -> str:
    """The key where numbers are given anew with each export."""
    match record:
        case form.Person():
            return record.email.lower()
        case form.File():
            return f"{record.name} {record.created}"
        case _:
            return record.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What came, by type of record, and what did not."""

    counts: Mapping[str, int]
    left_out: Mapping[str, int]
    was_there: bool = False
    """The organization was made of the same contents before: nothing was added."""
    is_later: bool = False
    """It was made of an earlier export of the same organization: only what is new came."""
    aside: Path | None = None
    """Then: where the file is as it was before."""
