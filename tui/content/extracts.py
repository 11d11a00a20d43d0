"""Extracts text, links, code, spoilers and unknown elements from a message.

Pure: no I/O, no Textual. The order is always that of the message, hidden spoilers included, so an index into
`links`, `code_blocks` or `spoilers` refers to the same node wherever it is used.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar, assert_never

from tui.content import nodes as n

_Kind = TypeVar("_Kind")


def walk(nodes: Sequence[n.Node]) -> Iterator[n.Node]:
    """Yield every node at any depth, a parent before its children."""
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(_below(node)))


def _below(node: n.Node) -> Sequence[n.Node]:
    match node:
        case (
            n.Strong()
            | n.Emphasis()
            | n.Deleted()
            | n.Inserted()
            | n.Highlight()
            | n.Link()
            | n.ChatLink()
            | n.Unknown()
            | n.Paragraph()
            | n.Heading()
            | n.Quote()
            | n.UnknownBlock()
        ):
            return node.children
        case n.ListBlock():
            return [block for item in node.items for block in item]
        case n.Spoiler():
            return (*node.header, *node.body)
        case n.Table():
            return [child for row in (node.header, *node.rows) for cell in row for child in cell]
        case _:
            return ()


def _of(kinds: tuple[type[_Kind], ...], nodes: Sequence[n.Node]) -> tuple[_Kind, ...]:
    return tuple(node for node in walk(nodes) if isinstance(node, kinds))


def links(nodes: Sequence[n.Node]) -> tuple[n.LinkNode, ...]:
    """Return all nodes that can be opened: links, chat links, media, embeds."""
    kinds: tuple[type[n.LinkNode], ...] = (n.Link, n.ChatLink, n.Media, n.Embed)
    return _of(kinds, nodes)


def code_blocks(nodes: Sequence[n.Node]) -> tuple[n.CodeBlock, ...]:
    """Return the code blocks."""
    return _of((n.CodeBlock,), nodes)


def spoilers(nodes: Sequence[n.Node]) -> tuple[n.Spoiler, ...]:
    """Return the spoilers, those within spoilers too."""
    return _of((n.Spoiler,), nodes)


def unknown(nodes: Sequence[n.Node]) -> tuple[n.Unknown | n.UnknownBlock, ...]:
    """Return the nodes of unknown elements."""
    kinds: tuple[type[n.Unknown | n.UnknownBlock], ...] = (n.Unknown, n.UnknownBlock)
    return _of(kinds, nodes)


def plain_text(nodes: Sequence[n.BlockNode], *, reveal: bool = False) -> str:
    """Return the message as plain text, without a last newline: for copying, notifications, snippets.

    Quotes get `> `, lists their bullets and numbers. The hidden part of a spoiler is left out unless
    `reveal`.
    """
    return "\n".join(_lines(nodes, reveal)).strip("\n")


def inline_text(nodes: Sequence[n.InlineNode]) -> str:
    """Return the text of inline nodes."""
    return "".join(map(_inline_text, nodes))


def _inline_text(node: n.InlineNode) -> str:
    match node:
        case (
            n.Text(text=text)
            | n.InlineCode(text=text)
            | n.UserMention(text=text)
            | n.GroupMention(text=text)
            | n.WildcardMention(text=text)
            | n.Emoji(text=text)
            | n.Time(text=text)
            | n.Mistake(text=text)
            | n.Math(tex=text)
        ):
            return text
        case n.LineBreak():
            return "\n"
        case (
            n.Strong()
            | n.Emphasis()
            | n.Deleted()
            | n.Inserted()
            | n.Highlight()
            | n.Link()
            | n.ChatLink()
            | n.Unknown()
        ):
            return inline_text(node.children)
        case n.CustomEmoji(name=name):
            return f":{name}:"
        case n.Media():
            return f"[{media_name(node)}]"
        case _:
            assert_never(node)


def media_name(media: n.Media) -> str:
    """Return the label of a picture, video or sound: its title, else the last part of its URL."""
    path = media.href.partition("?")[0].partition("#")[0]
    return media.title or path.rstrip("/").rpartition("/")[2] or media.kind


def _block_lines(node: n.BlockNode, reveal: bool) -> list[str]:
    match node:
        case n.Quote(children=children):
            return [f"> {line}" for line in _lines(children, reveal)]
        case n.ListBlock(start=start, items=items):
            item_lines: list[str] = []
            for i, item in enumerate(items):
                marker = "- " if start is None else f"{start + i}. "
                item_lines += _hang(marker, _lines(item, reveal))
            return item_lines
        case n.CodeBlock():
            return node.text.split("\n")
        case n.MathBlock(tex=tex):
            return tex.split("\n")
        case n.Spoiler(header=header, body=body):
            title = _lines(header, reveal) or ["Spoiler"]
            return [*title, *_lines(body, reveal)] if reveal else [*title[:-1], f"{title[-1]} (…)"]
        case n.Table(header=header, rows=rows):
            shown = [row for row in (header, *rows) if any(row)]
            return [" | ".join(inline_text(cell) for cell in row) for row in shown]
        case n.Rule():
            return ["---"]
        case n.Embed(title=title_text, href=href):
            return [title_text or href]
        case n.Paragraph() | n.Heading():
            return inline_text(node.children).split("\n")
        case n.UnknownBlock():
            return _lines(node.children, reveal)
        case n.Media():
            return [f"[{media_name(node)}]"]
        case _:
            assert_never(node)


def _lines(nodes: Sequence[n.BlockNode], reveal: bool) -> list[str]:
    return [line for node in nodes for line in _block_lines(node, reveal)]


def _hang(marker: str, lines: list[str]) -> list[str]:
    rest = " " * len(marker)
    return [(rest if i else marker) + line for i, line in enumerate(lines or [""])]
