"""The log of bugs, and the sentences about them. No Textual, no network.

A log says what the program did, without its data: likely secrets are removed, long values are cut, and
control characters are escaped. Its mode is 0600.
"""

import logging
import re
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final

from tui import VERSION, bugs
from tui.cache import log_file
from tui.errors import TuiError
from tui.host import LOCAL, Host

NAME: Final = "crash.log"
LONGEST_LINE: Final = 300
"""Longest line in characters; an error may quote a whole message."""
QUIET_SECONDS: Final = 30.0
"""Seconds in which the same bug is logged and shown only once."""
REMOVED: Final = "[removed]"

_NAMED: Final = (
    r"""(?i)((?:password|secret|token|authorization|api_?key|\bkey)['"]?\s*[=:]\s*(?:basic |bearer )?)"""
    r"""[^\s,;)}]+"""
)
_RANDOM: Final = r"(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z])[\w+=-]{20,}"
"""Words that only machines make: keys, tokens and hashes."""
_CODE: Final = r'  File "|    '
"""The beginnings of a traceback's lines that quote the program's source."""


def crashed(folder: Path, error: BaseException, host: Host = LOCAL) -> str:
    """Log a crash; return the sentences to end with."""
    path, reason = _write(folder, error)
    if reason:
        return f"Chinwag crashed ({type(error).__name__}). {reason}"
    if not host.is_local:
        return "Chinwag crashed because of a bug. Your drafts are saved."
    return f"Chinwag crashed because of a bug.\nPlease attach this log to a bug report: {path}"


class CrashLog(logging.Handler):
    """Listens to `bugs.report` and to asyncio, writes the log, and passes sentences to `notify`.

    `notify` may be called from any thread.
    """

    def __init__(
        self,
        folder: Path,
        notify: Callable[[str], None],
        *,
        host: Host = LOCAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """The log's path is shown only on the user's own machine, according to `host`."""
        super().__init__(logging.ERROR)
        self._host = host
        self._folder = folder
        self._notify = notify
        self._clock = clock
        self._shown: dict[str, float] = {}
        self._loggers = (logging.getLogger("tui"), logging.getLogger("asyncio"))
        self._excepthook = threading.excepthook

    def begin(self) -> None:
        """Begin to listen, also for threads."""
        for logger in self._loggers:
            logger.addHandler(self)
        self._excepthook = threading.excepthook
        threading.excepthook = _thread_failed

    def end(self) -> None:
        """Stop listening."""
        for logger in self._loggers:
            logger.removeHandler(self)
        threading.excepthook = self._excepthook

    def emit(self, record: logging.LogRecord) -> None:
        """Log a bug and show it, unless the same one was shown a moment ago."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or self._is_known(error):
            return
        if isinstance(error, TuiError):  # no bug, and its sentence says what to do
            self._notify(str(error))
            return
        path, reason = _write(self._folder, error)
        doing = getattr(record, "doing", "A background task")
        if getattr(record, "persists", False):
            text = f"{doing} keeps failing because of a bug. Restarting Chinwag may help."
        else:
            text = f"{doing} failed because of a bug."
        self._notify(f"{text} {reason or (f'The log is at {path}' if self._host.is_local else '')}")

    def _is_known(self, error: BaseException) -> bool:
        now, place = self._clock(), _place(error)
        shown_at = self._shown.get(place)
        if shown_at is not None and now - shown_at < QUIET_SECONDS:
            return True
        self._shown[place] = now
        return False


def _thread_failed(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None:
        bugs.report(failed.exc_value, "A background thread")


def _place(error: BaseException) -> str:
    """Return the identity of a bug: the kind of the error, and the line that raised it."""
    at: TracebackType | None = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    line = f"{at.tb_frame.f_code.co_filename}:{at.tb_lineno}" if at is not None else ""
    return f"{type(error).__name__} {line}"


def _write(folder: Path, error: BaseException) -> tuple[Path, str]:
    """Write to the log; return its path, and why that failed ("" if it did not)."""
    import platform  # no start waits for it

    path = folder / NAME
    entry = (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC, chinwag {VERSION},"
        f" Python {platform.python_version()}, {platform.system()}\n{_entry(error)}\n"
    )
    try:
        log_file.append(path, entry)
    except OSError as trouble:
        return path, f"The log cannot be written: {trouble.strerror or 'the disk failed'}."
    return path, ""


def _entry(error: BaseException) -> str:
    from tui.content.sanitize import sanitize

    lines = sanitize("".join(traceback.format_exception(error))).splitlines()
    return "".join(f"{_without_values(line)}\n" for line in lines)


def _without_values(line: str) -> str:
    if re.match(_CODE, line):
        return line
    line = re.sub(_NAMED, rf"\1{REMOVED}", line)
    line = re.sub(_RANDOM, REMOVED, line)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
