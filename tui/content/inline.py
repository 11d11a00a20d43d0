"""Elements of a tree -> inline nodes.

Pure: no I/O, no Textual. Never raises; an unknown element becomes `Unknown` with its content.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final, Literal

from tui.api.model import UserGroupId, UserId
from tui.content import nodes as n
from tui.content.addresses import parse_address
from tui.content.sanitize import sanitize, sanitize_line
from tui.content.tree import Content, Element

_DIMENSIONS = re.compile(r"([0-9]{1,6})x([0-9]{1,6})", re.ASCII)
_EMOJI_CLASS = re.compile(r"emoji-([0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15})")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_DIGITS = re.compile(r"[0-9]{1,18}", re.ASCII)


def parse_inline(contents: Iterable[Content]) -> tuple[n.InlineNode, ...]:
    """Return the nodes of a run of text and elements; neighboring texts become one node."""
    nodes: list[n.InlineNode] = []
    pending: list[str] = []
    for content in contents:
        if isinstance(content, str):
            pending.append(content)
            continue
        node = _HANDLERS.get(content.tag, _unknown)(content)
        if isinstance(node, n.Text):
            pending.append(node.text)
        else:
            _add_text(nodes, pending)
            nodes.append(node)
    _add_text(nodes, pending)
    return tuple(nodes)


def source_of(element: Element) -> str:
    """Return the tag and classes of an element, for `Unknown`."""
    return sanitize_line(".".join((element.tag, *element.classes)))[:80]


def media_of(element: Element) -> n.Media | None:
    """Return the media of an `<img>`, `<video>` or `<audio>`; None for other elements."""
    kinds: dict[str, Literal["image", "video", "audio"]]
    kinds = {"img": "image", "video": "video", "audio": "audio"}
    kind = kinds.get(element.tag)
    if kind is None:
        return None
    attrs = element.attrs
    src = sanitize_line(attrs.get("src", ""))
    original = attrs.get("data-original-src") or attrs.get("data-original-url")
    dimensions = _DIMENSIONS.fullmatch(attrs.get("data-original-dimensions", ""))
    content_type = attrs.get("data-original-content-type")
    return n.Media(
        kind=kind,
        href=sanitize_line(original) if original else src,
        src=src,
        title=sanitize_line(attrs.get("alt") or attrs.get("title") or ""),
        size=(int(dimensions[1]), int(dimensions[2])) if dimensions else None,
        content_type=sanitize_line(content_type) if content_type else None,
        animated="data-animated" in attrs,
        pending="image-loading-placeholder" in element.classes,
    )


def tex_of(element: Element) -> str | None:
    """Return the TeX source of a formula that KaTeX drew; None if there is none."""
    annotation = element.find("annotation")
    return None if annotation is None else sanitize(annotation.text()).strip("\n")


def _add_text(nodes: list[n.InlineNode], pending: list[str]) -> None:
    """Add one node for the pieces of text since the last other node."""
    if not pending:
        return
    text = "".join(pending)
    pending.clear()
    text = _SPACES.sub(" ", text)  # as in HTML; code is not handled here
    if nodes and isinstance(nodes[-1], n.LineBreak):
        text = text.removeprefix(" ")
    if text:
        nodes.append(n.Text(sanitize_line(text)))


def _line_text(element: Element) -> str:
    return sanitize_line(element.text())


def _unknown(element: Element) -> n.InlineNode:
    return n.Unknown(source=source_of(element), children=parse_inline(element.children))


def _strong(element: Element) -> n.InlineNode:
    return n.Strong(parse_inline(element.children))


def _emphasis(element: Element) -> n.InlineNode:
    return n.Emphasis(parse_inline(element.children))


def _deleted(element: Element) -> n.InlineNode:
    return n.Deleted(parse_inline(element.children))


def _inserted(element: Element) -> n.InlineNode:
    return n.Inserted(parse_inline(element.children))


def _code(element: Element) -> n.InlineNode:
    return n.InlineCode(_line_text(element))


def _break(_: Element) -> n.InlineNode:
    return n.LineBreak()


def _anchor(element: Element) -> n.InlineNode:
    href = element.attrs.get("href")
    if href is None:
        return _unknown(element)
    children = parse_inline(element.children)
    address = parse_address(href)
    href = sanitize_line(href)
    if address is None:
        return n.Link(href, children)
    return n.ChatLink(
        href=href,
        children=children,
        channel_id=address.channel_id,
        topic=address.topic,
        user_ids=address.user_ids,
        message_id=address.message_id,
        near=address.near,
    )


def _image(element: Element) -> n.InlineNode:
    if "emoji" in element.classes:
        name = element.attrs.get("alt", "").strip(":") or element.attrs.get("title", "")
        src = sanitize_line(element.attrs.get("src", ""))
        return n.CustomEmoji(name=sanitize_line(name), src=src)
    return _media(element)


def _media(element: Element) -> n.InlineNode:
    return media_of(element) or _unknown(element)


def _time(element: Element) -> n.InlineNode:
    try:
        at = datetime.fromisoformat(element.attrs.get("datetime", ""))
    except ValueError:
        return _unknown(element)
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return n.Time(at=at, text=_line_text(element))


def _span(element: Element) -> n.InlineNode:
    for cls in element.classes:
        handler = _SPANS.get(cls)
        if handler is not None:
            return handler(element)
    if not element.attrs:
        children = parse_inline(element.children)
        if len(children) == 1:
            return children[0]
    return _unknown(element)


def _user_mention(element: Element) -> n.InlineNode:
    text = _line_text(element)
    silent = "silent" in element.classes
    user_id = element.attrs.get("data-user-id", "")
    if user_id == "*" or "channel-wildcard-mention" in element.classes:
        return n.WildcardMention(text=text, audience="channel", silent=silent)
    mentioned_id = UserId(int(user_id)) if _DIGITS.fullmatch(user_id) else None
    return n.UserMention(text=text, user_id=mentioned_id, silent=silent)


def _group_mention(element: Element) -> n.InlineNode:
    group_id = element.attrs.get("data-user-group-id", "")
    return n.GroupMention(
        text=_line_text(element),
        group_id=UserGroupId(int(group_id)) if _DIGITS.fullmatch(group_id) else None,
        silent="silent" in element.classes,
    )


def _topic_mention(element: Element) -> n.InlineNode:
    silent = "silent" in element.classes
    return n.WildcardMention(text=_line_text(element), audience="topic", silent=silent)


def _emoji(element: Element) -> n.InlineNode:
    line_text = _line_text(element)
    for cls in element.classes:
        match = _EMOJI_CLASS.fullmatch(cls)
        if match is not None:
            text = emoji_text(match[1])
            if text:
                return n.Emoji(text=text, name=line_text.strip(":"))
    return n.Text(line_text)


def emoji_text(code: str) -> str:
    """Return the characters of an emoji code (`1f468-200d-1f4bb`); "" if it cannot be drawn.

    Codes leave U+FE0F out, and so does the result: terminals disagree on the width that it gives.
    """
    try:
        return sanitize_line("".join(chr(int(part, 16)) for part in code.split("-")))
    except ValueError:
        return ""


def _math(element: Element) -> n.InlineNode:
    tex = tex_of(element)
    return _unknown(element) if tex is None else n.Math(sanitize_line(tex))


def _mistake(element: Element) -> n.InlineNode:
    return n.Mistake(_line_text(element))


def _highlight(element: Element) -> n.InlineNode:
    return n.Highlight(parse_inline(element.children))


_Handler = Callable[[Element], n.InlineNode]

_HANDLERS: Final[dict[str, _Handler]] = {
    "a": _anchor,
    "audio": _media,
    "br": _break,
    "code": _code,
    "del": _deleted,
    "em": _emphasis,
    "img": _image,
    "span": _span,
    "strong": _strong,
    "time": _time,
    "video": _media,
}

_SPANS: Final[dict[str, _Handler]] = {
    "emoji": _emoji,
    "highlight": _highlight,
    "highlight_text_deleted": _deleted,
    "highlight_text_inserted": _inserted,
    "katex": _math,
    "katex-display": _math,
    "tex-error": _mistake,
    "timestamp-error": _mistake,
    "topic-mention": _topic_mention,
    "user-group-mention": _group_mention,
    "user-mention": _user_mention,
}
