"""Links of messages: into the chat, or outside, where nothing is opened unasked. Pure but for types."""

from typing import assert_never

from tui.api.model import UserId
from tui.content import web
from tui.content.extracts import inline_text, media_name
from tui.content.nodes import ChatLink, Embed, Link, LinkNode, Media
from tui.content.sanitize import sanitize_line
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow, permalink


def inside(link: LinkNode, site: str, self_id: UserId) -> permalink.Link | None:
    """Where a link into this chat leads; None if it leads outside."""
    if not isinstance(link, ChatLink):
        return pasted(address(link, site), site, self_id)
    place: Narrow
    if link.channel_id is None:
        place = DmNarrow(frozenset({*link.user_ids, self_id}))
    elif link.topic is None:
        place = ChannelNarrow(link.channel_id)
    else:
        place = TopicNarrow(link.channel_id, link.topic)
    near, with_id = (link.message_id, None) if link.near else (None, link.message_id)
    return permalink.Link(narrow=place, near=near, with_id=with_id)


def pasted(text: str, site: str, self_id: UserId) -> permalink.Link | None:
    """Where an address leads that somebody copied; None if it is none of this chat's."""
    home, mark, fragment = text.strip().partition("#")
    if home.rstrip("/") not in ("", site.rstrip("/")):
        return None
    return permalink.parse_permalink(mark + fragment, self_id)


def address(link: LinkNode, site: str) -> str:
    """The whole address; what the server wrote relative to itself is completed."""
    return web.joined(site, link.href)


def opened(url: str) -> str | None:
    """An address as it is given to a browser or mail program; None for one that is only shown."""
    if web.split(url).scheme == "mailto" and url.isprintable():
        return url
    return web.browsable(url)


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
    return sanitize_line(text or link.href)
