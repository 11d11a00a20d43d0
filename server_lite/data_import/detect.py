"""Detects the format of a file or folder by its contents, not by its name. Unpacks valid archives."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from server_lite.data_import.archive import unpack_tar, unpack_zip
from server_lite.data_import.jsonl import JsonLines
from server_lite.data_import.mattermost.source import MattermostExport
from server_lite.data_import.mbox.source import MailArchive
from server_lite.data_import.slack.source import CHANNELS, USERS, SlackExport
from server_lite.data_import.source import Source
from server_lite.data_import.zulip.source import ZulipExport
from server_lite.errors import StartError

_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
_MAILBOX: Final = b"From "
_MATTERMOST: Final = b'{"type":"version"'
REALM: Final = "realm.json"


@contextmanager
def opened(path: Path, *, work: Path) -> Iterator[Source]:
    """Open the source at a path; `work` is a temporary folder, deleted afterwards. Raises StartError."""
    work.mkdir(mode=0o700)
    try:
        yield _source(path, work)
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror}.") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _source(path: Path, work: Path) -> Source:
    if path.is_dir():
        if (path / CHANNELS).is_file() and (path / USERS).is_file():
            return SlackExport(path, path)
        return ZulipExport(path, _root(path, path), work / "tables")
    if path.exists() and not path.is_file():
        raise StartError(f"{path} is neither a file nor a folder.")
    with path.open("rb") as file:
        head = file.read(512)
    if head.startswith(_GZIP):
        unpack_tar(path, work / "files")
        return ZulipExport(path, _root(work / "files", path), work / "tables")
    if head.startswith(_ZIP):
        unpack_zip(path, work / "files")
        return _of_zip(path, work / "files")
    if head.startswith(_MAILBOX):
        return MailArchive(path, work / "files")
    if b"".join(head.split()).startswith(_MATTERMOST):
        return MattermostExport(path, path, None)
    return JsonLines(path)


def _of_zip(path: Path, folder: Path) -> Source:
    if (folder / CHANNELS).is_file():
        return SlackExport(path, folder)
    lines = list(folder.glob("*.jsonl"))
    if len(lines) == 1:
        return MattermostExport(path, lines[0], folder)
    raise StartError(f"{path} is no export of Slack or Mattermost: it has no {CHANNELS} or lines.")


def _root(folder: Path, path: Path) -> Path:
    """Return the folder with `realm.json`: this one, or the only one in it."""
    inside = [one for one in folder.iterdir() if one.is_dir() and not one.is_symlink()]
    candidates = [folder, *inside] if len(inside) == 1 else [folder]
    for root in candidates:
        if (root / REALM).is_file():
            return root
        if (root / "user.json").is_file():
            raise StartError(
                f"{path} is the export of one person's data, without the organization:"
                " ask for an export of the organization."
            )
    raise StartError(f"{path} is no export: it has no {REALM}.")
