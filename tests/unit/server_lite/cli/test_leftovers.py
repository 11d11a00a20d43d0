"""A command that fails leaves the folder as it was."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.server_lite.cli.conftest import Command, init


@pytest.mark.parametrize(
    "words",
    [
        ["import", "missing"],
        ["import", "text"],
        ["import", "--dry-run", "text"],
        ["import", "folder"],
        ["restore", "missing"],
        ["restore", "text"],
        ["backup", "copy"],
        ["export", "--out", "copy"],
        ["serve"],
        ["doctor"],
        ["user", "list"],
        ["channel", "list"],
    ],
    ids=" ".join,
)
def test_a_command_that_fails_leaves_nothing_behind(
    tmp_path: Path, command: Command, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a lock nor half a database stays beside a database that was not created."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("hello")
    (tmp_path / "folder").mkdir()
    head = words[: 2 if words[0] in ("user", "channel") else 1]
    failed = command(*head, "--db", tmp_path / "team.db", *words[len(head) :])
    assert failed.code != 0
    assert failed.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "text"]


@pytest.mark.parametrize("changed", [{"owner_email": "o"}, {"realm_name": ""}, {"owner_name": "*"}])
def test_init_that_fails_leaves_nothing_behind(
    tmp_path: Path, command: Command, changed: dict[str, str]
) -> None:
    """Wrong values are found before there is a file."""
    assert command(*init(tmp_path / "team.db", **changed), stdin="long enough\n").code != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [["import", "text"], ["restore", "text"], ["serve"], ["doctor"], ["user", "list"]]
)
@pytest.mark.parametrize("place", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_refused(
    tmp_path: Path, command: Command, words: list[str], place: Callable[[Path], None]
) -> None:
    """Each command ends at once with a sentence, and leaves it alone."""
    db, text = tmp_path / "team.db", tmp_path / "text"
    text.write_text("hello")
    place(db)
    head = words[: 2 if words[0] == "user" else 1]
    refused = command(*head, "--db", db, *(text for _ in words[len(head) :]))
    assert refused.code != 0
    assert refused.err.count("\n") == 1
    assert set(tmp_path.iterdir()) - {db, text} <= {tmp_path / "team.db.lock"}
