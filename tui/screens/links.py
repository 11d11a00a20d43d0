"""Links of messages: into the chat, or outside, where nothing is opened unasked. Pure but for types."""

from typing import assert_never
from urllib.parse import urljoin, urlsplit

from tui.api.model import ChannelId, MessageId, UserId
from tui.content.extracts import inline_text, media_name
from tui.content.nodes import ChatLink, Embed, Link, LinkNode, Media
from tui.content.sanitise import sanitise_line
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow

OPENED = ("http", "https", "mailto")
"""Schemes that a browser or mail program is started for; others are only shown."""


def inside(link: LinkNode, self_id: UserId) -> tuple[Narrow, MessageId | None] | None:
    """Where a link into this chat leads; None if it leads outside."""
    if not isinstance(link, ChatLink):
        return None
    near = link.message_id if link.near else None
    if link.channel_id is not None:
        channel_id = ChannelId(link.channel_id)
        if link.topic is None:
            return ChannelNarrow(channel_id), near
        return TopicNarrow(channel_id, link.topic), near
    return DmNarrow(frozenset({*link.user_ids, self_id})), near


def address(link: LinkNode, site: str) -> str:
    """The whole address; what the server wrote relative to itself is completed."""
    return urljoin(site.rstrip("/") + "/", link.href)


def can_open(url: str) -> bool:
    """Whether there is something that opens it and does no harm by that."""
    try:
        return urlsplit(url).scheme in OPENED and url.isprintable()
    except ValueError:
        return False


def words(link: LinkNode) -> str:
    """How a link is named in a list."""
    match link:
        case Link() | ChatLink():
            text = inline_text(link.children)
        case Media():
            text = media_name(link)
        case Embed():
            text = link.title
        case _:
            assert_never(link)
    return sanitise_line(text or link.href)
