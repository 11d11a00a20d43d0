"""`chinwag-server` over a database full of what terminals obey: lists, errors and the log are plain text."""

import json
import logging
from pathlib import Path

import pytest

from server_lite.cli import log_lines, output
from server_lite.store import checksums
from tests.security.test_cli_output import EVIL, OBEYED
from tests.unit.server_lite.cli.conftest import Command, command, team

__all__ = ["command", "team"]


@pytest.fixture
def hostile(team: Path) -> Path:
    """Whatever has a name has one that would clear the screen and write the clipboard."""
    connection = checksums.connect(team)
    for statement in (
        "UPDATE user SET full_name = ?, email = ? || id",
        "UPDATE channel SET name = ?",
        "UPDATE message SET timestamp = 9e9",
        "INSERT INTO upload (user_id, name, path_id, content_type, size, created, is_complete)"
        " VALUES (2, ?, 'b', 'text/plain', 5, 1, 1)",
    ):
        connection.execute(statement, (EVIL,) * statement.count("?"))
    connection.close()
    return team


@pytest.mark.parametrize(
    "words",
    [
        ["user", "list"],
        ["user", "list", "--json"],
        ["channel", "list"],
        ["channel", "list", "--json"],
        ["user", "deactivate", "--email", EVIL],
        ["doctor"],
        ["doctor", "--json"],
        ["export", "--out", f"{EVIL}.jsonl".replace("/", "")],
        ["backup", EVIL.replace("/", "")],
        ["backup", f"{EVIL}/none"],
    ],
    ids=lambda words: " ".join(word for word in words if EVIL not in word),
)
def test_what_others_named_is_inert(
    hostile: Path, command: Command, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A file from a stranger can be looked at."""
    monkeypatch.chdir(hostile.parent)
    done = command(*words, "--db", hostile)
    assert done.out + done.err
    assert not OBEYED.search((done.out + done.err).replace("\n", ""))
    assert "\nchinwag: all is well" not in done.out + done.err


def test_json_means_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    """Programs read the very name, whatever was escaped for the terminal's sake."""
    output.show_json({EVIL: "\U000e0041 \u0600é"})
    printed = capfd.readouterr().out
    assert json.loads(printed) == {EVIL: "\U000e0041 \u0600é"}
    assert "é" in printed
    assert not OBEYED.search(printed.rstrip("\n"))


def test_the_log_is_inert(capfd: pytest.CaptureFixture[str]) -> None:
    """No request forges a line of the log, neither by its address nor by the text of an exception."""
    log_lines.log_to_stderr()
    handler = logging.getLogger().handlers[-1]
    error = ValueError(EVIL)
    try:
        logging.getLogger("chinwag.server").error("500 at %s", EVIL, exc_info=error)
    finally:
        logging.getLogger().removeHandler(handler)
    written = capfd.readouterr().err
    assert not OBEYED.search(written.replace("\n", ""))
    assert [line for line in written.splitlines() if not line.startswith("  ")] == [
        output.inert(f"500 at {EVIL}")
    ]
