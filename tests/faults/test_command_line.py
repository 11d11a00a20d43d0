"""The command line on a network that lies: one sentence, the documented exit code, and nothing said twice."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.faults.lies import LIES, SIGNED_OUT, lied_to
from tests.live import live
from tui.accounts import Account, write_zuliprc
from tui.cli.arguments import main

COMMANDS = (("search", "hi"), ("unread",), ("tail", "-n", "1"), ("channels",))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tui.cli.send._pause", lambda _error, _attempt: 0.0)


async def test_a_lie_is_one_sentence_and_no_message_is_lost_or_doubled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is answered in the server's place, to everything or to the message alone: code 1; later the
    same command with the same key says it once."""
    async with live(tmp_path) as server, lied_to(server.url) as liar:
        ann = await server.person("Ann")
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "design"}])
        zuliprc = tmp_path / "zuliprc"
        write_zuliprc(zuliprc, Account(site=liar.url, email=ann.email, key=ann.key))

        async def run(command: str, *words: str) -> tuple[int, str, str]:
            code = await asyncio.to_thread(main, [command, "--zuliprc", str(zuliprc), *words])
            captured = capsys.readouterr()
            return code, captured.out, captured.err

        texts = []
        for number, lie in enumerate((*LIES, SIGNED_OUT)):
            text = f"{lie.name} {number}"
            texts.append(text)
            send = ("send", "--to", "design > tea", "--key", f"key-{number}", text)
            for begins in (b"", b"POST /api/v1/messages "):
                liar.start(lie, begins)
                code, out, err = await run(*send)
                assert (code, out, err.count("\n")) == (1, "", 1), (lie.name, begins, err)
                assert liar.told
            command = COMMANDS[number % len(COMMANDS)]
            liar.start(lie)
            code, out, err = await run(*command)
            assert (code, out, err.count("\n")) == (1, "", 1), (lie.name, command, err)
            liar.stop()
            code, first, _ = await run(*send)
            assert (code, await run(*send)) == (0, (0, first, "")), lie.name
        found = await ann.get(
            "messages",
            anchor="newest",
            num_before=100,
            num_after=0,
            apply_markdown=False,
            narrow=[{"operator": "topic", "operand": "tea"}],
        )
        assert [each["content"] for each in found["messages"]] == texts


@asynccontextmanager
async def _silent(zuliprc: Path) -> AsyncIterator[asyncio.Event]:
    """A server of this account that accepts and never answers; set once somebody came."""
    accepted, held = asyncio.Event(), list[asyncio.StreamWriter]()

    async def take(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)
        accepted.set()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    site = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    write_zuliprc(zuliprc, Account(site=site, email="a@x.org", key="k" * 32))
    yield accepted
    for writer in held:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    server.close()


async def test_a_server_that_never_answers_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script does not hang on a half-open connection: a sentence and code 1 after the limit."""
    monkeypatch.setattr("tui.api.connection.READ_SECONDS", 0.05)
    zuliprc = tmp_path / "zuliprc"
    async with _silent(zuliprc):
        for words in (["send", "--to", "#design > tea", "hi"], ["unread"], ["search", "hi"]):
            code = await asyncio.to_thread(main, [words[0], "--zuliprc", str(zuliprc), *words[1:]])
            said = capsys.readouterr()
            assert (code, said.out, said.err.count("\n")) == (1, "", 1), words
            assert "did not answer in time" in said.err


async def test_ctrl_c_ends_a_command_that_waits(tmp_path: Path) -> None:
    """While it waits for an answer: at once, no traceback, and the documented code."""
    zuliprc = tmp_path / "zuliprc"
    async with _silent(zuliprc) as accepted:
        words = ("-m", "tui", "unread", "--zuliprc", str(zuliprc))
        waiting = await asyncio.create_subprocess_exec(
            sys.executable, *words, stdout=PIPE, stderr=PIPE
        )
        await accepted.wait()
        waiting.send_signal(signal.SIGINT)
        out, err = await waiting.communicate()
    assert (waiting.returncode, out, err.strip()) == (130, b"", b"")
