"""Links to conversations and messages: `#narrow/channel/9-name/topic/a.20b/near/12`. No I/O.

Such a fragment is pairs of operator and operand, in which a dot stands for the percent sign of URLs; a
channel is its ID, followed by its name for people.
"""

import re
from typing import Literal
from urllib.parse import quote, unquote

from tui.api.model import MessageId, UserId
from tui.dataclass import dataclass
from tui.errors import BadNarrow
from tui.narrow.narrows import DmNarrow, Narrow, narrow_of
from tui.narrow.search_syntax import parse_operand
from tui.narrow.terms import ALIASES, OPERATORS, Operand, Term

_FRAGMENT = re.compile(r"#narrow(?:/(.*))?", re.DOTALL)
_LEADING_ID = re.compile(r"([0-9]{1,18})(-.*)?", re.DOTALL)
_LEADING_IDS = re.compile(r"([0-9]{1,18}(?:,[0-9]{1,18})*)(-.*)?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The target of a link: a message of a narrow (`near`), or its newest message.

    `with_id` is a message whose current conversation is the target.
    """

    narrow: Narrow
    near: MessageId | None
    with_id: MessageId | None


def format_permalink(
    narrow: Narrow,
    *,
    near: MessageId | None,
    channel_name: str | None,
    with_id: MessageId | None = None,
    channel_word: Literal["channel", "stream"] = "channel",
) -> str:
    """Return the fragment with its `#`; the channel's name makes it readable and may be left out."""
    segments = ["#narrow"]
    for term in narrow.terms():
        operand = _written(term, channel_name)
        if isinstance(narrow, DmNarrow):
            operand += "-group" if len(narrow.user_ids) > 2 else "-dm"
        operator = channel_word if term.operator == "channel" else term.operator
        segments += [f"{'-' if term.negated else ''}{operator}", _encode(operand)]
    for operator, message_id in (("near", near), ("with", with_id)):
        if message_id is not None:
            segments += [operator, str(message_id)]
    return "/".join(segments)


def parse_permalink(link: str, self_id: UserId) -> Link | None:
    """Return the target of a URL or fragment; None if it is no link into the chat."""
    _, mark, rest = link.partition("#")
    match = _FRAGMENT.fullmatch(mark + rest)
    if match is None:
        return None
    inside = (match[1] or "").rstrip("/")
    segments = inside.split("/") if inside else []
    if len(segments) % 2:
        segments.append("")
    terms: list[Term] = []
    messages: dict[str, MessageId] = {}
    for operator, operand in zip(segments[::2], segments[1::2], strict=True):
        term = _term(operator, _decode(operand))
        if term is None:
            return None
        if term.operator in ("near", "with"):
            assert isinstance(term.operand, int)
            messages[term.operator] = MessageId(term.operand)
        else:
            terms.append(term)
    narrow = narrow_of(terms, self_id)
    return Link(narrow=narrow, near=messages.get("near"), with_id=messages.get("with"))


def _term(operator: str, operand: str) -> Term | None:
    negated = operator.startswith("-")
    operator = operator.removeprefix("-")
    operator = ALIASES.get(operator, operator)
    if operator not in OPERATORS:
        return None
    try:
        return Term(operator, _read(operator, operand), negated)
    except BadNarrow:
        return None


def _read(operator: str, operand: str) -> Operand:
    if operator == "channel" and (match := _LEADING_ID.fullmatch(operand)):
        return int(match[1])
    if operator in ("dm", "dm-including") and (match := _LEADING_IDS.fullmatch(operand)):
        return tuple(int(part) for part in match[1].split(","))
    if operator == "sender" and (match := _LEADING_ID.fullmatch(operand)):
        return int(match[1])
    return parse_operand(operator, operand, quoted=operator == "topic")


def _written(term: Term, channel_name: str | None) -> str:
    if isinstance(term.operand, tuple):
        return ",".join(map(str, term.operand))
    if term.operator == "channel" and channel_name:
        return f"{term.operand}-{channel_name.replace(' ', '-')}"
    return str(term.operand)


def _encode(text: str) -> str:
    return quote(text, safe="!*',").replace(".", "%2E").replace("%", ".")


def _decode(text: str) -> str:
    # Links written by hand may have real percent signs.
    return unquote(re.sub(r"\.(?=[0-9A-Fa-f]{2})", "%", text))
