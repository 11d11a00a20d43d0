"""What the server logs, as lines for a terminal or a journal. Nothing in them forges a line or is obeyed."""

import json
import logging
from datetime import UTC, datetime

from server_lite.cli.output import inert


def log_to_stderr(form: str = "text", level: str = "warning") -> None:
    """Write what the server logs from `level` on to standard error.

    `text` is a line each, tracebacks are indented; `json` is one object a line.
    """
    handler = logging.StreamHandler()
    handler.setLevel(level.upper())
    handler.setFormatter(_Json() if form == "json" else _Inert())
    logging.getLogger().addHandler(handler)
    # Only what is ours: at `info`, libraries would log addresses with keys in them.
    logging.getLogger("chinwag").setLevel(level.upper())


class _Inert(logging.Formatter):
    """What a request brought along ends in messages and in tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        lines = [inert(record.getMessage())]
        if record.exc_info:  # formatted here: another handler may have left its text on the record
            text = self.formatException(record.exc_info)
            lines += [f"  {inert(line)}" for line in text.splitlines()]
        return "\n".join(lines)


class _Json(logging.Formatter):
    """Whatever is not printable ASCII is escaped, so that no line can be forged here either."""

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
