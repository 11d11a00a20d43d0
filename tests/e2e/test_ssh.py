"""People who come by SSH: OpenSSH's client in a terminal, the service, a real server."""

import asyncio
import os
import shlex
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import asyncssh
import pytest

from server_lite.api.request import Receive, Scope, Send
from server_lite.app import App
from tests.e2e.client import playing
from tests.e2e.team import KETTLE, contents, team, write
from tests.guides.pages import commands
from tests.live import live, until
from tests.real_terminal import real_terminal
from tests.ssh_service import HAS_OPENSSH, Key, SshService, ssh_service
from tui.ssh.limits import Limits

pytestmark = pytest.mark.skipif(not HAS_OPENSSH, reason="OpenSSH's client is not installed")


async def test_a_newcomer_signs_in_and_the_key_opens_the_next_time(tmp_path: Path) -> None:
    """The question, the sign-in screen, the choice of a key; then that key, after one more question."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, _ = await team(server)
        key = there.new_key()
        async with there.terminal(key) as terminal:
            await terminal.shows("no key of yours is known here yet", "Invitation link, or Enter")
            terminal.type("\n")
            await terminal.shows("Password", server.url)
            assert "This machine" not in terminal.text
            assert "zuliprc" not in terminal.text
            terminal.press("shift+tab", "right")
            await terminal.settle()
            terminal.press("tab")
            terminal.type(f"{ann.email}\n{ann.key}\n")
            await terminal.shows("Sign in with an SSH key next time?", key.digest[:20])
            terminal.press("enter")
            await terminal.shows("Next time this key signs you in", "design")
            terminal.press("ctrl+q")
            assert await terminal.exits() == 0
        assert ann.key not in there.log.getvalue()
        async with there.terminal(key) as terminal:
            await terminal.shows(f"This key was noted for {ann.email}", "[y/N]")
            terminal.press("enter")
            assert await terminal.exits() == 1
        assert not there.service.keys.all()[0].is_bound
        async with there.terminal(key) as terminal:
            await terminal.shows("[y/N]")
            terminal.press("y")
            await terminal.shows("design")
        async with there.terminal(key) as terminal:
            await terminal.shows("design")
        # Somebody notes a public key that is another's: its owner says no, and it is nobody's.
        other = there.let_in(ben, is_bound=False)
        async with there.terminal(other) as terminal:
            await terminal.shows("This key was noted for ben@example.com", "[y/N]")
            terminal.press("n")
            assert await terminal.exits() == 1
        assert there.service.keys.get(other.digest) is None
        names = [each.name for each in (tmp_path / "ssh" / "people").iterdir()]
        await until(lambda: len(list((tmp_path / "ssh" / "people").iterdir())) == 2)
        assert there.folder(ann).name in names


async def test_two_chat_over_ssh_and_one_at_home(tmp_path: Path) -> None:
    """What is written in one session is in the other and in the local client, and the other way round."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, tea = await team(server)
        cleo = await server.person("Cleo")
        await cleo.post("users/me/subscriptions", subscriptions=[{"name": "design"}])
        keys = there.let_in(ann), there.let_in(ben)
        async with (
            there.terminal(keys[0], TERM="no such'; terminal") as a,
            there.terminal(keys[1], size=(60, 20)) as b,
            playing(server, cleo, tmp_path) as c,
        ):
            await a.shows("is the kettle on?")
            await b.shows("is the kettle on?")
            await c.go(tea)
            a.press("c")
            a.type("it is\n")
            await b.shows("it is")
            await c.sees(lambda: "it is" in c.texts)
            await write(c, "milk?")
            await a.shows("milk?")
            await b.shows("milk?")
            link = "see https://example.com/plan"
            await ben.post("messages", type="stream", to="design", topic="tea", content=link)
            await a.shows("see https://example.com/plan")
            a.press("escape", "end", "o")
            await a.shows("Open example.com?")
            a.press("right", "enter")
            await a.until(b"\x1b]52;")  # on the clipboard of the terminal
            await a.until(b"\x1b]8;")  # a link of the terminal
            await a.shows("Copied.")
            b.resize(100, 30)
            b.press("c")
            b.type("a half-written answ")
            await b.shows("a half-written answ")
            b.hang_up()
            await until(lambda: "session_ended" in there.log.getvalue())
        async with there.terminal(keys[1]) as b:
            await b.shows("a half-written answ")  # the draft
        assert await contents(ann, tea.channel_id, "tea") == [
            "is the kettle on?", "it is", "milk?", link,
        ]  # fmt: skip
        people = [there.folder(each) for each in (ann, ben)]
        assert {oct(each.stat().st_mode & 0o777) for each in people} == {"0o700"}


async def test_a_session_that_is_killed_or_whose_key_is_revoked_gives_the_terminal_back(
    tmp_path: Path,
) -> None:
    """The modes are reset, a sentence says why, the others go on."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, _ = await team(server)
        keys = there.let_in(ann), there.let_in(ann), there.let_in(ben)
        async with (
            there.terminal(keys[0]) as a,
            there.terminal(keys[1]) as b,
            there.terminal(keys[2]) as c,
        ):
            for each in (a, b, c):
                await each.shows("is the kettle on?")
            visits = {each.key: each for each in there.service._visits}
            os.kill(visits[keys[0].digest].running.pid, signal.SIGKILL)
            assert await a.exits() == 255
            await a.settle()
            assert a.written.rfind(b"\x1b[?1049l") > a.written.rfind(b"\x1b[?1049h")
            status, out, _ = await there.run(keys[2], "keys")
            assert (status, keys[2].digest in out, keys[1].digest in out) == (0, True, False)
            # By another process, as the command of the machine's owner does it.
            there.service.keys.revoke(keys[1].digest)
            await b.shows("This SSH key was revoked.")
            assert await b.exits() != 0
            c.press("ctrl+p")
            await c.shows("type a part of a name")
            c.type("your devices\n")
            await c.shows("Your devices", "SSH key test", "this session")
            c.press("n")
            await c.shows("Link another device")
            c.press("escape", "escape")
            c.press("c")
            c.type("still here")
            await c.shows("still here")
        status, _, errors = await there.run(keys[1], "tail")
        assert (status, "Sign in first" in errors) == (1, True)


@dataclass(frozen=True)
class Typed:
    """Types commands of the page about SSH, as they are written there, in a folder."""

    there: SshService
    key: Key
    folder: Path

    async def __call__(self, words: str, instead: Mapping[str, str] | None = None) -> str:
        """Return the output of a command that succeeds; `instead` are words that stand for others."""
        line = f"ssh -p 2222 chat.example.com {words}"
        assert line in commands("docs/guide/ssh.md")
        for word, other in (instead or {}).items():
            line = line.replace(word, other)
        ours = shlex.join(self.there.command(self.key))
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", line.replace("ssh -p 2222 chat.example.com", ours)),
            stdout=asyncio.subprocess.PIPE,
            cwd=self.folder,
        )
        out, _ = await process.communicate()
        assert process.returncode == 0
        return out.decode()


async def test_commands_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """send, upload, get, tail and search; what touches files here does not exist. The server hears from where they come."""
    addresses: set[tuple[bytes | None, ...]] = set()
    serve = App.__call__

    async def heard(app: App, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        if headers[b"user-agent"].startswith(b"Chinwag"):
            addresses.add((headers.get(b"x-forwarded-for"), headers.get(b"x-chinwag-ssh")))
        await serve(app, scope, receive, send)

    monkeypatch.setattr(App, "__call__", heard)
    async with live(tmp_path) as server, ssh_service(server, tmp_path, secret="shared") as there:
        ann, ben, tea = await team(server)
        key = there.let_in(ann)
        typed = Typed(there, key, tmp_path)
        (tmp_path / "text").write_text("by pipe\n")
        assert (await typed("send '#design > colors' < text")).strip().isdecimal()
        status, out, _ = await there.run(key, "send '#design > tea' --json", text="and again")
        assert (status, '"id"' in out) == (0, True)
        assert addresses == {(b"127.0.0.1", b"shared")}
        assert (await contents(ben, tea.channel_id, "tea"))[-1] == "and again"
        assert await contents(ben, tea.channel_id, "colors") == ["by pipe"]
        assert KETTLE in await typed("search sender:ann kettle", {"ann": "ben"})
        (tmp_path / "plan.pdf").write_text("%PDF")
        there_is = (await typed("upload plan.pdf < plan.pdf")).strip()
        (tmp_path / "plan.pdf").unlink()
        name = there_is.partition("(/user_uploads/")[2].removesuffix(")")
        await typed("get 2/ab/plan.pdf > plan.pdf", {"2/ab/plan.pdf": name})
        assert (tmp_path / "plan.pdf").read_text() == "%PDF"
        assert key.digest in await typed("keys")
        plan = "plan " * 50_000
        status, out, _ = await there.run(key, "upload", "../plan.txt", text=plan)
        assert (status, out.startswith("[plan.txt](/user_uploads/")) == (0, True)
        file = out.strip().partition("(/user_uploads/")[2].removesuffix(")")
        assert await there.run(key, "get", file) == (0, plan, "")
        process = await asyncio.create_subprocess_exec(
            *there.command(key, "tail -f"), stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            assert b"and again" in await process.stdout.readuntil(b"again\n")
            await ben.post("messages", type="stream", to="design", topic="tea", content="live")
            assert b"live" in await process.stdout.readuntil(b"live\n")
        finally:
            process.kill()
            await process.communicate()
        for words in (
            "send --to '#design > tea' --file /etc/passwd", "api users/me", "sh", "--zuliprc /etc/passwd tail",
            "tail --zuliprc /etc/passwd", "get ../../../etc/passwd", "get /etc/passwd", "login x", "scp -f /etc",
        ):  # fmt: skip
            status, out, errors = await there.run(key, words, text="x")
            assert (status != 0, out, "root:" in errors) == (True, "", False), words
        token = (await typed("link")).strip()
        assert there.service.keys.take_token(token).email == ann.email  # type: ignore[union-attr]  # it is hers
        assert there.service.keys.take_token(token) is None


async def test_what_is_not_chat_is_refused(tmp_path: Path) -> None:
    """Forwarding of all kinds, SFTP, a second session; an offered key proves nothing, a wrong answer neither."""
    limits = Limits(failures=2)
    async with live(tmp_path) as server, ssh_service(server, tmp_path, limits) as there:
        ann, _, _ = await team(server)
        key, stranger = there.let_in(ann), there.new_key()
        async with there.connection(key, agent_forwarding=True) as connection:
            with pytest.raises(asyncssh.ChannelOpenError):
                await connection.open_connection("127.0.0.1", 9)
            with pytest.raises(asyncssh.ChannelOpenError):
                await connection.open_unix_connection("/run/x")
            with pytest.raises(asyncssh.ChannelListenError):
                await connection.start_server(lambda *_: None, "127.0.0.1", 0)
            with pytest.raises((asyncssh.ChannelOpenError, asyncssh.SFTPError)):
                await connection.start_sftp_client()
        # The victim's public key is offered, then the question is answered as a guest.
        async with there.connection(
            password=None, kbdint_auth=True, client_factory=_Guest
        ) as guest:
            done = await guest.run("tail", check=False)
            assert (done.exit_status, "known here" in str(done.stderr)) == (1, True)
        for _ in range(2):
            with pytest.raises((asyncssh.Error, ConnectionError)):
                async with there.connection(stranger, client_factory=_WrongToken):
                    pass
        with pytest.raises((asyncssh.Error, ConnectionError)):
            async with there.connection(key):
                pass
        log = there.log.getvalue()
        assert "auth_failed peer=127.0.0.1" in log
        assert "auth_penalty peer=127.0.0.1 seconds=60" in log
        assert "rejected peer=127.0.0.1 reason=penalty" in log


async def test_who_asks_for_no_session_does_not_stay(tmp_path: Path) -> None:
    """Anyone can answer the question: a connection without a session would keep a place from somebody."""
    limits = Limits(asking_seconds=0.1)
    async with live(tmp_path) as server, ssh_service(server, tmp_path, limits) as there:
        async with there.connection(
            password=None, kbdint_auth=True, client_factory=_Guest
        ) as guest:
            await asyncio.wait_for(guest.wait_closed(), 15)
        assert "session_opened" not in there.log.getvalue()


class _Guest(asyncssh.SSHClient):
    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, *_: object) -> list[str]:
        return [""]


class _WrongToken(_Guest):
    def kbdint_challenge_received(self, *_: object) -> list[str]:
        return ["not-a-token"]


async def test_five_sessions_and_not_a_sixth(tmp_path: Path) -> None:
    """All draw, one gets a sentence, and all memory comes back: no process is left."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, _, _ = await team(server)
        key = there.let_in(ann)
        async with AsyncExitStack() as stack:
            for _ in range(5):
                each = await stack.enter_async_context(there.terminal(key))
                await each.shows("is the kettle on?")
            pids = [each.running.pid for each in there.service._visits]
            async with there.terminal(key) as sixth:
                await sixth.shows("You have 5 sessions open.")
                assert await sixth.exits() == 1
        await until(lambda: not there.service._visits)
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


async def test_the_server_starts_it_and_takes_it_down(tmp_path: Path) -> None:
    """`serve --ssh`: a newcomer joins by invitation; killed, nothing of it is left; doctor knows the host key."""
    db, port = tmp_path / "team.db", _free_port()
    server = [sys.executable, "-P", "-m", "server_lite"]
    init = ("init", "--db", str(db), "--realm-name", "Tea", "--owner-email", "ann@example.com")
    await _run(*server, *init, "--owner-name", "Ann", "--owner-password-stdin", text="a password\n")
    process = await asyncio.create_subprocess_exec(
        *server, "serve", "--db", str(db), "--port", "0", "--ssh", str(port),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = (await process.stdout.readuntil(b"People connect with")).decode()
        assert "Host key: ED25519 SHA256:" in said
        fingerprint = said.partition("SHA256:")[2].split()[0]
        assert f"SHA256:{fingerprint}" in await _run(*server, "doctor", "--db", str(db))
        link = (await _run(*server, "invite", "--db", str(db), "--many")).split()[-1]
        command = [
            "ssh",
            "-F",
            "none",
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "PubkeyAuthentication=no",
        ]
        command += ["-o", f"UserKnownHostsFile={tmp_path}/known", "-p", str(port), "127.0.0.1"]
        async with real_terminal(command, {"SSH_AUTH_SOCK": ""}, size=(100, 30)) as terminal:
            await terminal.shows("Invitation link")
            terminal.type(f"{link}\n")
            await terminal.shows("You are invited to Tea", "Your name:")
            terminal.type("Ben\n")
            await terminal.shows("Your email address:")
            terminal.type("ben@example.com\n")
            await terminal.shows("Password")
            terminal.type("another password\n")
            await terminal.shows("Repeat the password")
            terminal.type("another password\n")
            await terminal.shows("Inbox", "Channels")
            # Without the server its SSH goes, and with that each session.
            process.terminate()
            assert await terminal.exits(seconds=20) != 0
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


async def _run(*command: str, text: str = "") -> str:
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate(text.encode())
    assert process.returncode == 0
    return out.decode()


async def test_whoever_signs_in_in_a_session_of_another_leaves_nothing_there(
    tmp_path: Path,
) -> None:
    """Ann's account is refused, Ben signs in at her terminal: her key opens no account of his."""
    async with live(tmp_path) as server, ssh_service(server, tmp_path) as there:
        ann, ben, _ = await team(server)
        key = there.let_in(ann)
        (zuliprc,) = (there.folder(ann) / "config" / "accounts").glob("*.zuliprc")
        zuliprc.write_text(zuliprc.read_text().replace(ann.key, "x" * 32))
        async with there.terminal(key) as terminal:
            await terminal.shows("Password")
            terminal.press("shift+tab", "right")
            await terminal.settle()
            terminal.press("tab")
            terminal.type(f"{ben.email}\n{ben.key}\n")
            await terminal.shows("is the kettle on?")
        assert list((there.folder(ann) / "config" / "accounts").glob("*.zuliprc")) == []
        assert len(list((there.folder(ben) / "config" / "accounts").glob("*.zuliprc"))) == 1
        async with there.terminal(key) as terminal:
            await terminal.shows("Password")
