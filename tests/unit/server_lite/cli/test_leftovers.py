"""A command that fails leaves the folder as it was."""

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
