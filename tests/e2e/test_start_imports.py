"""What a start imports until the conversation is on screen: most of its time goes there. Counted, not timed."""

import shutil
import sys
from pathlib import Path
from typing import Final

from tests.e2e.team import KETTLE, contents, team
from tests.live import Live
from tests.real_terminal import real_client, real_terminal
from tui.textual_import import LATE

MOST: Final = 597
"""Modules at the first usable frame, 596 on Python 3.13, fewer on 3.11; 330 of them are also there in an app of Textual that does nothing."""
MOST_WITHOUT_CACHE: Final = 613
"""The same where the server is asked first, 590 on Python 3.11."""
MOST_PATTERNS: Final = 55
"""Regular expressions that are compiled until then, 47; 112 are made."""
_NOT_YET: Final = {
    *LATE,
    *("argparse", "configparser", "difflib", "email", "httpx", "pickle", "platform", "pydantic_core", "ssl", "typing_extensions", "uuid"),
    *("tui.api.events.union", "tui.cli.arguments", "tui.commands.sign_in", "tui.screens.messages.pictures"),
} - {"html", "shutil"}  # fmt: skip
_NO_REQUEST_NEEDS: Final = {
    *(
        "anyio",
        "certifi",
        "email",
        "h11",
        "http.client",
        "httpx",
        "ssl",
        "typing_extensions",
        "urllib.request",
    ),
    *("tui.commands.sign_in", "tui.screens.compose.attachments", "tui.screens.notifications"),
}
"""httpx follows redirects of files, and asks proxies."""
_NOTES: Final = """
import os, re._compiler, sys
from tui.__main__ import main
compile_pattern, real = re._compiler.compile, os.write
patterns, noted = [], []
def compile(*arguments):
    patterns.append(arguments[0])
    return compile_pattern(*arguments)
re._compiler.compile = compile
def write(descriptor, data):
    if b"Jump" in bytes(data) and not noted:
        noted.append(True)
        with open(os.environ["IMPORTED"], "w") as file:
            file.write("\\n".join(sys.modules))
        with open(os.environ["IMPORTED"] + ".patterns", "w") as file:
            file.write(str(len(patterns)))
    return real(descriptor, data)
os.write = write
sys.argv = ["chinwag"]
main()
"""
"""Runs the client, and writes which modules were imported before a conversation is shown."""


def _mapped(pid: int) -> str:
    """Return the files that a process has in memory; none but on Linux."""
    path = Path(f"/proc/{pid}/maps")
    return path.read_text() if path.exists() else ""


async def test_a_server_without_tls_needs_no_library_for_it(server: Live, tmp_path: Path) -> None:
    """OpenSSL takes a tenth of the client's memory. hashlib, hmac and Python's own client bring it."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, size=(140, 40), warm=False) as seen:
        await seen.shows(KETTLE, "Jump")
        seen.press("c")
        seen.type("at six\n")
        await seen.shows("at six")
        await seen.settle()
        assert await contents(ann, tea.channel_id, "tea") == [KETTLE, "at six"]
        assert seen.process is not None
        mapped = _mapped(seen.process.pid)
    assert "libssl" not in mapped
    assert "libcrypto" not in mapped
    assert "apsw" not in mapped  # an SQLite of its own, 3 MB; the client has Python's


async def test_a_start_imports_what_it_shows(server: Live, tmp_path: Path) -> None:
    """The conversation that I had open is there at once: nothing is imported before that it can do without."""
    ann, _, _ = await team(server)
    async with real_client(server, ann, tmp_path, size=(140, 40), warm=False) as seen:
        await seen.shows(KETTLE, "Jump")
        await seen.settle()
        seen.press("ctrl+q")
        assert await seen.exits() == 0
    imported = await _imported(tmp_path)
    assert imported & _NOT_YET == set()
    assert len(imported) <= MOST
    assert int((tmp_path / "imported.patterns").read_text()) <= MOST_PATTERNS
    shutil.rmtree(tmp_path / "home" / "cache")
    imported = await _imported(tmp_path)
    assert imported & _NO_REQUEST_NEEDS == set()
    assert len(imported) <= MOST_WITHOUT_CACHE


async def _imported(folder: Path) -> set[str]:
    """Return the modules of a client when its conversation is shown."""
    noted = folder / "imported"
    environment = {"CHINWAG_HOME": str(folder / "home"), "IMPORTED": str(noted)}
    async with real_terminal([sys.executable, "-c", _NOTES], environment, size=(140, 40)) as seen:
        await seen.shows(KETTLE, "Jump")
        return set(noted.read_text().split())
