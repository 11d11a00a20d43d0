"""Renders a message and the links of a topic: the interface for the rest of the server. No I/O.

rendered = render("*hi* @**Mary**", lookup)
rendered.html, rendered.user_ids
"""

import re
from typing import Final

from server_lite.markup import html
from server_lite.markup.context import Context
from server_lite.markup.linkifiers import Allowance, all_hits
from server_lite.markup.lookup import Lookup
from server_lite.markup.parser import is_plain_line, parse
from server_lite.markup.previews import add_previews
from server_lite.markup.rendered import Rendered, TopicLink
from server_lite.markup.scan import trimmed
from server_lite.markup.text import text_of
from server_lite.markup.urls import safe_href

_URL: Final = re.compile(r"(?<![\w@])https?://[^\s<>\"]+")

# Letters, digits and punctuation in which nothing can begin: no markup, no name, no address, no emoticon.
_SENTENCE: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9 ,!?'\"()/-]|\.(?=[ .]|\Z))*+(?<! )")


def render(content: str, lookup: Lookup) -> Rendered:
    """Return the HTML of a message, and what was found in it.

    Cost is linear in the length of `content`, whatever it contains. Never raises.
    """
    if _SENTENCE.fullmatch(content) and not lookup.linkifiers():  # as most are
        return Rendered(html=f"<p>{content}</p>", plain=content)
    context = Context(lookup)
    if is_plain_line(content, context):  # the usual case: no parser is needed
        line = f"<p>{html.text(content)}</p>"
        return Rendered(html=line, plain=text_of(line))
    blocks = html.blocks(add_previews(parse(content, context), context))
    return Rendered(
        html=blocks,
        plain=text_of(blocks),
        user_ids=frozenset(context.user_ids),
        group_ids=frozenset(context.group_ids),
        mentions_channel=context.mentions_channel,
        mentions_topic=context.mentions_topic,
        has_link=context.has_link,
        has_image=context.has_image,
        upload_path_ids=tuple(context.path_ids),
        is_me_message=content.startswith("/me "),
    )


def topic_links(topic: str, lookup: Lookup) -> list[TopicLink]:
    """Return linkifier matches and web addresses in a topic, in the order of the text."""
    linkifiers = lookup.linkifiers()
    if not linkifiers and "://" not in topic:
        return []
    hits = all_hits(topic, linkifiers, Allowance())
    links = {hit.start: (hit.end, hit.url) for hit in hits}
    taken = bytearray(len(topic))
    for start, (end, _) in links.items():
        taken[start:end] = b"\x01" * (end - start)
    for match in _URL.finditer(topic):
        address = trimmed(match[0])
        end = match.start() + len(address)
        href = safe_href(address, "")
        if href is not None and not any(taken[match.start() : end]):
            links[match.start()] = (end, href)
    return [
        TopicLink(text=topic[start:end], url=url) for start, (end, url) in sorted(links.items())
    ]
