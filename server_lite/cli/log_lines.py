"""Formats the server's log. Logged text cannot forge lines or control a terminal."""

import json
import logging
from datetime import UTC, datetime

from server_lite.cli.output import inert


def log_to_stderr(form: str = "text", level: str = "warning") -> None:
    """Write log records of `level` and above to standard error.

    `text` is one line each, with indented tracebacks; `json` is one object per line.
    """
    handler = logging.StreamHandler()
    handler.setLevel(level.upper())
    handler.setFormatter(_Json() if form == "json" else _Inert())
    logging.getLogger().addHandler(handler)
    # Only our own: at `info`, libraries would log URLs with keys.
    logging.getLogger("chinwag").setLevel(level.upper())


class _Inert(logging.Formatter):
    """Escapes text from requests, which ends up in messages and tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        lines = [inert(record.getMessage())]
        if record.exc_info:  # formatted here: another handler may have left its text on the record
            text = self.formatException(record.exc_info)
            lines += [f"  {inert(line)}" for line in text.splitlines()]
        return "\n".join(lines)


class _Json(logging.Formatter):
    """Escapes everything but printable ASCII, so that no line can be forged."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields).replace("\x7f", "\\u007f")
