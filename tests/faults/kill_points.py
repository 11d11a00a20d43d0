"""Kills a server command at its Nth file system call, for each N.

As a program it loads the server once, then for each number on standard input forks a child, which
runs the command and is killed without warning just before that call; it prints how the child ended.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from server_lite.store import checksums
from server_lite.store.migrations import migrations

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = {"import": "transfers", "export": "transfers"}
TOUCHES: Final = frozenset(("open", "os.link", "os.remove", "os.rename", "apsw.step"))


def deaths(*words: str | Path, least: int, most: int = 60) -> Iterator[None]:
    """Yield after each kill; ends when the command succeeds."""
    program = [sys.executable, "-m", "tests.faults.kill_points", *map(str, words)]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        with closing(child.stdin):
            for number in range(1, most):
                child.stdin.write(f"{number}\n")
                child.stdin.flush()
                end = child.stdout.readline().strip()
                if end == "0":
                    assert number > least, f"{words} touches the file system too rarely for a test"
                    return
                assert end == str(-signal.SIGKILL), end
                yield
    raise AssertionError(f"{words} touches the file system more than {most} times")


def _main(words: list[str]) -> None:
    run = import_module("server_lite.cli.arguments").run
    import_module(
        f"server_lite.cli.{MODULES.get(words[0], words[0])}"
    )  # before the first fork, so that each child is quick
    checksums.available()
    migrations()
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _die_at(int(line))
            os._exit(_quietly(run, words))
        _, status = os.waitpid(pid, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _quietly(run: Any, words: list[str]) -> int:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for what is left of this process
    code: int = run(words)
    return code


def _die_at(number: int) -> None:
    left = number

    def hook(event: str, _arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if event in TOUCHES:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


if __name__ == "__main__":
    _main(sys.argv[1:])
