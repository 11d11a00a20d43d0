"""The copy of a file that is kept before this version changes its schema. Changes no organization."""

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
    """`team.db` -> `team.db.before-schema-31`: where the copy of an older file goes."""
    whole = path.resolve()
    return whole.with_name(f"{whole.name}.before-schema-{newest()}")


def keep(path: Path) -> None:
    """Copy an older file to `team.db.before-schema-30`, once; raises StartError where that fails.

    The number is the schema that it is brought to: an upgrade that is killed between two steps and goes
    on later keeps the copy of its beginning.

    Copies of earlier upgrades are removed when the new one is whole: one is enough to go back.
    """
    whole = path.resolve()
    try:
        kept = kept_path(path)
        if kept.exists():  # an upgrade that was killed: this is the file as it was before
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
