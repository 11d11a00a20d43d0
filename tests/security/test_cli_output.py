"""The command line against a hostile server: whatever it says, the terminal hears plain text."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import orjson
import pytest

from tests.listening import listening
from tui.cli import output
from tui.cli.main import main

EVIL = "\x1b]52;c;cHduZWQ=\x07\x1b]0;owned\x07\x1b[2J\x9b2J\u202e\r\nchinwag: all is well"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@asynccontextmanager
async def hostile(status: int) -> AsyncIterator[str]:
    """A server that answers everything with an error full of what terminals obey."""
    body = orjson.dumps({"result": "error", "msg": EVIL, "code": EVIL, "realm_name": EVIL})

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (status, len(body), body)
        )
        await writer.drain()

    async with listening(serve) as place:
        yield f"http://{place}"


@pytest.mark.parametrize("status", [200, 400, 401, 404, 500])
@pytest.mark.parametrize("command", ["join", "login"])
async def test_errors_of_a_server_are_inert(
    command: str,
    status: int,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: object,
) -> None:
    """An invitation link from anybody cannot write the clipboard or clear the screen."""
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path))
    monkeypatch.setenv("CHINWAG_SECRET", "long enough")
    async with hostile(status) as url:
        words = {
            "join": ["join", "--name", "A", "--email", "a@x.org", f"{url}/join/abc"],
            "login": ["login", "--email", "a@x.org", url],
        }
        code = await asyncio.to_thread(main, words[command])
    captured = capfd.readouterr()
    assert code == 1
    assert captured.err.strip()
    assert not OBEYED.search(captured.out.replace("\n", "") + captured.err.replace("\n", ""))


def test_every_way_out_is_inert(capsys: pytest.CaptureFixture[str]) -> None:
    """Lists, warnings, questions."""
    output.show(f"a\t{EVIL}")
    output.warn(EVIL)
    output.print_notice(EVIL)
    output.prompt(f"{EVIL}: ")
    captured = capsys.readouterr()
    assert captured.out.startswith("a\t")
    assert captured.out.count("\n") == 1
    assert not OBEYED.search((captured.out + captured.err).replace("\n", "").replace("\t", ""))
