"""Lines that are kept take little memory: a strip has the caches that it used, and no others."""

import gc
import inspect
import re
import weakref
from typing import Any

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual._styles_cache import StylesCache
from textual.cache import FIFOCache
from textual.color import Color
from textual.strip import Strip
from textual.style import Style as VisualStyle

from tests.call_counter import calls
from tui import strips
from tui.widgets.content_lines import cells, is_narrow


@pytest.fixture(autouse=True)
def _late_caches() -> None:
    strips.use_less_memory()


def _caches(strip: Strip) -> set[str]:
    held = [each for each in gc.get_referents(strip) if isinstance(each, FIFOCache)]
    names = [name for name in strips._SIZES if any(getattr(strip, name) is each for each in held)]
    return set(names)


def test_a_line_has_no_caches_until_it_is_cut_or_styled() -> None:
    line = Strip([Segment("at six"), Segment(" by the harbour", Style(bold=True))])
    assert _caches(line) == set()
    assert line.crop(3, 9).text == "six by"
    assert line.crop(3, 9) is line.crop(3, 9)
    assert [part.text for part in line.divide([2, line.cell_length])] == [
        "at",
        " six by the harbour",
    ]
    assert line.adjust_cell_length(30).cell_length == 30
    assert _caches(line) == {"_crop_cache", "_divide_cache", "_line_length_cache"}


def test_the_lines_of_a_widget_go_with_it() -> None:
    """Textual remembers two colors for each of 1,024 widgets, and with them all lines that these had drawn."""
    lines = StylesCache()
    red, faint = Color(200, 0, 0), Color(0, 0, 200, 0.5)
    assert lines.get_inner_outer(red, faint) == (
        VisualStyle(background=red + faint),
        VisualStyle(background=red),
    )
    there = weakref.ref(lines)
    del lines
    assert there() is None


def test_the_caches_are_those_that_this_textual_makes() -> None:
    """An upgrade of Textual that adds a cache, or a field, has to be looked at."""
    source = inspect.getsource(Strip)
    made = re.findall(r"self\.(\w+)(?:: FIFOCache\[[^=]*?\])? = FIFOCache\((\d+)\)", source)
    assert {name: int(size) for name, size in made} == dict(strips._SIZES)
    assert set(Strip.__slots__) == {
        *strips._SIZES, "_segments", "_cell_length", "_render_cache", "_link_ids", "_cell_count"
    }  # fmt: skip


def test_what_a_strip_does_not_have_is_still_an_error() -> None:
    with pytest.raises(AttributeError):
        getattr(Strip([]), "nothing")  # noqa: B009  # types have no such name


def test_plain_text_is_measured_and_not_kept() -> None:
    """Each message has other words; Rich kept those of the last thousands, and their widths."""
    known: Any = strips._width
    kept = known.cache_info().currsize
    texts = [f"Line {number} of many words." for number in range(200)]
    assert [Segment(text).cell_length for text in texts] == [*map(len, texts)]
    assert known.cache_info().currsize == kept
    odd = ["", "\t", "a\x07", "é", "日本", "e\u0301", "👍🏽", "a\u200db"]
    assert [cell_len(text) for text in odd] == [strips._width(text) for text in odd]


def test_text_is_narrow_where_each_character_fills_one_cell() -> None:
    """Most text has quotation marks, dashes or accents; none of them needs a step of Python."""
    narrow = [each for each in map(chr, range(0x20, 0x3000)) if is_narrow(each) and each != "\x7f"]
    assert len(narrow) >= 1_300
    assert {cell_len(f"a{each}b") for each in narrow} == {3}
    assert is_narrow("#café › “rôle”")
    assert not any(map(is_narrow, ("日", "e\u0301", "👍🏽", "\u00ad")))
    assert calls(lambda: cells("#café › “rôle”")) < 10
