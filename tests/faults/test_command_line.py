"""The command line on a network that lies: one sentence, the documented exit code, and nothing said twice."""

import asyncio
import fcntl
import os
import signal
import sys
import termios
from array import array
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server_lite.actions.users import create_user
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.faults.lies import LIES, SIGNED_OUT, lied_to
from tests.listening import listening
from tests.live import live
from tests.real_terminal import CHINWAG, real_terminal
from tui.accounts import Account, write_zuliprc
from tui.cli.main import main

COMMANDS = (("search", "hi"), ("unread",), ("tail", "-n", "1"), ("channels",))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHINWAG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tui.cli.send.pause", lambda _error, attempt: 0.0 if attempt < 4 else None)


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
        page = await ann.get(
            "messages",
            anchor="newest",
            num_before=100,
            num_after=0,
            apply_markdown=False,
            narrow=[{"operator": "topic", "operand": "tea"}],
        )
        assert [each["content"] for each in page["messages"]] == texts


@asynccontextmanager
async def _silent(zuliprc: Path) -> AsyncIterator[asyncio.Event]:
    """A server of this account that accepts and never answers; set once somebody came."""
    accepted = asyncio.Event()

    async def take(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        accepted.set()
        await reader.read()

    async with listening(take) as place:
        write_zuliprc(zuliprc, Account(site=f"http://{place}", email="a@x.org", key="k" * 32))
        yield accepted


async def test_a_server_that_never_answers_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script does not hang on a half-open connection: a sentence and code 1 after the limit."""
    monkeypatch.setattr("tui.api.http_client.READ_SECONDS", 0.05)
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


PRESS_CTRL_C = """
import os, signal, sys
from importlib import import_module

class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[2]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, CtrlC())
sys.exit(import_module(sys.argv[1]).main())
"""


@pytest.mark.parametrize(
    ("program", "module"),
    [
        ("tui", "tui.cli.main"),
        ("tui", "tui.errors"),
        ("server_lite", "server_lite.cli.arguments"),
        ("server_lite", "server_lite.errors"),
    ],
)
async def test_ctrl_c_ends_a_command_that_is_being_loaded(program: str, module: str) -> None:
    """While it imports this module: as quietly, with the same code."""
    loading = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PRESS_CTRL_C, f"{program}.__main__", module, stdout=PIPE, stderr=PIPE
    )
    assert await loading.communicate() == (b"", b"")
    assert loading.returncode == 130


async def test_a_reader_that_leaves_is_not_told_of_at_the_terminal(tmp_path: Path) -> None:
    """`chinwag … | head -n 1` shows one line and the prompt again."""
    command = f"'{CHINWAG}' completions fish | head -n 1; echo 'the prompt'"
    home = {"CHINWAG_HOME": str(tmp_path)}
    async with real_terminal(("/bin/sh", "-c", command), home, size=(120, 24)) as terminal:
        await terminal.shows("the prompt")
        assert await terminal.exits() == 0
        assert len([line for line in terminal.lines if line]) == 2, terminal.text


def _large_team(folder: Path) -> str:
    """The file of a server whose list of accounts is longer than a pipe."""
    path = folder / "team.db"
    database = Database(path)

    def fill(tx: Tx) -> None:
        for number in range(100):
            email, name = f"person.{number}@example.com", f"Person {number} " + "x" * 50
            create_user(tx, email=email, full_name=name, role=Role.MEMBER, password=None)

    database.write_now(fill)
    database.close()
    return str(path)


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="its pipes have sizes and /dev/full"
)
@pytest.mark.parametrize("program", ["tui", "server_lite"])
async def test_output_that_nobody_takes_ends_a_command_quietly(
    tmp_path: Path, program: str
) -> None:
    """A reader that left, no output at all, a full disk, Ctrl+C at a pipe that is stuck: no traceback."""
    words = {
        "tui": ("completions", "fish"),
        "server_lite": ("user", "list", "--db", _large_team(tmp_path)),
    }[program]
    command = (sys.executable, "-m", program, *words)

    async def ended(stdout: int | None, *before: str) -> tuple[int | None, bytes]:
        process = await asyncio.create_subprocess_exec(
            *before, *command, stdout=stdout, stderr=PIPE
        )
        said = (await process.communicate())[1]
        return process.returncode, said

    reading, writing = os.pipe()
    os.close(reading)
    code, said = await ended(writing)
    os.close(writing)
    assert (code, said) == ({"tui": 0, "server_lite": 1}[program], b"")

    assert await ended(None, "/bin/sh", "-c", 'exec "$@" >&-', "sh") == (0, b"")

    full = os.open("/dev/full", os.O_WRONLY)
    code, said = await ended(full)
    os.close(full)
    assert code == 1
    assert said.endswith(b"output cannot be written: No space left on device.\n")
    assert said.count(b"\n") == 1

    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    process = await asyncio.create_subprocess_exec(*command, stdout=writing, stderr=PIPE)
    os.close(writing)
    size = array("i", [0])
    while size[0] < 3500:  # then it waits for the reader
        fcntl.ioctl(reading, termios.FIONREAD, size)
        await asyncio.sleep(0)
    process.send_signal(signal.SIGINT)
    assert (await process.communicate())[1] == b""
    assert process.returncode == 130
    os.close(reading)
