"""<time:2030-01-31T10:00:00+02:00>, a time shown in each reader's own zone. Pure."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup import html
from server_lite.markup.context import context_of
from server_lite.markup.rules.output import push_html
from server_lite.markup.times import MAX_LENGTH

_TIME: Final = re.compile(rf"<time:([^>\n]{{0,{MAX_LENGTH}}})>")


def time(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a time, in UTC by default. Invalid ones are shown with an error message."""
    match = _TIME.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    moment = context_of(state).moment(match[1])
    text = html.literal(match[1])
    if moment is None:
        error = f"Invalid time format: {text}"
        push_html(state, html.element("span", {"class": "timestamp-error"}, error))
    else:
        stamp = moment.replace(tzinfo=None).isoformat() + "Z"
        push_html(state, html.element("time", {"datetime": stamp}, text))
    state.pos = match.end()
    return True
