"""The backup of a database that is kept before its schema is migrated. Changes no organization."""

import logging
import os
import re
from contextlib import suppress
from pathlib import Path

import apsw

from server_lite.errors import StartError
from server_lite.store import backups, checksums
from server_lite.store.migrations import newest

log = logging.getLogger("chinwag.server")


def kept_path(path: Path) -> Path:
    """Return the backup's path: `team.db` -> `team.db.before-schema-31`."""
    whole = path.resolve()
    return whole.with_name(f"{whole.name}.before-schema-{newest()}")


def keep(path: Path) -> None:
    """Copy an older file to `team.db.before-schema-30`, once; raises StartError on failure.

    The number is the target schema: a migration that is killed between two steps and continued later
    keeps the copy of its beginning.

    Copies of earlier migrations are removed when the new one is complete: one is enough to go back.
    """
    whole = path.resolve()
    try:
        kept = kept_path(path)
        if kept.exists():  # a migration that was killed: this is the original file
            return
        draft = whole.with_name(f".{kept.name}.part-{os.getpid()}")
        try:
            counts = backups.copy(whole, draft, lambda _done, _of: None)
            faults = backups.faults(draft, counts=counts)
            if faults:
                raise StartError(f"{path} is damaged and was not upgraded: {'; '.join(faults)}.")
            draft.rename(kept)
            backups.sync(whole.parent)
        finally:
            backups.discard(draft)
    except (apsw.Error, OSError) as error:
        if checksums.is_mismatch(error):
            raise StartError(
                f"{path} is damaged and was not upgraded: {checksums.MISMATCH}."
            ) from error
        raise StartError(
            f"{path} was not upgraded: a copy of it could not be made ({error})."
            " Free disk space, and try again."
        ) from error
    log.warning("%s is upgraded; the old file is kept as %s", path, kept)
    _remove_earlier(whole, kept)


def _remove_earlier(whole: Path, kept: Path) -> None:
    name = re.compile(
        re.escape(whole.name) + r"\.before-schema-\d+|"
        r"\." + re.escape(whole.name) + r"\.before-schema-\d+\.part-\d+"
    )
    for other in list(whole.parent.iterdir()):
        if other != kept and name.fullmatch(other.name):
            with suppress(OSError):
                other.unlink()
