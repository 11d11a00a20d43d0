"""Rules of widgets: parsed when their source or the theme is new, and at no other time."""

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
