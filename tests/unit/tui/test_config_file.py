"""Settings changed in the app are written without disturbing what the person wrote by hand."""

import stat
import tomllib
from pathlib import Path
from typing import Any

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
    "text",
    [
        'keys = {"app.jump" = "x"}\n',
        'keys."app.jump" = "x"\n',
        'other = """\ntheme = "a"\n"""\n["keys"]\n"app.jump" = "x"\n',
    ],
)
def test_what_would_be_garbled_is_refused(text: str, tmp_path: Path) -> None:
    """A file in an unusual style is left alone, and one is told what to write there."""
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match="by hand"):
        save(path, ("keys", "app.jump"), "y")
    assert path.read_text() == text


names = st.sampled_from(["theme", "clock", "quiet_hours", "app.jump", "a b"])
values = st.one_of(st.booleans(), st.integers(0, 99), st.text("ab\\\"'#=[]\n é", max_size=6))
keys = st.one_of(st.tuples(names), st.tuples(st.just("keys"), names))


@settings(max_examples=60, deadline=None)
@given(changes=st.lists(st.tuples(keys, st.none() | values), max_size=6))
def test_every_change_says_what_was_meant(changes: list[tuple[Key, Value | None]]) -> None:
    """However often something is changed, the file says the last of it and stays readable."""
    text = ""
    expected: dict[Key, Value] = {}
    for key, value in changes:
        text = with_setting(text, key, value)
        expected.pop(key, None)
        if value is not None:
            expected[key] = value
    table = tomllib.loads(text)
    found: dict[Any, Any] = {("keys", name): value for name, value in table.pop("keys", {}).items()}
    found |= {(name,): value for name, value in table.items()}
    assert found == expected
