"""Styles that were drawn have no dictionaries: each took 600 to 1,200 bytes."""

import gc
import importlib.util
import sys
from types import ModuleType

import pytest
from textual.color import Color

from tui.style_values import VALUES, keep_without_dictionaries


@pytest.fixture
def styles(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Textual's module as it is when the program starts: of the other one, tests have made styles."""
    spec = importlib.util.find_spec("textual.style")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "textual.style", module)
    spec.loader.exec_module(module)
    return module


def test_a_style_that_was_drawn_has_no_dictionary(styles: ModuleType) -> None:
    keep_without_dictionaries(styles.Style)
    keep_without_dictionaries(styles.Style)
    drawn = [styles.Style(Color(number, 0, 0), bold=True) for number in range(60)]
    for style in drawn:
        for name in VALUES:
            getattr(style, name)
    held = [each for style in drawn for each in gc.get_referents(style)]
    assert not [each for each in held if isinstance(each, dict) and "bold" in each]


def test_a_style_computes_each_value_once_and_as_before(styles: ModuleType) -> None:
    before = {name: vars(styles.Style)[name].func for name in VALUES}
    keep_without_dictionaries(styles.Style)
    style = styles.Style(Color(1, 2, 3), Color(200, 200, 200, 0.5), bold=True)
    assert style.rich_style is style.rich_style
    assert {name: getattr(style, name) for name in VALUES} == {
        name: compute(style) for name, compute in before.items()
    }
    assert style == styles.Style(Color(1, 2, 3), Color(200, 200, 200, 0.5), bold=True)
    assert not styles.Style()
