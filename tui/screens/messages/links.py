"""Links of messages: into the chat, or outside, which need a question first. Pure but for types."""

from typing import assert_never

from tui.api.model import UserId
from tui.content import web
from tui.content.extracts import inline_text, media_name
from tui.content.nodes import ChatLink, Embed, Link, LinkNode, Media
from tui.content.sanitize import sanitize_line
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow, permalink


def inside(link: LinkNode, site: str, self_id: UserId) -> permalink.Link | None:
    """Return the target of a link within this chat; None if it leads outside."""
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
    """Return the target of a pasted URL; None if it is not one of this chat's."""
    home, mark, fragment = text.strip().partition("#")
    if home.rstrip("/") not in ("", site.rstrip("/")):
        return None
    return permalink.parse_permalink(mark + fragment, self_id)


def address(link: LinkNode, site: str) -> str:
    """Return the absolute URL of a link."""
    return web.joined(site, link.href)


def opened(url: str) -> str | None:
    """Return a URL that may be given to a browser or mail program; None for one that is only shown."""
    if web.split(url).scheme == "mailto" and url.isprintable():
        return url
    return web.browsable(url)


def words(link: LinkNode) -> str:
    """Return the label of a link in a list."""
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
