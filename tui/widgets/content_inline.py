"""Inline nodes of a message -> styled pieces of text, and these -> lines."""

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Any, assert_never

from textual.style import Style

from tui.api.model import UserGroupId, UserId
from tui.content import nodes as n
from tui.content.extracts import links, media_name
from tui.content.web import host
from tui.dataclass import dataclass
from tui.widgets.content_lines import Line, Piece, wrap
from tui.widgets.content_palette import Palette
from tui.widgets.pictures import Pictures

_STRONG = Style(bold=True)
_EMPHASIS = Style(italic=True)
_DELETED = Style(strike=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The reader that a message is drawn for: their mentions, and how times are shown.

    `zone` None is the zone of the machine.
    """

    user_id: UserId | None = None
    group_ids: frozenset[UserGroupId] = frozenset()
    zone: tzinfo | None = None
    twelve_hour: bool = False


@dataclass(slots=True)
class RenderContext:
    """The state of drawing one message."""

    nodes: Sequence[n.BlockNode]
    palette: Palette
    reader: Reader
    revealed: frozenset[int]
    pictures: Pictures | None = None
    line: int = 0
    spoiler: int = 0
    code: int = 0
    _links: dict[int, int] = field(default_factory=dict)

    def link(self, node: n.LinkNode) -> Style:
        """Return the meta of the link `node`: its index in `links` of the message."""
        return meta("link", self.index(node))

    def index(self, node: n.LinkNode) -> int:
        """Return the index of `node` in `links` of the message."""
        if not self._links:
            self._links = {id(link): i for i, link in enumerate(links(self.nodes))}
        return self._links[id(node)]


@lru_cache(maxsize=64)
def meta(name: str, value: int) -> Style:
    """Return a style with only meta, for clicks."""
    data: dict[str, Any] = {name: value}
    return Style.from_meta(data)


def pieces_of(
    nodes: Sequence[n.InlineNode], drawing: RenderContext, style: Style | None = None
) -> list[Piece]:
    """Return the text of inline nodes in `style`, or in that of the message."""
    pieces: list[Piece] = []
    _add(nodes, drawing.palette.base if style is None else style, drawing, pieces)
    return pieces


def wrapped(pieces: list[Piece], width: int, drawing: RenderContext) -> list[Line]:
    """Return pieces as lines, which take the next numbers of the message's lines of text."""
    lines = wrap(pieces, width, drawing.line)
    drawing.line += sum([text.count("\n") for text, _ in pieces]) + 1
    return lines


def _add(
    nodes: Sequence[n.InlineNode], style: Style, drawing: RenderContext, pieces: list[Piece]
) -> None:
    palette = drawing.palette
    for node in nodes:
        match node:
            case n.Text(text=text):
                pieces.append((text, style))
            case n.LineBreak():
                pieces.append(("\n", style))
            case n.InlineCode(text=text):
                pieces.append((text, style + palette.code))
            case n.Strong(children=children):
                _add(children, style + _STRONG, drawing, pieces)
            case n.Emphasis(children=children):
                _add(children, style + _EMPHASIS, drawing, pieces)
            case n.Deleted(children=children):
                _add(children, style + _DELETED, drawing, pieces)
            case n.Inserted(children=children):
                _add(children, style + palette.inserted, drawing, pieces)
            case n.Highlight(children=children):
                _add(children, style + palette.highlight, drawing, pieces)
            case n.Link(children=children):
                _add_link(node, children, style + palette.link, drawing, pieces)
            case n.ChatLink(children=children):
                _add_link(node, children, style + palette.chat_link, drawing, pieces)
            case n.UserMention() | n.GroupMention() | n.WildcardMention():
                pieces.append((node.text, style + _mention(node, drawing)))
            case n.Emoji(text=text):
                pieces.append((text, style))
            case n.CustomEmoji(name=name):
                pieces.append((f":{name}:", style + palette.muted))
            case n.Time():
                pieces.append((time_text(node, drawing.reader), style + palette.time))
            case n.Math(tex=tex):
                pieces.append((tex, style + palette.math))
            case n.Mistake(text=text):
                pieces.append((text, style + palette.mistake))
            case n.Media():
                pieces += media_pieces(node, drawing, style)
            case n.Unknown(children=children):
                _add(children, style, drawing, pieces)
            case _:
                assert_never(node)


def _add_link(
    node: n.Link | n.ChatLink,
    children: Sequence[n.InlineNode],
    style: Style,
    drawing: RenderContext,
    pieces: list[Piece],
) -> None:
    style += drawing.link(node)
    if children:
        _add(children, style, drawing, pieces)
    else:
        pieces.append((node.href, style))


def _mention(
    node: n.UserMention | n.GroupMention | n.WildcardMention, drawing: RenderContext
) -> Style:
    palette = drawing.palette
    reader = drawing.reader
    of_reader, click = True, Style()
    if isinstance(node, n.UserMention):
        of_reader = node.user_id is not None and node.user_id == reader.user_id
        click = Style() if node.user_id is None else meta("user", node.user_id)
    elif isinstance(node, n.GroupMention):
        of_reader = node.group_id in reader.group_ids
        click = Style() if node.group_id is None else meta("group", node.group_id)
    style = palette.mention_of_reader if of_reader and not node.silent else palette.mention
    return style + click


def media_pieces(node: n.Media, drawing: RenderContext, style: Style) -> list[Piece]:
    """Return a picture, video or sound in words: kind, name, size."""
    palette = drawing.palette
    link = drawing.link(node)
    pieces = [
        (f"{node.kind} ", style + palette.muted + link),
        (media_name(node), style + palette.link + link),
    ]
    about = media_about(node)
    if about:
        pieces.append((f" {about}", style + palette.muted + link))
    return pieces


def media_about(node: n.Media) -> str:
    """Return the size of a picture or film, and the host if it is not the own server."""
    size = f"{node.size[0]}×{node.size[1]}" if node.size is not None else ""
    return " · ".join(filter(None, (size, host(node.href))))


def time_text(node: n.Time, reader: Reader) -> str:
    """Return a time in the reader's zone, such as `Thu 31 Jan 2030, 10:00`."""
    try:
        at: datetime = node.at.astimezone(reader.zone)
    except (OverflowError, ValueError, OSError):  # at the ends of the calendar
        at = node.at
    day = f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at.year}"
    if not reader.twelve_hour:
        return f"{day}, {at.hour:02}:{at.minute:02}"
    return f"{day}, {at.hour % 12 or 12}:{at.minute:02} {'PM' if at.hour >= 12 else 'AM'}"


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
