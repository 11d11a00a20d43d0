"""What becomes of sessions over SSH when lines, neighbors and the service itself fail."""

import asyncio
import itertools
import os
import re
import signal
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from tests.e2e.team import team
from tests.far import Way, reached
from tests.live import live, until
from tests.ssh_service import HAS_OPENSSH, QUICK, ssh_service
from tests.warm_parent import SPIN
from tui.ssh import service as service_module
from tui.ssh.channel import Channel
from tui.ssh.parent import NICE, launch

pytestmark = pytest.mark.skipif(not HAS_OPENSSH, reason="OpenSSH's client is not installed")


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_line_that_is_slow_and_then_dead_ends_and_leaves_the_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 200 ms to and fro a letter is one small piece each way. Then the client answers no more and is not gone either.

    A neighbor whose window changes all the time is no matter.
    """
    heard: list[bytes] = []
    said: list[bytes] = []
    hear, say = Channel.data_received, Channel._write

    def hearing(channel: Channel, data: bytes, datatype: object) -> None:
        heard.append(data)
        hear(channel, data, datatype)

    def saying(channel: Channel, data: bytes) -> None:
        said.append(data)
        say(channel, data)

    monkeypatch.setattr(Channel, "data_received", hearing)
    monkeypatch.setattr(Channel, "_write", saying)
    async with (
        live(tmp_path) as server,
        ssh_service(server, tmp_path) as there,
        reached(f"http://127.0.0.1:{there.port}", Way("slow", 0.1)) as far,
    ):
        ann, ben, _ = await team(server)
        keys = there.let_in(ann), there.let_in(ben)
        near, there.port = there.port, int(far.rpartition(":")[2])
        async with there.terminal(keys[0]) as a:
            there.port = near
            await a.shows("is the kettle on?")
            a.press("c")
            a.type("half a sent")
            await a.shows("half a sent")
            await a.until(b"\x1b]2;Chinwag\x1b\\")  # all is read, which is shown too
            for letter in "en":
                await a.settle()
                heard.clear()
                said.clear()
                a.type(letter)
                await a.shows(f"half a sent{'en' if letter == 'n' else 'e'}")
                assert heard == [letter.encode()]
                # The cursor blinks meanwhile; the letter is in one of the pieces, and all are small.
                assert sum(f"m{letter}\x1b".encode() in each for each in said) == 1, said
                assert sum(map(len, said)) < 400, said
            await a.shows("half a senten")
            async with there.terminal(keys[1]) as b:
                await b.shows("is the kettle on?")
                for width in range(100):
                    b.resize(40 + width, 10 + width % 30)
                assert a.process is not None
                os.kill(a.process.pid, signal.SIGSTOP)
                await until(lambda: "session_ended" in there.log.getvalue())
                os.kill(a.process.pid, signal.SIGCONT)
                b.resize(100, 30)
                await b.shows("is the kettle on?")
        async with there.terminal(keys[0]) as a:
            await a.shows("half a senten")


async def test_a_slow_reader_is_waited_for_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visitor's connection stalls: little is buffered for them, others chat, and they catch up afterwards."""
    paused: list[Channel] = []
    pause = Channel.pause_writing

    def pausing(channel: Channel) -> None:
        paused.append(channel)
        pause(channel)

    monkeypatch.setattr(Channel, "pause_writing", pausing)
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, tea = await team(server)
        keys = there.let_in(ann), there.let_in(ben)
        async with there.connection(keys[0]) as line, there.terminal(keys[1]) as b:
            slow = await line.create_process(
                term_type="xterm", term_size=(100, 30), encoding=None, window=8192
            )
            await _read_until(slow.stdout, b"kettle")
            await b.shows("is the kettle on?")
            widths = itertools.cycle(range(60, 160))

            def is_squeezed() -> bool:
                slow.change_terminal_size(next(widths), 30)
                return bool(paused)

            await until(is_squeezed)
            await ben.post(
                "messages", type="stream", to=tea.channel_id, topic="tea", content="later"
            )
            await b.shows("later")
            for _ in range(100):
                slow.change_terminal_size(next(widths), 30)
            b.press("c")
            b.type("still here")
            await b.shows("still here")
            chan = paused[0]._chan
            assert chan is not None
            assert chan.get_write_buffer_size() < 200_000
            await _read_until(slow.stdout, b"later")
        assert "session_busy" not in there.log.getvalue()


async def _read_until(stream: asyncssh.SSHReader[bytes], text: bytes) -> None:
    seen = b""
    while text not in seen:
        seen += await stream.read(4096)


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not count it elsewhere")
async def test_a_session_that_turns_in_circles_gives_way_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its neighbor goes on, its visitor hears why and gets the terminal back, and the draft."""
    monkeypatch.setattr(service_module, "LEAVING_SECONDS", 0.1)
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, _ = await team(server)
        keys = there.let_in(ann), there.let_in(ben)
        async with there.terminal(keys[0]) as a, there.terminal(keys[1]) as b:
            await b.shows("is the kettle on?")
            await a.shows("is the kettle on?")
            a.press("c")
            a.type("half a senten")
            await a.shows("half a senten")
            await until(lambda: _is_kept(there.folder(ann), b"half a senten"))
            visits = {each.key: each for each in there.service._visits}
            spinning = visits[keys[0].digest]
            there.service.limits = replace(QUICK, strain_seconds=0.1, busy_seconds=1.5)
            os.kill(spinning.running.pid, SPIN)
            await until(lambda: spinning.gives_way)
            assert os.getpriority(os.PRIO_PROCESS, spinning.running.pid) == NICE
            b.press("c")
            b.type("still here")
            await b.shows("still here")
            await a.shows("The session stopped responding. Your drafts are saved.")
            assert await a.exits() == 255
            assert a.written.rfind(b"\x1b[?1049l") > a.written.rfind(b"\x1b[?1049h")
            assert "session_busy" in there.log.getvalue()
            there.service.limits = replace(QUICK, disk=2_000_000)
            status, _, errors = await there.run(keys[1], "upload", "plan.txt", text="x" * 3_000_000)
            assert (status, "does not fit on this host" in errors) == (1, True), errors
            there.service.limits = QUICK
            assert not visits[keys[1].digest].running.ended.done()
        async with there.terminal(keys[0]) as a:
            await a.shows("half a senten")


def _is_kept(folder: Path, text: bytes) -> bool:
    return any(text in each.read_bytes() for each in folder.rglob("*") if each.is_file())


async def test_without_the_service_no_session_is_left(tmp_path: Path) -> None:
    """Its front process is killed: parent and sessions end, whoever was there gets the terminal back."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, _, _ = await team(server)
        key = there.let_in(ann)
        await there.service.parent.stop()  # the test's own is not needed
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "tui", "serve-ssh", "--site", server.url),
            *("--port", "0", "--state", str(tmp_path / "ssh")),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            said = (await process.stdout.readuntil(b"People connect with")).decode()
            there.port = int(re.findall(r"at 127\.0\.0\.1:(\d+)", said)[0])
            async with there.terminal(key) as terminal:
                await terminal.shows("is the kettle on?")
                line = await process.stderr.readuntil(b"kind=screen")
                pid = int(re.findall(rb"session_opened \S+ pid=(\d+)", line)[0])
                assert _is_alive(pid)
                process.kill()
                await until(lambda: not _is_alive(pid))
                assert await terminal.exits() == 255
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()


@pytest.mark.soak
async def test_thirty_sessions(tmp_path: Path) -> None:
    """All draw, each takes little memory of its own, and none is left."""
    limits = replace(
        QUICK, sessions_per_account=30, connections_per_address=40, unauthenticated_per_address=10
    )
    async with (
        live(tmp_path) as server,
        ssh_service(server, tmp_path, limits, launch=launch) as there,
    ):
        ann, _, _ = await team(server)
        key = there.let_in(ann)
        async with AsyncExitStack() as stack:
            for _ in range(30):
                each = await stack.enter_async_context(there.terminal(key))
                await each.shows("is the kettle on?")
            pids = [each.running.pid for each in there.service._visits]
            sizes = [_memory(pid) for pid in pids]
            assert sum(sizes) / len(sizes) <= 35 * 1024
        await until(lambda: not any(map(_is_alive, pids)))


def _memory(pid: int) -> int:
    """Its share, in KiB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(r"^Pss: +(\d+)", text, re.MULTILINE)[0])
