"""What the server logs, as lines for a terminal or a journal. Nothing in them forges a line or is obeyed."""

import logging

from server_lite.cli.output import inert


def log_to_stderr() -> None:
    """Write warnings and errors of the server to standard error, a line each; tracebacks are indented."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Inert())
    logging.getLogger().addHandler(handler)


class _Inert(logging.Formatter):
    """What a request brought along ends in messages and in tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        lines = [inert(record.getMessage())]
        if record.exc_info:  # formatted here: another handler may have left its text on the record
            text = self.formatException(record.exc_info)
            lines += [f"  {inert(line)}" for line in text.splitlines()]
        return "\n".join(lines)
