"""`chinwag-server local`: the personal server on this machine, found or started, created at first use.

It prints one line of JSON, `{"url": …, "zuliprc": …}`, for the calling program. The server it
starts is detached: it has its own session and log, outlives the caller, and exits when
no client has been connected for a while. Of two concurrent calls one waits and finds the other's server.
"""

import argparse
import configparser
import fcntl
import getpass
import io
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from server_lite import VERSION
from server_lite.cli import output
from server_lite.cli.admin_client import ask
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError, StartError
from server_lite.store.instance_lock import PRIVATE, Lock, ServerInfo, server_info, write_private

START_SECONDS: Final = 20.0
STOP_SECONDS: Final = 10.0
LABEL: Final = "this machine"


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder with all data of the local server."""

    path: Path

    @property
    def db(self) -> Path:
        return self.path / "chinwag.db"

    @property
    def zuliprc(self) -> Path:
        return self.path / "zuliprc"

    @property
    def log(self) -> Path:
        return self.path / "server.log"


def start(options: argparse.Namespace) -> None:
    """Find or start the server of a folder, and print how to sign in."""
    folder = Folder(options.data_dir.absolute())
    _make_private(folder.path)
    with _one_at_a_time(folder.path / "start.lock"):
        if not folder.db.exists():
            _create(folder)
        note = _running(folder) or _spawn(folder, options.exit_when_idle)
        _sign_in(folder, note)
    output.show_json({"url": note.url, "zuliprc": str(folder.zuliprc)})


def _make_private(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"{path} cannot be created: {error.strerror}.") from error


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until no other process is starting the server of this folder."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
    except OSError as error:
        raise StartError(f"{path} cannot be written: {error.strerror}.") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


# The organization


def _create(folder: Folder) -> None:
    from server_lite.cli.organization import make_with_key  # needed once per folder

    login = getpass.getuser()
    lock = Lock(folder.db)
    if not lock.take():
        raise StartError(f"{folder.db} is in use by another program.")
    try:
        email, key = make_with_key(
            folder.db, name="Chinwag", email=f"{_word(login)}@localhost", owner=_person(login)
        )
    finally:
        lock.release()
    _write_zuliprc(folder, email, key, "")


def _word(login: str) -> str:
    """Return the login name as the local part of an address."""
    return re.sub(r"[^a-z0-9._-]+", "", login.lower()).strip(".") or "owner"


def _person(login: str) -> str:
    """Return the login name as a full name."""
    return re.sub(r'[*`\\>"@|]+|[^\w .-]+', "", login).strip()[:100] or "Owner"


# The server


def _running(folder: Folder) -> ServerInfo | None:
    """Return the server of the folder, if it has this version; one of another version is stopped."""
    lock = Lock(folder.db)
    deadline = time.monotonic() + START_SECONDS
    while not lock.take():
        note = server_info(folder.db)
        if note is not None:
            answered = _version(note)
            if answered == VERSION:
                return note
            if answered is not None:
                ask(note, "stop", {})
                _wait_until_free(lock)
                break
        if time.monotonic() > deadline:
            raise StartError(f"{folder.db} is in use by a server that does not answer.")
        time.sleep(0.02)
    lock.release()
    return None


def _version(note: ServerInfo) -> str | None:
    """Return the version of a running server; None without a server, or for another program."""
    try:
        return str(ask(note, "status", {})["version"])
    except (StartError, ApiError, KeyError):
        return None


def _wait_until_free(lock: Lock) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    while not lock.take():
        if time.monotonic() > deadline:
            raise StartError("A server of another version is running and does not stop.")
        time.sleep(0.02)


def _spawn(folder: Folder, exit_when_idle: float) -> ServerInfo:
    """Start the server in a session of its own and wait until it answers."""
    argv = [sys.executable, "-P", "-m", "server_lite", "serve", "--db", str(folder.db)]
    argv += ["--port", str(_wished_port(folder)), "--exit-when-idle", str(exit_when_idle)]
    log = os.open(folder.log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, PRIVATE)
    try:
        child = subprocess.Popen(  # noqa: S603  # our own program, in a list, without a shell
            argv,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=_environment(),
            cwd=folder.path,
            start_new_session=True,
        )
    finally:
        os.close(log)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        note = server_info(folder.db)
        if note is not None and note.pid == child.pid and _version(note) == VERSION:
            child.returncode = 0  # detached: this process does not wait for its end
            return note
        if child.poll() is not None:
            raise StartError(f"The local server did not start: {_last_line(folder.log)}")
        time.sleep(0.01)
    child.terminate()
    child.wait()
    raise StartError(f"The local server did not answer in {START_SECONDS:.0f} seconds.")


def _environment() -> dict[str, str]:
    """Return our environment, extended so that the child finds this very package, installed or not."""
    here = str(Path(__file__).parents[2])
    path = os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": here if not path else here + os.pathsep + path}


def _wished_port(folder: Folder) -> int:
    """Return the previous port if it is free, so that programs configured with it keep working."""
    site = _read_zuliprc(folder).get("site", "")
    _, _, port = site.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        return 0
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError:
            return 0
    return int(port)


def _last_line(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it printed no error."


# Signing in


def _sign_in(folder: Folder, note: ServerInfo) -> None:
    """Make sure that the zuliprc signs in to this server; a lost or revoked key is replaced."""
    given = _read_zuliprc(folder)
    email, key = given.get("email", ""), given.get("key", "")
    if not ask(note, "key_check", {"email": email, "key": key})["valid"]:
        answer = ask(note, "owner_key", {"label": LABEL})
        email, key = answer["email"], answer["api_key"]
    if given != {"email": email, "key": key, "site": note.url}:
        _write_zuliprc(folder, email, key, note.url)


def _read_zuliprc(folder: Folder) -> dict[str, str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read(folder.zuliprc, "utf-8")
        return dict(parser["api"])
    except (OSError, ValueError, KeyError, configparser.Error):
        return {}


def _write_zuliprc(folder: Folder, email: str, key: str, site: str) -> None:
    parser = configparser.RawConfigParser()
    parser["api"] = {"email": email, "key": key, "site": site}
    text = io.StringIO()
    parser.write(text)
    write_private(folder.zuliprc, text.getvalue().encode())
