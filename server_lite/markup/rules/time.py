"""<time:2030-01-31T10:00:00+02:00>, a moment that each reader sees in their own zone. Pure."""

import re
from datetime import UTC, datetime
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup import html
from server_lite.markup.rules.output import push_html

_TIME: Final = re.compile(r"<time:([^<>\n]{1,64})>")
_SECONDS: Final = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?")


def time(state: StateInline, silent: bool) -> bool:  # noqa: ARG001 - the parser's signature
    """ISO 8601 (UTC where no zone is given) or UNIX seconds; anything else stays text."""
    match = _TIME.match(state.src, state.pos, state.posMax)
    moment = _parsed(match[1].strip()) if match else None
    if match is None or moment is None:
        return False
    stamp = moment.replace(tzinfo=None, microsecond=0).isoformat() + "Z"
    push_html(state, html.element("time", {"datetime": stamp}, html.text(match[1])))
    state.pos = match.end()
    return True


def _parsed(words: str) -> datetime | None:
    try:
        if _SECONDS.fullmatch(words):
            return datetime.fromtimestamp(float(words), UTC)
        moment = datetime.fromisoformat(words)
        zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return zoned.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
