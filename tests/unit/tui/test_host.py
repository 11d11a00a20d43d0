"""What is done with the machine is decided in one place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tui.commands import files
from tui.errors import ConfigError
from tui.host import LOCAL, Ability, hosted
from tui.ssh.audit_guard import AuditGuard

HERE = hosted(site="https://chat.example.com", command="ssh chat.example.com")


@pytest.mark.parametrize("ability", ["files", "programs", "editor", "browser", "servers"])
def test_a_hosted_client_can_nothing_and_says_what_to_do(ability: Ability) -> None:
    """At home everything can be done; over SSH each refusal is a sentence."""
    assert LOCAL.can(ability)
    assert not HERE.can(ability)
    with pytest.raises(ConfigError, match=r"(SSH|Here).*\."):
        HERE.require(ability)


def test_a_pasted_path_tells_nothing_about_the_host(tmp_path: Path) -> None:
    """Not even whether a file is there."""
    file = tmp_path / "plan.pdf"
    file.touch()
    assert files.dropped(str(file)) == [file]
    assert files.dropped(str(file), HERE) == []
    with pytest.raises(ConfigError):
        files.proposals(f"{tmp_path}/", HERE)


TRIES = """
import os, socket, subprocess, sys
from pathlib import Path
from tui.ssh.audit_guard import AuditGuard
own, other, port = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
tried = []
AuditGuard(own, f"http://127.0.0.1:{port}", tried.append).install()
(own / "mine").write_text("x"); (own / "mine").read_text(); os.listdir(own); open(os.__file__).close()
def socket_to(host, port):
    with socket.socket() as s:
        s.settimeout(1)
        s.connect((host, port))
for what in (
    lambda: open(other), lambda: open(other, "w"), lambda: os.listdir(Path(other).parent), lambda: open(own / "link"),
    lambda: open(own / ".." / Path(other).name), lambda: os.rename(own / "mine", other), lambda: open(os.__file__, "a"),
    lambda: subprocess.run(["true"]), lambda: os.system("true"), lambda: os.fork(), lambda: os.execv("/bin/true", ["true"]),
    lambda: socket_to("127.0.0.1", port + 1), lambda: socket_to("127.0.0.2", port), lambda: socket.getaddrinfo("localhost", port),
    lambda: socket.socket(socket.AF_UNIX).connect("/run/x"),
):
    try:
        what()
    except PermissionError:
        continue
    print("not refused:", what.__code__.co_firstlineno, what.__code__.co_consts)
try:
    socket_to("127.0.0.1", port)
except ConnectionRefusedError:
    pass
print(len(tried))
"""


def test_the_guard_refuses_what_is_not_the_session_s(tmp_path: Path) -> None:
    """Other files, by links and dots too, programs, other servers; its own folder and server work."""
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.write_text("of somebody else")
    (own / "link").symlink_to(other)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", TRIES, own, other, "9"],
        capture_output=True,
        text=True,
        check=False,
        cwd=os.path.dirname(os.__file__),
    )
    assert (done.stdout, done.stderr) == ("15\n", "")
    assert other.read_text() == "of somebody else"
    assert AuditGuard(own, "https://chat.example.com", print)._port == 443
