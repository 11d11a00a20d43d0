"""`chinwag` and `chinwag-server` for a shell: processes of their own that need not load their modules again.

A page has dozens of commands, and a start of Python with a program takes longer than most of them. So one
process loads both programs; what is put on the shell's PATH hands it arguments, folder, environment and the three
standard files, and it forks a process that runs the command. Run as a program, this is the process to fork.
"""

import contextlib
import gc
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

from tui.api import decode
from tui.api.model import Message
from tui.api.snapshot import InitialSnapshot
from tui.errors import MalformedResponse

NAMES: Final = ("chinwag", "chinwag-server")
_LOADED: Final = (
    *("tui.cli.send", "tui.cli.export", "tui.cli.tail", "tui.cli.sign_in", "tui.cli.lists", "tui.cli.api"),
    *("tui.cli.joining", "tui.cli.react", "tui.cli.status", "tui.cli.person", "tui.cli.groups", "tui.api.http_client"),
    *("server_lite.server", "server_lite.cli.serving", "server_lite.cli.transfers", "server_lite.cli.doctor"),
    *("server_lite.cli.backup", "server_lite.cli.restore", "server_lite.cli.organization", "tui.ssh.owner"),
)  # fmt: skip
_MOST: Final = 65536
"""Bytes of arguments, folder and environment."""

# Only built-in modules: each command starts it.
_STUB: Final = """
import sys, posix, _signal, _socket
link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
link.connect(sys.argv[1])
words = [word.encode("utf-8", "surrogateescape") for word in sys.argv[2:]]
parts = [b"%d" % len(words), *words, posix.getcwdb()]
parts += [name + b"=" + value for name, value in posix.environ.items()]
files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
link.sendmsg([b"\\0".join(parts) + b"\\0\\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
pid = int(link.recv(20))  # padded: the exit code may be there already
for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP):
    _signal.signal(number, lambda number, _: posix.kill(pid, number))
for number in (0, 1, 2):
    posix.close(number)
code = link.recv(4)
posix._exit(int(code) if code else 255)
"""


@contextlib.contextmanager
def warm_programs() -> Iterator[Path]:
    """Start the process that is forked; return a folder with both commands, for PATH."""
    # Not a test's folder: the path of a socket may have 100 characters only.
    with (
        tempfile.TemporaryDirectory(prefix="chinwag-") as name,
        socket.socket(socket.AF_UNIX) as link,
    ):
        folder = Path(name)
        link.bind(str(folder / "socket"))
        link.listen(20)
        (folder / "stub.py").write_text(_STUB)
        (folder / "bin").mkdir()
        for command in NAMES:
            file = folder / "bin" / command
            words = (
                sys.executable,
                "-IS",
                str(folder / "stub.py"),
                str(folder / "socket"),
                command,
            )
            file.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
            file.chmod(0o700)
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.guides.warm_programs", str(link.fileno())],
            pass_fds=(link.fileno(),),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield folder / "bin"
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def main() -> NoReturn:
    """Load both programs, then fork for each command, until killed."""
    for name in _LOADED:
        import_module(name)
    # Types that every command of the client decodes are prepared when the first of them comes.
    for kind in (InitialSnapshot, tuple[Message, ...]):
        with contextlib.suppress(MalformedResponse):
            decode.decode(kind, None, "")
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for their exit status
    listening = socket.socket(fileno=int(sys.argv[1]))
    while True:
        link, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            os._exit(_command(link))
        link.close()


def _command(link: socket.socket) -> int:
    """Run one command in this process, as the console script does, and report its exit code."""
    asked, descriptors, _, _ = socket.recv_fds(link, _MOST, 3)
    while not asked.endswith(b"\0\0"):
        asked += link.recv(_MOST)
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    count, *parts = asked.removesuffix(b"\0\0").split(b"\0")
    words, folder, variables = parts[: int(count)], parts[int(count)], parts[int(count) + 1 :]
    os.chdir(folder)
    os.environb.clear()
    for variable in variables:
        name, _, value = variable.partition(b"=")
        os.environb[name] = value
    sys.argv = [os.fsdecode(word) for word in words]
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, buffering=lines, encoding="utf-8", closefd=False)  # noqa: SIM115  # open as long as the process
        for number, mode, lines in ((0, "r", -1), (1, "w", -1), (2, "w", 1))
    )
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    link.sendall(f"{os.getpid():20}".encode())
    package = "tui" if sys.argv[0] == "chinwag" else "server_lite"
    try:
        code = import_module(f"{package}.__main__").main()
    except SystemExit as error:  # of wrong arguments, `--help` and `--version`
        code = int(error.code or 0)
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    link.sendall(str(code).encode())
    return 0


if __name__ == "__main__":
    main()
