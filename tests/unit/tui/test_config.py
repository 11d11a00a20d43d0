"""Settings and folders: what is written is meant, a slip is told, nothing is readable by others."""

from pathlib import Path

import pytest

from tui.config import Settings, folders, read_settings
from tui.hook_settings import Hooks


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    """Chinwag runs without any configuration."""
    assert read_settings(tmp_path / "config.toml") == (Settings(), [])


def test_settings_are_read(tmp_path: Path) -> None:
    """What the person wrote in config.toml holds."""
    path = tmp_path / "config.toml"
    path.write_text('clock = "12h"\nenter_sends = false\n[keys]\n"app.jump" = "ctrl+g"\n')
    assert read_settings(path) == (
        Settings(clock="12h", enter_sends=False, keys={"app.jump": "ctrl+g"}),
        [],
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("color = 'red'", "there is no setting 'color'"),
        ("clock = '13h'", "clock must be one of 12h, 24h"),
        ("mark_read = 'yes'", "mark_read must be true or false"),
        ("theme = 7", "theme must be text"),
        ("keys = 7", "keys must be a table"),
        ("hold_seconds = -1", "hold_seconds must be a number"),
        ("hold_seconds = true", "hold_seconds must be a number"),
        ("notify = 'loud'", "notify must be one of none, bell, desktop, both"),
        ("quiet_hours = '22-7'", "quiet_hours must look like"),
        ("keys = = 7", "is not valid TOML"),
        ('theme = "a\nkeys = [', "is not valid TOML"),
        ("keys = {", "is not valid TOML"),
        ("hooks = 7", "hooks must be a table"),
        ("[hooks]\nmentions = ['true']", "there is no hook 'mentions'. Did you mean 'mention'?"),
        ("[hooks]\nmention = 'true'", "mention must be a program and its arguments"),
        ("[hooks]\nmention = []", "mention must be a program and its arguments"),
        ("[hooks]\nmention = ['no-such-program']", "there is no program 'no-such-program'"),
        ("[hooks]\nkeyword = ['true']", "keyword needs keywords"),
        ("[hooks]\nkeywords = 'outage'", "keywords must be a list of words"),
        ("[hooks]\ntimeout = 0", "timeout must be a number from 1 to 300"),
        ("[hooks]\nper_minute = true", "per_minute must be a number from 1 to 600"),
    ],
)
def test_a_slip_is_told_and_costs_nothing_else(tmp_path: Path, text: str, sentence: str) -> None:
    """The line of a misspelt or impossible setting is named; Chinwag starts with the rest."""
    path = tmp_path / "config.toml"
    path.write_text(f"# mine\nenter_sends = false\n{text}\n")
    settings, troubles = read_settings(path)
    assert settings == Settings(enter_sends=False)
    assert sentence in troubles[0]
    assert troubles[0].startswith("config.toml, line 3")


def test_hooks_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong entry costs none of the others; the home folder may be written short."""
    program = tmp_path / "bell"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "config.toml"
    path.write_text('[hooks]\nmention = ["~/bell", "~"]\nkeywords = ["a  b"]\ntimeout = "x"\n')
    settings, troubles = read_settings(path)
    assert settings.hooks == Hooks(mention=(str(program), "~"), keywords=("a b",))
    assert len(troubles) == 1


def test_a_file_that_cannot_be_read_costs_only_the_settings(tmp_path: Path) -> None:
    """Chinwag starts with the defaults and says why."""
    settings, troubles = read_settings(tmp_path)
    assert settings == Settings()
    assert troubles[0].endswith("The default settings are used.")


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With CHINWAG_HOME set, nothing is kept elsewhere."""
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path))
    here = folders()
    assert all(
        path.is_relative_to(tmp_path) for path in (here.config, here.data, here.state, here.cache)
    )
