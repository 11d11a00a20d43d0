"""Rules of widgets: parsed when their source or the theme is new, and at no other time."""

import gc
import weakref

import pytest
from textual.css import parse as rules
from textual.css import stylesheet

from tests.parsed_styles import REAL
from tui.stylesheet import ParsedOnce


def test_each_source_is_parsed_once_for_a_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a screen parses its own rules; those of more sources than Textual remembers are not parsed again."""
    parsed: list[str] = []
    parse = rules.parse

    def note(*args: object, **named: object) -> object:
        parsed.append(str(args[1]))
        return parse(*args, **named)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(stylesheet, "parse", note)
    monkeypatch.setattr(stylesheet.Stylesheet, "_parse_rules", REAL)
    sheet = ParsedOnce(variables={"primary": "red"})
    for number in range(100):
        sheet.add_source(f"#n{number} {{ color: $primary; }}", ("", str(number)))
    sheet.parse()
    assert len(parsed) == 100
    sheet.add_source("#new { color: $primary; }", ("", "new"))
    sheet.set_variables({"primary": "red"})
    sheet.reparse()
    assert parsed[100:] == ["#new { color: $primary; }"]
    assert len(sheet.rules) == 101
    assert "#new" in sheet.rules_map
    sheet.set_variables({"primary": "blue"})
    sheet.reparse()
    assert len(parsed) == 202
    assert {rule.styles.color.rgb for rule in sheet.rules} == {(0, 0, 255)}


COMMON = """
Dialog { color: red; .title { color: blue; } &:focus { color: green; } }
Dialog > Label { opacity: 50% !important; }
"""


def test_rules_that_each_dialog_repeats_are_kept_once() -> None:
    sheet = ParsedOnce(variables={})
    for number in range(4):
        sheet.add_source(f"{COMMON} #n{number} {{ height: {number}; }}", ("", str(number)))
    sheet.add_source("Dialog { color: yellow; }", ("", "other"))
    assert [rule.selectors for rule in sheet.rules] == [
        "#n0",
        "#n1",
        "#n2",
        "Dialog",
        "Dialog .title",
        "Dialog:focus",
        "Dialog > Label",
        "#n3",
        "Dialog",
    ]
    assert [rule.styles.important for rule in sheet.rules] == [
        *[set()] * 6,
        {"opacity"},
        set(),
        set(),
    ]
    sheet.add_source(COMMON, ("", "last"))
    dialogs = [rule for rule in sheet.rules if rule.selectors == "Dialog"]
    assert [rule.styles.color.rgb for rule in dialogs] == [(255, 255, 0), (255, 0, 0)]


def test_the_rules_of_a_theme_go_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were parsed at the start, and few collections of garbage look through what is as old."""
    monkeypatch.setattr(stylesheet.Stylesheet, "_parse_rules", REAL)
    sheet = ParsedOnce(variables={"primary": "red"})
    sheet.add_source("#a { color: $primary; }", ("", "a"))
    sheet.add_source("#b { color: $primary; }", ("", "b"))
    there = [weakref.ref(rule) for rule in sheet.rules]
    gc.disable()
    try:
        sheet.set_variables({"primary": "blue"})
        sheet.reparse()
        assert len(sheet.rules) == 2
        assert [each() for each in there] == [None, None]
    finally:
        gc.enable()
