"""Rows for a terminal in columns, or for programs as JSON. Nothing that a terminal would obey gets through."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import orjson


def print_rows(
    rows: Sequence[dict[str, Any]],
    shown: Callable[[dict[str, Any]], tuple[object, ...]],
    *,
    as_json: bool,
) -> None:
    """Print one JSON array, or what `shown` makes of each row, in columns; numbers to the right."""
    if as_json:
        sys.stdout.buffer.write(orjson.dumps(rows) + b"\n")
        return
    lines = [tuple(shown(row)) for row in rows]
    texts = [[inert(str(cell)) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for line, cells in zip(lines, texts, strict=True):
        padded = [
            text.rjust(width) if isinstance(cell, int) else text.ljust(width)
            for cell, text, width in zip(line, cells, widths, strict=True)
        ]
        sys.stdout.write("  ".join(padded).rstrip() + "\n")


def inert(text: str) -> str:
    """The text with a mark in place of each character that does not show: controls, bidi marks."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
