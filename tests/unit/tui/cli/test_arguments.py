"""The command line: one clear sentence and a code other than 0 for whatever is wrong."""

import io
import sys
from pathlib import Path

import pytest

from tui.cli import output
from tui.cli.arguments import parser
from tui.cli.main import main


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
    assert "does not exist" in complaint(["--zuliprc", str(tmp_path / "no")], capsys)


def test_a_pipe_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe the app says that it needs a terminal."""
    assert "a terminal is needed" in complaint([], capsys)


def test_unknown_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt argument ends with the usage and code 2."""
    with pytest.raises(SystemExit) as stop:
        main(["--narow", "x"])
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("unred", "Did you mean “unread”?"),
        ("serach", "Did you mean “search”?"),
        ("xyzzy", "“chinwag --help” lists them."),
        ("\x1b[2Junread", "Did you mean “unread”?"),
    ],
)
def test_a_misspelled_command_names_the_one_that_was_meant(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence instead of a list of all; what was typed does not command the terminal."""
    with pytest.raises(SystemExit) as stop:
        main([word])
    told = capsys.readouterr()
    shown = word.replace("\x1b", "·")
    assert (stop.value.code, told.out) == (2, "")
    assert told.err == f"chinwag: there is no command “{shown}”. {hint}\n"


@pytest.mark.parametrize("words", [["react", "12", "--x"], ["search"], ["search", "x", "--not"]])
def test_arguments_that_make_no_sense_are_refused(words: list[str]) -> None:
    """Words are excluded by one `-`; what begins with two is an option, and there is none such."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("words", "searched", "limit"),
    [
        (["-news"], ["-news"], 50),
        (["kettle", "-hello", "-n", "5", "tea", "-jam"], ["kettle", "-hello", "tea", "-jam"], 5),
        (["-n5", "-5"], ["-5"], 5),
        (["--", "-n", "-news"], ["-n", "-news"], 50),
        (["--json", "-sender:ann"], ["-sender:ann"], 50),
    ],
)
def test_excluded_words_are_no_options(words: list[str], searched: list[str], limit: int) -> None:
    """`-news` is not the option -n, whatever letter an option has; behind `--` everything is a word."""
    parsed = parser().parse_args(["search", *words])
    assert (parsed.words, parsed.limit) == (searched, limit)


@pytest.mark.parametrize(
    ("words", "prog", "hint"),
    [
        (["search"], "chinwag search", "WORDS are required"),
        (["tail", "channel:tea"], "chinwag tail", "follow --narrow"),
        (["tail", "--folow"], "chinwag tail", "Did you mean “--follow”?"),
        (["unread", "tea"], "chinwag unread", "unknown argument: tea"),
        (["--theme", "x", "unread"], "chinwag unread", "--theme applies to the screen"),
        (["--narrow", "is:dm", "unread"], "chinwag unread", "--narrow applies to the screen"),
    ],
)
def test_wrong_arguments_come_with_the_usage_of_their_command(
    words: list[str], prog: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the command takes is shown, not what the program without a command takes; nothing is ignored."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    told = capsys.readouterr().err
    assert stop.value.code == 2
    assert told.startswith(f"usage: {prog} [-h]")
    assert hint in told


@pytest.mark.parametrize("words", [["--narrow", "is:dm", "tail"], ["tail", "--narrow", "is:dm"]])
def test_a_narrow_counts_before_and_after_the_command(words: list[str]) -> None:
    """Before `tail` it was ignored, and messages of everywhere were shown."""
    assert parser().parse_args(words).narrow == "is:dm"


def test_ids_of_messages_may_be_large() -> None:
    """A server with many millions of messages."""
    assert parser().parse_args(["react", "123456789012", "tada"]).message == 123456789012


def test_progress_is_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal in place of what was there; in a log there is none."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    output.progress("5 messages")
    assert stream.getvalue() == ""
    monkeypatch.setattr(stream, "isatty", lambda: True)
    output.progress("5 \x1b messages")
    assert stream.getvalue() == "\r\x1b[K5 ␛ messages"
