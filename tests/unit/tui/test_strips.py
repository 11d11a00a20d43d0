"""Lines that are kept take little memory: a strip has the caches that it used, and no others."""

import gc
import inspect
import re

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip

from tui import strips


@pytest.fixture(autouse=True)
def _late_caches() -> None:
    strips.make_caches_late()


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
