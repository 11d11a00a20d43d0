"""Cuts a long message down to the matches of a search. Pure: no I/O, no Textual."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tui.content import nodes as n
from tui.content.extracts import inline_text, plain_text, walk

LONG: Final = 600
"""A message with at most so many characters is shown whole."""
LONG_LINES: Final = 12
"""A message with at most so many lines is shown whole."""
BEFORE: Final = 120
"""Characters kept before the first match of a paragraph."""
AFTER: Final = 240
"""Characters kept after it."""
AROUND: Final = 2
"""Lines of code, or items of a list, kept on either side of a match."""
MOST: Final = 3
"""Blocks with matches that are kept."""

GAP: Final = n.Text("…")
_HIT: Final = "highlight"


def excerpt(nodes: tuple[n.BlockNode, ...]) -> tuple[n.BlockNode, ...]:
    """Return the blocks with matches, shortened, and `…` for the others; short ones as the same object."""
    text = plain_text(nodes, reveal=True)
    if (len(text) <= LONG and text.count("\n") < LONG_LINES) or not _has_hit(nodes):
        return nodes
    kept: list[n.BlockNode] = []
    hits = skipped = 0
    for node in nodes:
        if hits < MOST and _has_hit((node,)):
            kept += [n.Paragraph((GAP,))] if skipped else []
            kept.append(_shortened(node))
            hits, skipped = hits + 1, 0
        else:
            skipped += 1
    kept += [n.Paragraph((GAP,))] if skipped else []
    return tuple(kept)


def _has_hit(nodes: Sequence[n.Node]) -> bool:
    return any(
        isinstance(node, n.Highlight)
        or (isinstance(node, n.CodeBlock) and any(token.kind == _HIT for token in node.tokens))
        for node in walk(nodes)
    )


def _shortened(node: n.BlockNode) -> n.BlockNode:
    match node:
        case n.Paragraph(children=children):
            return n.Paragraph(_inline(children))
        case n.Quote(children=children):
            return n.Quote(excerpt(children))
        case n.ListBlock(items=items):
            first, last = _around([_has_hit(item) for item in items])
            start = None if node.start is None else node.start + first
            return n.ListBlock(start=start, items=items[first:last])
        case n.CodeBlock():
            return replace(node, tokens=_code(node.tokens))
        case _:
            return node


def _around(hits: Sequence[bool]) -> tuple[int, int]:
    """Return the range from the first match to the last of those that follow it closely, with neighbors."""
    first = last = hits.index(True)
    for at, hit in enumerate(hits):
        last = at if hit and first <= at <= last + AROUND else last
    return max(0, first - AROUND), min(len(hits), last + AROUND + 1)


def _inline(children: tuple[n.InlineNode, ...]) -> tuple[n.InlineNode, ...]:
    """Return the children near the first match; texts are cut between words."""
    at = next((i for i, child in enumerate(children) if _has_hit((child,))), None)
    if at is None:
        return children
    before = _take(reversed(children[:at]), BEFORE, from_end=True)
    after = _take(children[at + 1 :], AFTER, from_end=False)
    return (*reversed(before), children[at], *after)


def _take(children: Iterable[n.InlineNode], room: int, *, from_end: bool) -> list[n.InlineNode]:
    kept: list[n.InlineNode] = []
    for child in children:
        text = inline_text((child,))
        if len(text) <= room:
            kept.append(child)
            room -= len(text)
            continue
        if isinstance(child, n.Text):
            cut = text[-room:].partition(" ")[2] if from_end else text[:room].rpartition(" ")[0]
            kept.append(n.Text(f"… {cut}" if from_end else f"{cut} …"))
        else:
            kept.append(GAP)
        break
    return kept


def _code(tokens: tuple[n.Token, ...]) -> tuple[n.Token, ...]:
    """Return the lines near the first match."""
    lines: list[list[n.Token]] = [[]]
    for token in tokens:
        for i, part in enumerate(token.text.split("\n")):
            if i:
                lines.append([])
            lines[-1].append(n.Token(part, token.kind))
    first, last = _around([any(token.kind == _HIT for token in line) for line in lines])
    shown_lines = [[n.Token("…")]] if first else []
    shown_lines += lines[first:last]
    shown_lines += [[n.Token("…")]] if last < len(lines) else []
    tokens_shown: list[n.Token] = []
    for i, line in enumerate(shown_lines):
        tokens_shown += [n.Token("\n")] if i else []
        tokens_shown += line
    return tuple(tokens_shown)
