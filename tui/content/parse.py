"""The HTML of a message -> block nodes.

Pure: no I/O, no clock, no Textual. Never raises and drops no visible text, whatever the HTML is; an unknown
element becomes `UnknownBlock` with its content.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tui.content import nodes as n
from tui.content.inline import media_of, parse_inline, source_of, tex_of
from tui.content.sanitize import sanitize, sanitize_line
from tui.content.tree import Content, Element, parse_tree

Blocks = tuple[n.BlockNode, ...]

MAX_COLUMNS: Final = 64
MAX_PLAIN: Final = 20_000
"""Characters of a message that is not looked at by a parser of HTML if it has nothing but paragraphs."""


def parse(html: str, *, is_me_message: bool = False) -> Blocks:
    """Return the blocks of a message with the rendered content `html`.

    For a me-message the prefix `/me ` is left out: the sender's name takes its place.
    """
    blocks = _plain(html) or _parse_blocks(parse_tree(html).children)
    return _without_me(blocks) if is_me_message else blocks


def _plain(html: str) -> Blocks:
    """Return the paragraphs of a message that has nothing else, as most have; else nothing."""
    if not (html.startswith("<p>") and html.endswith("</p>")) or len(html) > MAX_PLAIN:
        return ()
    texts = html[3:-4].split("</p>\n<p>")
    if any("<" in text or ">" in text or "&" in text for text in texts):
        return ()
    children = [parse_inline((text.strip("\n"),)) for text in texts if text.strip()]
    return tuple(n.Paragraph(each) for each in children if each)


def _without_me(blocks: Blocks) -> Blocks:
    match blocks:
        case (n.Paragraph(children=(n.Text(text=text), *rest)), *others) if text.startswith("/me"):
            text = text.removeprefix("/me").lstrip(" ")
            first: tuple[n.InlineNode, ...] = (n.Text(text),) if text else ()
            return (n.Paragraph((*first, *rest)), *others)
        case _:
            return blocks


def _parse_blocks(contents: Iterable[Content]) -> Blocks:
    """Return blocks, with a paragraph for each run of text and inline elements between them."""
    blocks: list[n.BlockNode] = []
    run: list[Content] = []
    for content in contents:
        if isinstance(content, str):
            run.append(content)
            continue
        handler = _handler(content)
        if handler is None:
            run.append(content)
        else:
            _end_run(run, blocks)
            blocks.extend(handler(content))
    _end_run(run, blocks)
    return tuple(blocks)


def _end_run(run: list[Content], blocks: list[n.BlockNode]) -> None:
    if any(not isinstance(content, str) or content.strip() for content in run):
        if isinstance(run[-1], str):
            run[-1] = run[-1].rstrip("\n")
        if isinstance(run[0], str):
            run[0] = run[0].lstrip("\n")
        children = parse_inline(run)
        if children:
            blocks.append(n.Paragraph(children))
    run.clear()


_Handler = Callable[[Element], Sequence[n.BlockNode]]


def _handler(element: Element) -> _Handler | None:
    """Return the function that makes blocks of an element; None for an inline element."""
    tag = element.tag
    if tag == "span":
        return _display_math if "katex-display" in element.classes else None
    if tag == "div":
        for cls in element.classes:
            if cls in _DIVS:
                return _DIVS[cls]
        return _unknown if element.attrs else _paragraph
    return _HANDLERS.get(tag)


def _paragraph(element: Element) -> Blocks:
    return _parse_blocks(element.children)


def _unknown(element: Element) -> Blocks:
    children = _parse_blocks(element.children)
    return (n.UnknownBlock(source=source_of(element), children=children),)


def _heading(element: Element) -> Blocks:
    return (n.Heading(level=int(element.tag[1]), children=parse_inline(element.children)),)


def _list(element: Element) -> Blocks:
    start = _start(element) if element.tag == "ol" else None
    items: list[Blocks] = []
    stray: list[Content] = []
    for child in element.children:
        if isinstance(child, str) or child.tag != "li":
            stray.append(child)
        else:
            items.append(_parse_blocks(child.children))
    outside = _parse_blocks(stray)
    return (n.ListBlock(start=start, items=tuple(items)), *outside)


def _start(element: Element) -> int:
    digits = element.attrs.get("start", "1")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 1


def _quote(element: Element) -> Blocks:
    return (n.Quote(_parse_blocks(element.children)),)


def _rule(_: Element) -> Blocks:
    return (n.Rule(),)


def _code(element: Element) -> Blocks:
    language = element.attrs.get("data-code-language")
    tokens: list[n.Token] = []
    _collect_tokens(element, "", tokens)
    if tokens:
        last = tokens.pop()
        text = last.text.removesuffix("\n")
        if text:
            tokens.append(n.Token(text, last.kind))
    name = sanitize_line(language) if language else None
    return (n.CodeBlock(language=name, tokens=tuple(tokens)),)


def _collect_tokens(element: Element, kind: str, tokens: list[n.Token]) -> None:
    for child in element.children:
        if isinstance(child, Element):
            own = child.classes[0] if child.tag == "span" and child.classes else kind
            _collect_tokens(child, own, tokens)
            continue
        if child:
            tokens.append(n.Token(sanitize(child), sanitize_line(kind)))


def _display_math(element: Element) -> Blocks:
    tex = tex_of(element)
    return _unknown(element) if tex is None else (n.MathBlock(tex),)


def _spoiler(element: Element) -> Blocks:
    header = element.find("div", "spoiler-header")
    body = element.find("div", "spoiler-content")
    if header is None or body is None or not _nothing_but(element, header, body):
        return _unknown(element)
    return (n.Spoiler(header=_parse_blocks(header.children), body=_parse_blocks(body.children)),)


def _nothing_but(element: Element, *parts: Element | None) -> bool:
    """Whether all the text of an element is in these parts of it."""
    words = "".join(part.text() for part in parts if part is not None).split()
    return "".join(element.text().split()) == "".join(words)


def _media(element: Element) -> Blocks:
    """Return a preview: the anchor has the original's URL and name, the element in it shows it."""
    media_element = element.find("img") or element.find("video") or element.find("audio")
    media = media_of(media_element) if media_element is not None else None
    if media is None or element.text().strip():
        return _unknown(element)
    anchor = element.find("a")
    href = anchor.attrs.get("href", "") if anchor is not None else ""
    title = anchor.attrs.get("title", "") if anchor is not None else ""
    is_video = any(cls.endswith(("-video", "_video")) for cls in element.classes)
    return (
        n.Media(
            kind="video" if is_video else media.kind,
            href=sanitize_line(href) or media.href,
            src=media.src,
            title=sanitize_line(title) or media.title,
            size=media.size,
            content_type=media.content_type,
            animated=media.animated,
            pending=media.pending,
        ),
    )


def _embed(element: Element) -> Blocks:
    title = element.find("div", "message_embed_title")
    anchor = title.find("a") if title is not None else None
    description = element.find("div", "message_embed_description")
    if title is None or anchor is None or not _nothing_but(element, title, description):
        return _unknown(element)
    image = element.find("a", "message_embed_image")
    style = image.attrs.get("style", "") if image is not None else ""
    _, _, url = style.partition("url(")
    return (
        n.Embed(
            href=sanitize_line(anchor.attrs.get("href", "")),
            title=sanitize_line(title.text()).strip(),
            description="" if description is None else sanitize(description.text()).strip(),
            image=sanitize_line(url.partition(")")[0].strip("'\"")) or None,
        ),
    )


def _table(element: Element) -> Blocks:
    rows: list[tuple[bool, list[Element]]] = []
    outside: list[Content] = []
    _collect_rows(element, rows, outside)
    columns = min(MAX_COLUMNS, max((len(cells) for _, cells in rows), default=0))
    if not columns:
        return _unknown(element)
    alignments = [_alignment(cell) for cell in rows[0][1][:columns]]
    alignments += ["left"] * (columns - len(alignments))
    has_header = rows[0][0]
    parsed = [_row(cells, columns) for _, cells in rows]
    table = n.Table(
        alignments=tuple(alignments),
        header=parsed[0] if has_header else ((),) * columns,
        rows=tuple(parsed[1:] if has_header else parsed),
    )
    return (table, *_parse_blocks(outside))


def _collect_rows(
    element: Element, rows: list[tuple[bool, list[Element]]], outside: list[Content]
) -> None:
    """Collect (is it the header, its cells) of each row below; content outside of rows goes to `outside`."""
    for child in element.children:
        if isinstance(child, str):
            outside.append(child)
        elif child.tag == "tr":
            cells = [cell for cell in child.children if isinstance(cell, Element)]
            outside += [text for text in child.children if isinstance(text, str)]
            rows.append((bool(cells) and all(cell.tag == "th" for cell in cells), cells))
        elif child.tag in ("thead", "tbody", "tfoot"):
            _collect_rows(child, rows, outside)
        else:
            outside.append(child)


def _row(cells: Sequence[Element], columns: int) -> tuple[n.Cell, ...]:
    parsed: list[n.Cell] = [
        parse_inline(cell.children if cell.tag in ("td", "th") else (cell,))
        for cell in cells[: columns - 1]
    ]
    last: list[Content] = [c for cell in cells[columns - 1 :] for c in cell.children]
    parsed.append(parse_inline(last))
    parsed += [()] * (columns - len(parsed))
    return tuple(parsed)


def _alignment(cell: Element) -> n.Alignment:
    style = cell.attrs.get("style", "") + cell.attrs.get("align", "")
    if "center" in style:
        return "center"
    return "right" if "right" in style else "left"


_HANDLERS: Final[dict[str, _Handler]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(
        ("article", "aside", "details", "dl", "footer", "form", "header", "nav", "section"),
        _unknown,
    ),
    "blockquote": _quote,
    "hr": _rule,
    "ol": _list,
    "p": _paragraph,
    "pre": _code,
    "table": _table,
    "ul": _list,
}

_DIVS: Final[dict[str, _Handler]] = {
    "codehilite": _code,
    "message_embed": _embed,
    "message_inline_image": _media,
    "message_inline_video": _media,
    "spoiler-block": _spoiler,
}
