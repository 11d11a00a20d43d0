"""Themes of one's own: read by the names of their files, and a slip is told without stopping anything."""

from pathlib import Path

import pytest

from tui.themes.own import read_themes

SEA = 'dark = true\nprimary = "#7fd4ff"\nbackground = "#001018"\n[variables]\nborder = "#204050"\n'


def test_a_file_is_a_theme(tmp_path: Path) -> None:
    """`themes/sea.toml` is the theme “sea”; other files are left alone."""
    (tmp_path / "sea.toml").write_text(SEA)
    (tmp_path / "notes.txt").write_text("blue")
    (theme,), troubles = read_themes(tmp_path, frozenset())
    assert troubles == []
    assert (theme.name, theme.dark, theme.primary) == ("sea", True, "#7fd4ff")
    assert theme.variables == {"border": "#204050"}


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("sea", "dark = true", "at least primary"),
        ("sea", 'primary = "bluish"', "primary must be a color"),
        ("sea", "primary = 7", "primary must be a color"),
        ("sea", 'primary = "#fff"\ncolor = "#fff"', "there is no 'color'"),
        ("sea", 'primary = "#fff"\ndark = "yes"', "dark must be true or false"),
        ("sea", 'primary = "#fff"\ntext_alpha = 7', "a number from 0 to 1"),
        ("sea", 'primary = "#fff"\n[variables]\nborder = "red; } * { display: none"', "table"),
        ("sea", "primary = = 7", "cannot be read"),
        ("nord", 'primary = "#fff"', "the name must be a new one"),
        ("my sea", 'primary = "#fff"', "the name must be a new one"),
    ],
)
def test_a_slip_is_told_and_the_others_are_read(
    tmp_path: Path, name: str, text: str, sentence: str
) -> None:
    """The file and what is wrong in it are named."""
    (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "zoo.toml").write_text(SEA)
    themes, (trouble,) = read_themes(tmp_path, frozenset({"nord"}))
    assert [theme.name for theme in themes] == ["zoo"]
    assert sentence in trouble
    assert f"{name}.toml" in trouble
