"""The command line: one clear sentence and a code other than 0 for whatever is wrong."""

from pathlib import Path

import pytest

from tui.cli.arguments import main


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))


def complaint(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_a_missing_zuliprc_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that was named and is not there does not open another account instead."""
    assert "is not there" in complaint(["--zuliprc", str(tmp_path / "no")], capsys)


def test_a_pipe_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe the app says that it needs a terminal."""
    assert "a terminal is needed" in complaint([], capsys)


def test_a_wrong_setting_stops_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip in config.toml is told before anything is drawn."""
    folder = tmp_path / "home" / "config"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("colour = 'red'")
    assert "there is no setting 'colour'" in complaint([], capsys)


def test_unknown_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt argument ends with the usage and code 2."""
    with pytest.raises(SystemExit) as stop:
        main(["--narow", "x"])
    assert stop.value.code == 2
