"""Uploaded files, custom emoji and avatars of an export, and the paths of their bytes. Reads only."""

import mimetypes
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from server_lite.access.avatars import check_picture
from server_lite.access.emoji import extension_of, is_emoji_name
from server_lite.access.uploads import PLAIN_TYPE
from server_lite.data_import.checked import checked
from server_lite.data_import.json_rows import rows as json_rows
from server_lite.data_import.source import Placed
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import Numbers
from server_lite.data_import.zulip.text import content_here
from server_lite.errors import ApiError, StartError
from server_lite.export import format as form

LARGEST_IMAGE: Final = 30 * 1024 * 1024
"""Maximum bytes of a file that is examined as an image."""
_PATH: Final = re.compile(r"[^\s\x00-\x1f]+")

Kind = Literal["uploads", "emoji", "avatars"]


class Files:
    """The lists of files, and the object each file belongs to."""

    def __init__(self, dump: Dump, numbers: Numbers, left_out: Counter[str]) -> None:
        self._dump = dump
        self._numbers = numbers
        self._left_out = left_out
        self._files_by_id: dict[tuple[Kind, int], Path] = {}
        self._uploads: dict[str, rows.FileRecord] = {}
        for record in self._list("uploads"):
            self._uploads[record.path] = self._uploads[record.s3_path or record.path] = record
        self.pictures = self._pictures()

    def find(self, kind: Kind, number: int) -> Path:
        """Return the path of a file, an emoji or an avatar; raises KeyError."""
        return self._files_by_id[kind, number]

    def _list(self, folder: str) -> Iterator[rows.FileRecord]:
        name = f"{folder}/records.json"
        if self._dump.has(name):
            for number, (_, row) in enumerate(json_rows(self._dump.path(name)), start=1):
                yield checked(rows.FileRecord, row, f"Record {number} of {name}")

    def _file(self, folder: str, record: rows.FileRecord | None) -> Path | None:
        """Return the entry's file; None if it is missing. Raises StartError if it is outside the folder."""
        if record is None or not self._dump.has(f"{folder}/{record.path}"):
            return None
        return self._dump.path(f"{folder}/{record.path}")

    # Avatars

    def _pictures(self) -> set[int]:
        """Return accounts with an avatar; of several sizes the original is used."""
        for record in self._list("avatars"):
            file = self._file("avatars", record)
            if file is None or record.user_profile_id is None:
                self._left_out["pictures of people whose files are missing"] += 1
                continue
            person = self._numbers.perhaps(record.user_profile_id)
            is_original = record.path.endswith(".original")
            if person is None or (("avatars", person) in self._files_by_id and not is_original):
                continue
            if _is_usable(file, is_emoji=False):
                self._files_by_id["avatars", person] = file
            else:
                self._left_out["pictures of people in a format that is not shown"] += 1
        return {number for kind, number in self._files_by_id if kind == "avatars"}

    # Emoji

    def emoji(self) -> Iterator[Placed]:
        """Yield the emoji with displayable images."""
        images = {record.file_name: record for record in self._list("emoji")}
        names = set[str]()
        for where, row in self._dump.table("zerver_realmemoji", rows.Emoji):
            file = self._file("emoji", images.get(row.file_name))
            if file is None or not _is_usable(file, is_emoji=True) or not is_emoji_name(row.name):
                self._left_out["custom emoji without an image that can be shown"] += 1
                continue
            is_active = not row.deactivated and row.name not in names
            if is_active:
                names.add(row.name)
            self._files_by_id["emoji", row.id] = file
            author = self._numbers.perhaps(row.author)
            yield where, form.Emoji(id=row.id, name=row.name, author=author, is_active=is_active)

    # Uploads

    def uploads(self) -> Iterator[Placed]:
        """Yield the files whose bytes exist, under the paths that messages link."""
        path_ids = set[str]()
        for where, row in self._dump.table("zerver_attachment", rows.Attachment):
            record = self._uploads.get(row.path_id)
            path_ids.add(row.path_id)
            file = self._file("uploads", record)
            if record is None or file is None:
                self._left_out["files that are missing"] += 1
                continue
            path = content_here(f"/user_uploads/{row.path_id}").removeprefix("/user_uploads/")
            if not _PATH.fullmatch(path) or len(path) > 500:
                self._left_out["files whose names are no paths"] += 1
                continue
            self._files_by_id["uploads", row.id] = file
            yield (
                where,
                form.File(
                    id=row.id,
                    path=path,
                    name=row.file_name,
                    content_type=_content_type(record, row.file_name),
                    person=self._numbers.person(row.owner, where),
                    created=row.create_time,
                ),
            )
        unknown = {record.path for record in self._uploads.values()} - path_ids
        if unknown:
            self._left_out["files that no message ever linked"] += len(unknown)


def _content_type(record: rows.FileRecord, name: str) -> str:
    """Return the type from the list, or else from the name."""
    return (record.content_type or mimetypes.guess_type(name)[0] or PLAIN_TYPE)[:200]


def _is_usable(file: Path, *, is_emoji: bool) -> bool:
    if not 0 < file.stat().st_size <= LARGEST_IMAGE:
        return False
    try:
        data = file.read_bytes()
        if is_emoji:
            extension_of(data)
        else:
            check_picture(data)
    except (ApiError, StartError):
        return False
    return True
