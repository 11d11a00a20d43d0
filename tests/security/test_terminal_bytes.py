"""Whatever a server tells, the terminal gets only what the client itself has to say to it."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.contract.in_memory_server import copied, found_town
from tests.real_terminal import RealTerminal, real_terminal
from tests.security.hostile_server import hostile

FORBIDDEN: Final = re.compile(
    rb"\x1b\]52|\x1b\]0;owned|\x1bPq|\x1b_G|\x1b\^|\x1bX|\x1b\[777|\x08"
    rb"|\xc2[\x80-\x9f]"  # C1, as UTF-8
    rb"|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]"  # bidi
    rb"|\xf3\xa0[\x80\x81]"  # tags
)
KEYS: Final = {
    "all messages": b"\x1b[15~",
    "about a message": b"i",
    "leave it": b"\x1b",
    "its sender": b"p",
    "leave them": b"\x1b",
    "its links": b"o",
    "leave these": b"\x1b",
    "a quotation": b">",
    "leave the composer": b"\x1b",
    "reactions": b"+",
    "leave those": b"\x1b",
    "jump": b"\x0b",
    "do not": b"\x1b",
    "all channels": b"\x1b[20~",
    "back": b"\x1b",
    "mentions": b"\x1b[17~",
    "waiting": b"\x1b[21~",
    "leave": b"\x1b",
    "commands": b"\x10",
    "none": b"\x1b",
}
"""A walk through the client's views, as bytes of a terminal's keys."""
SHOWN: Final = (b"content", b"full_name", b"name", b"subject")
"""Texts of the server that the walk passes, so that there is something to find."""

CLIENT: Final = "from tui.cli.main import main; raise SystemExit(main({arguments!r}))"
CARELESS: Final = """
import tui.content.sanitize as sanitizer
sanitizer.sanitize = sanitizer.sanitize_line = lambda text: text
import tui.widgets.control_character_filter as last
last.InertText.apply = lambda self, segments, background: segments
"""


@pytest.fixture
def organization(tmp_path: Path) -> Path:
    """A file with people, channels and messages, and an account of it beside."""
    template, file = tmp_path / "template.db", tmp_path / "town.db"
    town = copied(template, found_town(template), file)
    mary = town.people[1]
    asyncio.run(mary.post("users/me/status", status_text="here", emoji_name="wave"))
    asyncio.run(mary.post("messages/22/reactions", emoji_name="octopus"))
    (tmp_path / "account").write_text(f"{mary.email}\n{mary.key}")
    town.close()
    return file


@asynccontextmanager
async def client(organization: Path, *, before: str = "") -> AsyncIterator[RealTerminal]:
    """The client in a terminal, on a server that means harm."""
    async with hostile(organization) as url:
        email, key = (organization.parent / "account").read_text().splitlines()
        zuliprc = organization.parent / "zuliprc"
        zuliprc.touch(mode=0o600)
        zuliprc.write_text(f"[api]\nemail={email}\nkey={key}\nsite={url}\n")
        arguments = ["--zuliprc", str(zuliprc), "--narrow", ""]
        command = [sys.executable, "-c", before + CLIENT.format(arguments=arguments)]
        home = {"CHINWAG_HOME": str(organization.parent / "home")}
        async with real_terminal(command, home, size=(180, 50)) as seen:
            await seen.until(b"~content~")
            await seen.settle()
            yield seen


async def test_nothing_that_a_server_tells_commands_the_terminal(organization: Path) -> None:
    """A malicious server cannot touch my clipboard, my title, my screen or the order of letters."""
    async with client(organization) as seen:
        for keys in KEYS.values():
            seen.send(keys)
            await seen.settle()
        written = bytes(seen.written)
    leaks = {written[max(0, m.start() - 60) : m.end() + 20] for m in FORBIDDEN.finditer(written)}
    assert not leaks
    for text in SHOWN:
        assert b"~" + text + b"~" in written


async def test_the_search_would_find_them(organization: Path) -> None:
    """Without the sanitizer the sequences do arrive: the test above looks in the right place."""
    async with client(organization, before=CARELESS) as seen:
        assert FORBIDDEN.search(seen.written)
