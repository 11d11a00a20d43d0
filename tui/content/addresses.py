"""Parses URLs of this server's channels, topics, conversations and messages.

`#narrow/channel/9-design/topic/a.20b.2Ec/near/214` and its older forms. Pure, never raises; does not check
whether the reader has access.
"""

import re
from typing import Final
from urllib.parse import unquote

from tui.api.model import ChannelId, MessageId, UserId
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass

_PREFIX = re.compile(r"/?#narrow/")
_ID: Final = re.compile(r"[0-9]{1,18}(?![0-9])", re.ASCII)
_IDS: Final = re.compile(r"[0-9]{1,18}(?:,[0-9]{1,18})*(?![0-9])", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A place in the chat; the fields are those of `nodes.ChatLink`."""

    channel_id: ChannelId | None = None
    topic: str | None = None
    user_ids: tuple[UserId, ...] = ()
    message_id: MessageId | None = None
    near: bool = False


def parse_address(href: str) -> Address | None:
    """Return the place of `href`, relative to the server; None if it is another kind of link."""
    prefix = _PREFIX.match(href)
    if prefix is None:
        return None
    parts = href[prefix.end() :].split("/")
    if len(parts) % 2 and len(parts) > 4 and parts[2] == "topic":
        parts.insert(3, "")  # the empty topic may be left out
    if len(parts) % 2 and parts[-1]:
        return None  # an operator without its operand
    terms = dict(zip(parts[::2], parts[1::2], strict=False))
    if "topic" not in terms and "subject" in terms:
        terms["topic"] = terms["subject"]
    message = _ID.match(terms.get("near") or terms.get("with") or "")
    message_id = MessageId(int(message[0])) if message else None
    near = bool(message and terms.get("near"))
    channel = _ID.match(terms.get("channel") or terms.get("stream") or "")
    if channel is not None:
        topic = terms.get("topic")
        return Address(
            channel_id=ChannelId(int(channel[0])),
            topic=None if topic is None else decode_operand(topic),
            message_id=message_id,
            near=near,
        )
    people = _IDS.match(terms.get("dm") or terms.get("pm-with") or "")
    if people is None:
        return None
    user_ids = tuple(UserId(int(digits)) for digits in people[0].split(","))
    return Address(user_ids=user_ids, message_id=message_id, near=near)


def decode_operand(operand: str) -> str:
    """Decode a term of a URL: percent-encoding with `.` in place of `%`."""
    return sanitize_line(unquote(operand.replace(".", "%"), errors="replace"))
