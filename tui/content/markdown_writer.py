"""The nodes of a message as readable Markdown. Pure: no I/O, no Textual.

A message's text cannot become a heading, a picture or HTML of the page: special characters are escaped,
headings are bold lines, and pictures are links.
"""

import re
from collections.abc import Sequence
from typing import Final, assert_never

from tui.content import nodes as n
from tui.content.extracts import inline_text, media_name
from tui.content.web import browsable, joined

_MEANT: Final = re.compile(r"[\\`*\[\]<~|]|(?<!\w)_|_(?!\w)|&(?=[#\w])")
_BEGINS: Final = re.compile(r"[ \t]*(?:(#(?=#{0,5}(?:\s|$))|[>+=-])|([0-9]{1,9})([.)]))")
_TICKS: Final = re.compile("`{1,1000}")


def blocks_as_markdown(nodes: Sequence[n.BlockNode], site: str) -> str:
    """Return blocks as Markdown without a last newline; relative URLs are completed by `site`."""
    return "\n".join(_blocks(nodes, site))


def escaped(text: str) -> str:
    """Return text of one line, escaped for any position in Markdown, a line's beginning too."""
    return _escaped_start(_MEANT.sub(r"\\\g<0>", text))


def _escaped_start(line: str) -> str:
    """Escape the beginning of a line, so that it begins no block."""
    begins = _BEGINS.match(line)
    if begins is None:
        return line.lstrip(" \t")
    rest = line[begins.end() :]
    if begins[1]:
        return f"\\{begins[1]}{rest}"
    return f"{begins[2]}\\{begins[3]}{rest}"


def _blocks(nodes: Sequence[n.BlockNode], site: str) -> list[str]:
    """Return the lines of all blocks, with an empty line between two."""
    all_lines: list[str] = []
    for node in nodes:
        lines = _block(node, site)
        if all_lines and lines:
            all_lines.append("")
        all_lines += lines
    return all_lines


def _block(node: n.BlockNode, site: str) -> list[str]:
    match node:
        case n.Paragraph(children=children):
            return _paragraph(children, site)
        case n.Heading(children=children):
            return _paragraph((n.Strong(children),), site)
        case n.ListBlock(start=start, items=items):
            item_lines: list[str] = []
            for i, item in enumerate(items):
                marker = "- " if start is None else f"{min(start + i, 999_999_999)}. "
                item_lines += _hang(marker, " " * len(marker), _blocks(item, site))
            return item_lines
        case n.Quote(children=blocks):
            return _hang("> ", "> ", _blocks(blocks, site))
        case n.CodeBlock():
            return _fenced(node.text, node.language or "")
        case n.MathBlock(tex=tex):
            return _fenced(tex, "math")
        case n.Spoiler(header=header, body=body):
            title = _blocks(header, site) or ["Spoiler"]
            return [*title, "", *_hang("> ", "> ", _blocks(body, site))]
        case n.Table():
            return _table(node, site)
        case n.Rule():
            return ["---"]
        case n.Embed(href=href, title=title):
            return [_link(href, title or href, site)]
        case n.Media():
            return [_link(node.href, media_name(node), site)]
        case n.UnknownBlock(children=blocks):
            return _blocks(blocks, site)
        case _:
            assert_never(node)


def _hang(first: str, rest: str, lines: list[str]) -> list[str]:
    return [((rest if i else first) + line).rstrip() for i, line in enumerate(lines or [""])]


def _paragraph(nodes: Sequence[n.InlineNode], site: str) -> list[str]:
    lines = [_escaped_line(line) for line in _inlines(nodes, site).split("\n")]
    kept = [line for line in lines if line]
    # Two spaces would be a line break that readers of the source do not see.
    return [f"{line}\\" for line in kept[:-1]] + kept[-1:]


def _escaped_line(line: str) -> str:
    return _escaped_start(line).rstrip()


def _inlines(nodes: Sequence[n.InlineNode], site: str) -> str:
    return "".join(_inline(node, site) for node in nodes)


def _inline(node: n.InlineNode, site: str) -> str:
    match node:
        case (
            n.Text(text=text)
            | n.Emoji(text=text)
            | n.Mistake(text=text)
            | n.UserMention(text=text)
            | n.GroupMention(text=text)
            | n.WildcardMention(text=text)
            | n.Time(text=text)
        ):
            return _MEANT.sub(r"\\\g<0>", text)
        case n.LineBreak():
            return "\n"
        case n.InlineCode(text=text) | n.Math(tex=text):
            return _code(text)
        case n.Strong():
            return _marked("**", node.children, site)
        case n.Emphasis():
            return _marked("*", node.children, site)
        case n.Deleted():
            return _marked("~~", node.children, site)
        case n.Inserted(children=children) | n.Highlight(children=children):
            return _inlines(children, site)
        case n.Link(href=href) | n.ChatLink(href=href):
            return _link(href, inline_text(node.children), site)
        case n.CustomEmoji(name=name):
            return _MEANT.sub(r"\\\g<0>", f":{name}:")
        case n.Media():
            return _link(node.href, media_name(node), site)
        case n.Unknown(children=children):
            return _inlines(children, site)
        case _:
            assert_never(node)


def _marked(mark: str, children: Sequence[n.InlineNode], site: str) -> str:
    """Put marks around text: they work only where they touch it, on one line."""
    inner = _inlines(children, site).replace("\n", " ")
    bare = inner.strip()
    if not bare:
        return inner
    before = inner[: len(inner) - len(inner.lstrip())]
    return f"{before}{mark}{bare}{mark}{inner[len(inner.rstrip()) :]}"


def _code(text: str) -> str:
    line = " ".join(text.split("\n"))
    if not line.strip():
        return line
    fence = "`" * (max(map(len, _TICKS.findall(line)), default=0) + 1)
    room = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{room}{line}{room}{fence}"


def _fenced(text: str, language: str) -> list[str]:
    fence = "`" * max(3, max(map(len, _TICKS.findall(text)), default=0) + 1)
    return [fence + re.sub(r"[^\w+#.-]", "", language), *text.split("\n"), fence]


def _link(href: str, text: str, site: str) -> str:
    label = _MEANT.sub(r"\\\g<0>", " ".join(text.split()))
    url = browsable(joined(site, href))
    if url is None:
        return label
    address = url.replace("<", "%3C").replace(">", "%3E")
    return f"<{address}>" if text == url else f"[{label or address}](<{address}>)"


def _table(table: n.Table, site: str) -> list[str]:
    def row(cells: Sequence[n.Cell]) -> str:
        return f"| {' | '.join(' '.join(_inlines(cell, site).split()) for cell in cells)} |"

    signs = {"left": "---", "center": ":-:", "right": "--:"}
    ruler = f"| {' | '.join(signs[each] for each in table.alignments)} |"
    return [row(table.header), ruler, *map(row, table.rows)]
