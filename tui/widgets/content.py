"""The nodes of a message -> lines ready to draw at a width.

Text of others goes to the screen as it is, never as markup, and no part of it becomes an action:
what can be clicked has meta of our own, an index or an id:

- `link`: index into `extracts.links`, `spoiler`: into `extracts.spoilers`, `code`: into
  `extracts.code_blocks` of the same nodes;
- `user`, `group`: the ID of the mentioned user or group.

No I/O, no clock, no store.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from tui.content import nodes as n
from tui.content.extracts import code_blocks, media_name, spoilers
from tui.widgets.content_inline import (
    Reader,
    RenderContext,
    media_about,
    media_pieces,
    meta,
    pieces_of,
    wrapped,
)
from tui.widgets.content_lines import (
    MIN_WIDTH,
    Line,
    Run,
    cells,
    fold,
    padded,
    shortened,
    to_content,
    to_strips,
)
from tui.widgets.content_palette import Palette
from tui.widgets.content_table import draw_table
from tui.widgets.pictures import Pictures, PictureState

READER: Final = Reader()

MIN_INNER: Final = 12
"""In cells; nothing is indented where less would be left for the text."""

BROKEN: Final = "↩"
"""At the right of a line of code that is continued in the next line of the screen."""

_DESCRIPTION_LINES: Final = 3
_BULLETS: Final = "•◦▪"
_BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}


def draw(
    nodes: Sequence[n.BlockNode],
    width: int,
    palette: Palette,
    *,
    reader: Reader = READER,
    revealed: frozenset[int] = frozenset(),
    pictures: Pictures | None = None,
) -> list[Strip]:
    """Return the lines of a message, each at most `width` cells (of which there are at least 2).

    `revealed`: indexes of the open spoilers. Without `pictures` these are words. Text has its place as
    `offset` in the meta of its segments; bars, bullets and padding have none.
    """
    return to_strips(_lines(nodes, width, palette, reader, revealed, pictures))


def draw_content(
    nodes: Sequence[n.BlockNode],
    width: int,
    palette: Palette,
    *,
    reader: Reader = READER,
    revealed: frozenset[int] = frozenset(),
) -> Content:
    """Return the message as one `Content`, for a widget that is not a list of lines."""
    return to_content(_lines(nodes, width, palette, reader, revealed))


def _lines(
    nodes: Sequence[n.BlockNode],
    width: int,
    palette: Palette,
    reader: Reader,
    revealed: frozenset[int],
    pictures: Pictures | None = None,
) -> list[Line]:
    drawing = RenderContext(nodes, palette, reader, revealed, pictures)
    return _blocks(nodes, max(width, MIN_WIDTH), drawing, palette.base)


def _blocks(
    nodes: Sequence[n.BlockNode], width: int, drawing: RenderContext, style: Style, depth: int = 0
) -> list[Line]:
    lines: list[Line] = []
    before: n.BlockNode | None = None
    for node in nodes:
        drawn = _block(node, width, drawing, style, depth)
        if before is not None and drawn and lines and _is_apart(before, node):
            lines.append([])
        lines += drawn
        before = node
    return lines


def _is_apart(before: n.BlockNode, node: n.BlockNode) -> bool:
    """Whether an empty line stands between two blocks that would look like one."""
    if isinstance(node, n.Heading):
        return True
    return isinstance(node, n.Paragraph) and isinstance(before, n.Paragraph | n.ListBlock | n.Table)


def _block(
    node: n.BlockNode, width: int, drawing: RenderContext, style: Style, depth: int
) -> list[Line]:
    palette = drawing.palette
    match node:
        case n.Paragraph(children=children):
            return _paragraph(children, width, drawing, style)
        case n.Heading(children=children):
            return wrapped(pieces_of(children, drawing, style + palette.heading), width, drawing)
        case n.ListBlock():
            return _list(node, width, drawing, style, depth)
        case n.Quote(children=children):
            inner = _blocks(children, _inner(width, 2), drawing, style + palette.quote, depth)
            return _barred(inner, width, style + palette.quote_bar)
        case n.CodeBlock():
            return _code(node, width, drawing, style)
        case n.MathBlock(tex=tex):
            math = wrapped([(tex, style + palette.math)], _inner(width, 2), drawing)
            return _prefixed(math, width, Run("  ", style), Run("  ", style))
        case n.Spoiler():
            return _spoiler(node, width, drawing, style, depth)
        case n.Table():
            return draw_table(node, width, drawing, style)
        case n.Rule():
            return [[Run("─" * width, style + palette.rule)]]
        case n.Media():
            return _media(node, width, drawing, style)
        case n.Embed():
            return _embed(node, width, drawing, style)
        case n.UnknownBlock(children=children):
            return _blocks(children, width, drawing, style, depth)
        case _:
            assert_never(node)


def _paragraph(
    children: Sequence[n.InlineNode], width: int, drawing: RenderContext, style: Style
) -> list[Line]:
    """Return the words, and below them the pictures that stand among them."""
    inline = [node for node in children if isinstance(node, n.Media)]
    if len(inline) == len(children):
        return [line for node in inline for line in _media(node, width, drawing, style)]
    lines = wrapped(pieces_of(children, drawing, style), width, drawing)
    for node in inline:
        block = _shown(node, width, drawing)
        lines += [] if block is None else _picture(block, drawing, style)
    return lines


def _media(node: n.Media, width: int, drawing: RenderContext, style: Style) -> list[Line]:
    """Return a picture over its name, or the words in its place."""
    block = _shown(node, width, drawing)
    if block is None:
        return wrapped(media_pieces(node, drawing, style), width, drawing)
    about = "".join(f" · {part}" for part in (media_about(node), block.note) if part)
    muted = style + drawing.palette.muted + drawing.link(node)
    name = shortened(media_name(node), min(width, max(MIN_INNER, width - cells(about))))
    label = shortened(name + about, width)
    caption = wrapped([(label, muted)], width, drawing)[:1]
    return [*_picture(block, drawing, style), *caption]


def _shown(node: n.Media, width: int, drawing: RenderContext) -> PictureState | None:
    if drawing.pictures is None or node.kind != "image":
        return None
    return drawing.pictures.show(node, drawing.index(node), width)


def _picture(shown: PictureState, drawing: RenderContext, style: Style) -> list[Line]:
    """Return the lines reserved for a picture, whether it is loaded yet or not."""
    if not shown.lines:
        ground = style + drawing.palette.code
        return [[Run(" " * shown.columns, ground)] for _ in range(shown.rows)]
    missing = shown.rows - len(shown.lines)
    return [*shown.lines, *([] for _ in range(missing))]


def _inner(width: int, indent: int) -> int:
    """Return the width within an indent, which is dropped where too little would remain."""
    return width - indent if width - indent >= MIN_INNER else width


def _prefixed(lines: list[Line], width: int, first: Run, rest: Run) -> list[Line]:
    """Return the lines after `first`, or `rest` for all but the first; without both where `_inner` drops the
    indent.
    """
    if _inner(width, len(first.text)) == width:
        return lines
    return [[first if i == 0 else rest, *line] for i, line in enumerate(lines)]


def _barred(lines: list[Line], width: int, style: Style) -> list[Line]:
    bar = Run("▌ ", style)
    return _prefixed(lines, width, bar, bar)


def _list(
    node: n.ListBlock, width: int, drawing: RenderContext, style: Style, depth: int
) -> list[Line]:
    marker_style = style + drawing.palette.muted
    bullet = _BULLETS[min(depth, len(_BULLETS) - 1)]
    last = 0 if node.start is None else node.start + len(node.items) - 1
    size = 2 if node.start is None else len(str(last)) + 2
    lines: list[Line] = []
    for i, item in enumerate(node.items):
        marker = f"{bullet} " if node.start is None else f"{node.start + i}. ".rjust(size)
        if node.start is None and _inner(width, size) != width and (box := _box(item)):
            marker, item = box  # a task is drawn with a box in place of its bullet
        drawn = _blocks(item, _inner(width, size), drawing, style, depth + 1) or [[]]
        rest = Run(" " * size, style)
        lines += _prefixed(drawn, width, Run(marker, marker_style), rest)
    return lines


def _box(item: tuple[n.BlockNode, ...]) -> tuple[str, tuple[n.BlockNode, ...]] | None:
    """Return the box of a task, and its content; None for an item that begins with no `[ ]` or `[x]`."""
    match item:
        case [n.Paragraph(children=[n.Text(text=text), *others]), *rest] if text[:4] in _BOXES:
            return _BOXES[text[:4]], (n.Paragraph((n.Text(text[4:]), *others)), *rest)
        case _:
            return None


def _code(node: n.CodeBlock, width: int, drawing: RenderContext, style: Style) -> list[Line]:
    """Tint the whole width, with a margin of one cell on each side."""
    palette = drawing.palette
    background = style + palette.code
    clicked = meta("code", drawing.code)
    drawing.code += 1
    pieces = [(token.text, background + palette.token(token) + clicked) for token in node.tokens]
    margin = 1 if width > MIN_INNER else 0
    lines = fold(pieces, width - 2 * margin, drawing.line)
    drawing.line += node.text.count("\n") + 1
    if not margin:
        return [padded(line, width, background) for line in lines]
    edge, sign = Run(" ", background), Run(BROKEN, background + palette.muted)
    drawn: list[Line] = []
    for line, after in zip(lines, [*lines[1:], []], strict=True):
        if _goes_on(line, after):
            drawn.append([*padded([edge, *line], width - 1, background), sign])
        else:
            drawn.append(padded([edge, *line], width, background))
    return drawn


def _goes_on(line: Line, after: Line) -> bool:
    """Whether a line of code was too long, so that the next line on screen is a part of it."""
    here = line[-1].place if line else None
    there = after[0].place if after else None
    return here is not None and there is not None and here[1] == there[1]


def _spoiler(
    node: n.Spoiler, width: int, drawing: RenderContext, style: Style, depth: int
) -> list[Line]:
    palette = drawing.palette
    index = drawing.spoiler
    drawing.spoiler += 1
    is_open = index in drawing.revealed
    clicked = style + palette.spoiler + meta("spoiler", index)
    header = _blocks(node.header, _inner(width, 2), drawing, clicked, depth)
    header = header or [[Run("Spoiler", clicked)]]
    lines = _prefixed(header, width, Run("▾ " if is_open else "▸ ", clicked), Run("  ", clicked))
    if not is_open:
        drawing.spoiler += len(spoilers(node.body))
        drawing.code += len(code_blocks(node.body))
        return lines
    body = _blocks(node.body, _inner(width, 2), drawing, style, depth)
    return lines + _barred(body, width, style + palette.spoiler)


def _embed(node: n.Embed, width: int, drawing: RenderContext, style: Style) -> list[Line]:
    palette = drawing.palette
    inner = _inner(width, 2)
    link = style + palette.link + drawing.link(node)
    lines = wrapped([(node.title or node.href, link)], inner, drawing)
    if node.description:
        text = " ".join(node.description.split())
        description = wrapped([(text, style + palette.muted)], inner, drawing)
        lines += list(_first(description, _DESCRIPTION_LINES, inner))
    return _barred(lines, width, style + palette.muted)


def _first(lines: list[Line], count: int, width: int) -> Iterator[Line]:
    """Yield the first lines, the last of them with an ellipsis if there are more."""
    yield from lines[: count - 1]
    if len(lines) >= count:
        *_, run = lines[count - 1]
        text = f"{run.text} …" if len(lines) > count else run.text
        yield [Run(shortened(text, width), run.style, run.place)]
