"""Settings changed in the app are written without disturbing what the person wrote by hand."""

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.config_file import Key, Value, save, with_setting
from tui.errors import ConfigError

WRITTEN = """\
# my settings
theme = 'nord'   # as in the editor
clock = "24h"

# keys
[keys]
"app.jump" = "ctrl+g"  # like there
"""


def test_only_the_one_setting_is_changed(tmp_path: Path) -> None:
    """Comments, order and the file's rights stay; a link to the file stays a link."""
    real = tmp_path / "dotfiles.toml"
    real.write_text(WRITTEN)
    real.chmod(0o640)
    path = tmp_path / "config.toml"
    path.symlink_to(real)
    save(path, ("theme",), "chinwag-light")
    assert real.read_text() == WRITTEN.replace("'nord'", '"chinwag-light"')
    assert path.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["config.toml", "dotfiles.toml"]


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        (("mark_read",), False, WRITTEN.replace('"24h"\n', '"24h"\nmark_read = false\n')),
        (("theme",), None, WRITTEN.replace("theme = 'nord'   # as in the editor\n", "")),
        (("keys", "app.jump"), "ctrl+j", WRITTEN.replace("ctrl+g", "ctrl+j")),
        (("keys", "app.back"), "b", f'{WRITTEN}"app.back" = "b"\n'),
        (("clock",), "24h", WRITTEN),
    ],
)
def test_a_setting_goes_where_it_belongs(key: Key, value: Value | None, text: str) -> None:
    """A new one goes to the others of its table, above what follows."""
    assert with_setting(WRITTEN, key, value) == text


def test_the_first_setting_makes_the_file(tmp_path: Path) -> None:
    """Nothing needs to be there before."""
    path = tmp_path / "new" / "config.toml"
    save(path, ("keys", "app.jump"), "ctrl+g")
    assert path.read_text() == '[keys]\n"app.jump" = "ctrl+g"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('keys = {"app.jump" = "x"}\n', 'keys = {"app.jump" = "y"}\n'),
        ('keys."app.jump" = "x" # mine\n', 'keys."app.jump" = "y" # mine\n'),
        ('"keys".\'app.jump\' = "x"\n', '"keys".\'app.jump\' = "y"\n'),
        (
            'other = """\n[keys]\n"""\r\n["keys"]\r\n"app.jump" = "x"\r\n',
            'other = """\n[keys]\n"""\r\n["keys"]\r\n"app.jump" = "y"\r\n',
        ),
    ],
)
def test_every_style_of_a_table_is_changed(before: str, after: str) -> None:
    """However a table is written, and whatever looks like one, only the value is another."""
    assert with_setting(before, ("keys", "app.jump"), "y") == after


@pytest.mark.parametrize("text", ["theme = \n", "keys = 3\n", "keys = []\n", '[[keys]]\na = "b"\n'])
def test_what_is_wrong_stays_as_it_is(text: str, tmp_path: Path) -> None:
    """A file that is no TOML, or has a value where the table belongs, is left alone, with a reason."""
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"config\.toml"):
        save(path, ("keys", "app.jump"), "y")
    assert path.read_text() == text


names = st.sampled_from(["theme", "clock", "quiet_hours", "app.jump", "a b"])
values = st.one_of(st.booleans(), st.integers(0, 99), st.text("ab\\\"'#=[]\n é", max_size=6))
keys = st.one_of(st.tuples(names), st.tuples(st.just("keys"), names))


STYLES = (
    "",
    WRITTEN,
    "# only a comment",
    'clock = "24h"\nkeys = {"a b" = "x"}',
    'keys."a b" = "x"\nkeys."app.jump" = "y"\nclock = "24h"\n',
    '[other]\ntheme = 1\n[["list"]]\nclock = 2\n["keys"] # mine\n\n[keys.more]\ntheme = "c"\n[last]\n',
)


@settings(max_examples=60, deadline=None)
@given(
    before=st.sampled_from(STYLES),
    changes=st.lists(st.tuples(keys, st.none() | values), max_size=6),
)
def test_every_change_says_what_was_meant(
    before: str, changes: list[tuple[Key, Value | None]]
) -> None:
    """However a file is written and however often it is changed, it says the last of it, and the rest."""
    text = before
    expected = tomllib.loads(before)
    for key, value in changes:
        text = with_setting(text, key, value)
        table = expected if len(key) == 1 else expected.setdefault("keys", {})
        table.pop(key[-1], None)
        if value is not None:
            table[key[-1]] = value
    parsed = tomllib.loads(text)
    parsed.setdefault("keys", {})
    expected.setdefault("keys", {})
    assert parsed == expected
    assert [line for line in before.splitlines() if line[:1] == "#" and line not in text] == []
