"""Every reading command of the command line, in an organization whose every text is hostile."""

import asyncio
import re
from pathlib import Path
from typing import Final

import pytest

from tests.contract.in_memory_server import Person
from tests.security.hostile_server import hostile
from tests.security.test_hostile_organization import (
    organization,  # noqa: F401  # a fixture
    with_hostile_texts,
)
from tui.cli.arguments import parser
from tui.cli.main import main

OBEYED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
COMMANDS: Final = (
    ("tail",),
    ("tail", "--json"),
    ("search", "tea"),
    ("search", "--json", "tea"),
    ("export", "--narrow", "", "--format", "jsonl"),
    ("export", "--narrow", "", "--format", "md"),
    ("export", "--narrow", "", "--format", "html"),
    ("unread",),
    ("unread", "--json"),
    ("status",),
    ("channels",),
    ("channels", "--json"),
    ("people",),
    ("people", "--json"),
    ("groups",),
    ("groups", "--json"),
    ("kept", "drafts"),
    ("kept", "snippets", "--json"),
    ("kept", "scheduled"),
    ("kept", "views"),
    ("api", "GET", "users"),
    ("api", "GET", "streams"),
)
OTHERS: Final = {
    *(
        "local",
        "join",
        "login",
        "logout",
        "serve-ssh",
        "ssh-keys",
    ),  # no list; errors: `test_cli_output`
    *("send", "react", "push"),  # they write
    *("completions", "mcp"),  # the first asks no server, the second speaks to a program
}


@pytest.fixture
def zuliprc(organization: tuple[Path, Person], tmp_path: Path) -> Path:  # noqa: F811  # the fixture
    path = tmp_path / "zuliprc"
    path.touch(mode=0o600)
    path.write_text(f"[api]\nemail={organization[1].email}\nkey={organization[1].key}\n")
    return path


def _complete(zuliprc: Path, url: str) -> None:
    zuliprc.write_text(f"{zuliprc.read_text()}site={url}\n")


async def test_no_command_prints_what_a_terminal_obeys(
    organization: tuple[Path, Person],  # noqa: F811  # the fixture
    zuliprc: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Names, topics, drafts, as lines and as JSON: the clipboard and the screen are mine."""
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))
    hostile_texts = 0
    async with hostile(organization[0], lambda answer, _: with_hostile_texts(answer)) as url:
        _complete(zuliprc, url)
        for words in COMMANDS:
            code = await asyncio.to_thread(main, ["--zuliprc", str(zuliprc), *words])
            captured = capfd.readouterr()
            assert (code, OBEYED.search(captured.out + captured.err)) == (0, None), words
            hostile_texts += "MARK" in captured.out
    assert hostile_texts > len(COMMANDS) - 4


def test_every_command_is_known_here() -> None:
    """A new command is run above, or shows no list."""
    assert set(parser().commands.choices or ()) == {words[0] for words in COMMANDS} | OTHERS
