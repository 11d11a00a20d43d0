"""Libraries remember few results: a day fills all that there is room for."""

import functools
import sys
from collections.abc import Iterator
from typing import Any, Final

from rich.style import Style as RichStyle
from textual.color import Color
from textual.geometry import Region

from tui import smaller_caches, strips

MOST: Final = 1024
SMALL: Final = {"make_blank", "get_character_cell_size"}
"""Functions whose results are characters, and lines of blanks of one width."""
OF_STYLE_SHEETS: Final = {"textual.css._style_properties", "textual.css._styles_builder"}
"""They measure lines of borders."""


def _remembering() -> Iterator[tuple[str, Any]]:
    """Yield the functions of Textual and Rich that remember results, and how they are found."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in ("textual", "rich") or name in OF_STYLE_SHEETS:
            continue
        for own, value in list(vars(module).items()):
            if type(value) is functools._lru_cache_wrapper and own not in SMALL:
                yield f"{name}.{own}", value
            elif isinstance(value, type) and value.__module__ == name:
                for method, held in list(vars(value).items()):
                    function = getattr(held, "fget", None) or getattr(held, "__func__", held)
                    if type(function) is functools._lru_cache_wrapper:
                        yield f"{name}.{own}.{method}", function


def test_no_function_of_a_library_keeps_thousands_of_results() -> None:
    """Styles, texts and colors that were drawn once stay as long as a result of them does."""
    strips.use_less_memory()
    sizes = {name: function.cache_info().maxsize for name, function in _remembering()}
    for cls, _, names in smaller_caches._METHODS:
        for name in names:
            assert (sizes[f"{cls.__module__}.{cls.__name__}.{name}"] or 0) <= smaller_caches.MOST
    assert not {name: size for name, size in sizes.items() if (size or 0) > MOST}


def test_functions_with_smaller_caches_answer_as_before() -> None:
    strips.use_less_memory()
    assert Region(0, 0, 4, 2).union(Region(2, 1, 4, 2)) == Region(0, 0, 6, 3)
    assert Color.parse("red").rich_color.triplet == (255, 0, 0)
    bold = RichStyle.parse("bold") + RichStyle(color="red")
    assert bold.bold
    assert RichStyle.parse("bold") is RichStyle.parse("bold")
