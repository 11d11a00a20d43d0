"""Starts the processes that tests fork, instead of loading the same modules in each."""

import atexit
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def start(module: str, environment: Mapping[str, str] | None = None) -> socket.socket:
    """Start a module as a program that gets requests by a socket, whose number is its argument; it ends with the tests.

    `environment` takes the place of this process's.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", module, str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
            cwd=Path(__file__).parents[1],
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
