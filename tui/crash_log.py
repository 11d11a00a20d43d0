"""Where a bug is written down that ended the program, for those who mend it. No Textual, no network."""

import os
import platform
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tui import VERSION

NAME: Final = "crash.log"
LARGEST: Final = 2**20
"""Bytes; a log that is larger begins anew."""


def write(folder: Path, error: BaseException) -> str:
    """Add it to the log of this folder; answers the sentence that says so.

    The log says what the program did, without the values it did it with, and is for its owner only.
    """
    path = folder / NAME
    said = "".join(traceback.format_exception(error))
    entry = (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, chinwag {VERSION},"
        f" Python {platform.python_version()}, {platform.system()}\n{said}\n"
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_large = path.exists() and path.stat().st_size > LARGEST
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_large else os.O_APPEND)
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as log:
            log.write(entry)
    except OSError as trouble:
        reason = trouble.strerror or "the disk is in trouble"
        return f"Chinwag ended by a mistake of its own ({type(error).__name__}). It is in no log: {reason}."
    return (
        "Chinwag ended by a mistake of its own. What you were writing is kept.\n"
        f"The log, for those who mend it: {path}"
    )
