"""Pixels -> lines of cells: two pixels in a half block, or cells that the terminal fills itself.

Pure; knows no message and no widget.
"""

from base64 import b64encode
from functools import lru_cache
from typing import Final

from textual.color import Color
from textual.style import Style

from tui.content.pixels import Pixels
from tui.widgets.content_lines import Line, Run

HALF: Final = "▀"


def half_blocks(pixels: Pixels, clicked: Style) -> list[Line]:
    """Return a line for every two rows of pixels: the upper as the block's color, the lower as background."""
    stride = pixels.width * 3
    rows = [pixels.rgb[at : at + stride] for at in range(0, len(pixels.rgb), stride)]
    if len(rows) % 2:
        rows.append(rows[-1])
    return [_line(rows[at], rows[at + 1], clicked) for at in range(0, len(rows), 2)]


def _line(upper: bytes, lower: bytes, clicked: Style) -> Line:
    line: Line = []
    last: tuple[bytes, bytes] | None = None
    count = 0
    for at in range(0, len(upper), 3):
        pair = (upper[at : at + 3], lower[at : at + 3])
        if pair != last and last is not None:
            line.append(_run(last, count, clicked))
            count = 0
        last = pair
        count += 1
    if last is not None:
        line.append(_run(last, count, clicked))
    return line


def _run(pair: tuple[bytes, bytes], count: int, clicked: Style) -> Run:
    upper, lower = Color(*pair[0]), Color(*pair[1])
    style = clicked + Style(background=lower, foreground=upper)
    _ = style.rich_style  # made here, in the thread, and not when the line is drawn
    return Run(HALF * count, style)


# Kitty's Unicode placeholders: a cell with this character is filled with a part of the picture whose number
# is the cell's foreground color; the marks over it say which row and column of the picture.
# https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders

PLACEHOLDER: Final = "\U0010eeee"

_MARKS: Final = (
    "305 30d-30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 59c-5a1"
    " 5a8-5a9 5ab-5ac 5af 5c4 610-617 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec 730 732-733"
    " 735-736 73a 73d 73f-741 743 745 747 749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 829-82d 951"
    " 953-954 f82-f83 f86-f87 135d-135f 17dd 193a 1a17 1a75-1a7c 1b6b 1b6d-1b73 1cd0-1cd2 1cda-1cdb"
    " 1ce0 1dc0-1dc1 1dc3-1dc9 1dcb-1dcc 1dd1-1de6 1dfe 20d0-20d1 20d4-20d7 20db-20dc 20e1 20e7 20e9"
    " 20f0 2cef-2cf1 2de0-2dff a66f a67c-a67d a6f0-a6f1 a8e0-a8f1 aab0 aab2-aab3 aab7-aab8 aabe-aabf"
    " aac1 fe20-fe26 10a0f 10a38 1d185-1d189 1d1aa-1d1ad 1d242-1d244"
)

MOST_PLACEHOLDERS: Final = 297
"""Most columns or rows of one picture."""


@lru_cache(maxsize=1)
def _marks() -> str:
    """Return the marks for 0, 1, 2…"""
    characters = []
    for part in _MARKS.split():
        first, _, last = part.partition("-")
        characters += [chr(code) for code in range(int(first, 16), int(last or first, 16) + 1)]
    return "".join(characters)


def placeholders(number: int, columns: int, rows: int, clicked: Style) -> list[Line]:
    """Return cells that Kitty fills with the picture `number` (below 2^24)."""
    marks = _marks()
    style = clicked + Style(foreground=Color(number >> 16 & 255, number >> 8 & 255, number & 255))
    columns, rows = min(columns, MOST_PLACEHOLDERS), min(rows, MOST_PLACEHOLDERS)
    return [
        [Run("".join([PLACEHOLDER + marks[row] + mark for mark in marks[:columns]]), style)]
        for row in range(rows)
    ]


_CHUNK: Final = 4096


def transmission(number: int, png: bytes, columns: int, rows: int) -> str:
    """Return the sequence that gives Kitty a picture for so many cells; Kitty sends no response."""
    encoded = b64encode(png).decode("ascii")
    chunks = [encoded[at : at + _CHUNK] for at in range(0, len(encoded), _CHUNK)] or [""]
    about = f"a=T,U=1,f=100,t=d,i={number},c={columns},r={rows},q=2,"
    sent = []
    for at, chunk in enumerate(chunks):
        more = int(at < len(chunks) - 1)
        sent.append(f"\x1b_G{about if at == 0 else 'q=2,'}m={more};{chunk}\x1b\\")
    return "".join(sent)


def deletion(number: int) -> str:
    """Return the sequence that makes Kitty delete a picture."""
    return f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"
