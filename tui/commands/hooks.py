"""Runs the user's hooks on messages that arrive while the client is connected. No shell, no Textual.

Old messages trigger nothing, and a new one triggers each hook once, whichever of this account's windows gets
it. The output of programs is discarded; a failure is a line of a log.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tui import bugs
from tui.api.model import MessageId
from tui.cache import log_file
from tui.cache.locks import FileLock, try_lock
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.hook_settings import Hooks
from tui.host import LOCAL, end_input
from tui.store import Changes
from tui.sync.machine import Sync
from tui.sync.status import Status
from tui.view.hooks import record, triggered

LOG: Final = "hooks.log"
AT_ONCE: Final = 4
"""Programs that run at the same time."""
MOST_REMEMBERED: Final = 10_000
"""Messages remembered as handled."""
_MINUTE: Final = 60.0
_PASSED_ON: Final = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS",
        "SYSTEMROOT",
        "PATHEXT",
        "TEMP",
        "TMP",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
    ]
)
"""Environment variables for hooks, with all of `LC_…`: enough to start and show windows, and no secret."""


def environment(whole: Mapping[str, str]) -> dict[str, str]:
    """Return the part of the client's environment that a hook gets."""
    return {
        name: value for name, value in whole.items() if name in _PASSED_ON or name.startswith("LC_")
    }


class HookRunner:
    """Listens to the account; `run` runs the programs until it is canceled, and then kills them."""

    def __init__(
        self,
        sync: Sync,
        hooks: Hooks,
        *,
        log: Path,
        lock: Path,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`log` is the file for failures; the process that holds `lock` runs the account's hooks."""
        self._sync = sync
        self._hooks = hooks
        self._log = log
        self._lock = lock
        self._held: FileLock | None = None
        self._clock = clock
        self._began: deque[float] = deque()
        """Times at which programs were requested in the last minute."""
        self._has_told_of_limit = False
        self._came: dict[MessageId, None] = {}
        self._waiting: asyncio.Queue[tuple[tuple[str, ...], bytes]] = asyncio.Queue()
        sync.listen(self)

    def store_changed(self, changes: Changes) -> None:
        """Queue the hooks of new messages."""
        for message_id in changes.arrived:
            if message_id in self._came:
                continue
            self._came[message_id] = None
            if len(self._came) > MOST_REMEMBERED:
                del self._came[next(iter(self._came))]
            self._look_at(message_id)

    def status_changed(self, status: Status) -> None:
        """Ignored: only messages trigger hooks."""

    async def run(self) -> None:
        """Run the queued programs, a few at a time, until canceled."""
        workers = [bugs.awaited(self._work()) for _ in range(AT_ONCE)]
        try:
            await asyncio.gather(*workers)
        finally:
            for each in workers:
                each.cancel()
            await asyncio.wait(workers)
            if self._held is not None:
                self._held.leave()
                self._held = None

    def _look_at(self, message_id: MessageId) -> None:
        store = self._sync.store
        message = store.message(message_id)
        triggers = [] if message is None else triggered(store, message, self._hooks)
        if message is None or not triggers or not self._is_ours():
            return
        payload = record(
            store,
            message,
            triggers,
            site=self._sync.connection.base_url.text,
            account=self._sync.connection.email or "",
        )
        line = json.dumps(payload, ensure_ascii=True).encode() + b"\n"
        for command in dict.fromkeys(map(self._hooks.command, triggers)):
            if self._is_within_limit():
                self._waiting.put_nowait((command, line))

    def _is_ours(self) -> bool:
        """Whether this window runs the hooks, and no other of this account."""
        if self._held is None:
            try:
                self._held = try_lock(self._lock)
            except ConfigError:
                return True  # a disk without locks: twice is better than not at all
        return self._held is not None

    def _is_within_limit(self) -> bool:
        now = self._clock()
        while self._began and now - self._began[0] >= _MINUTE:
            self._began.popleft()
            self._has_told_of_limit = False
        if len(self._began) < self._hooks.per_minute:
            self._began.append(now)
            return True
        if not self._has_told_of_limit:
            self._has_told_of_limit = True
            self._write(f"more than {self._hooks.per_minute} in a minute: the others were not run")
        return False

    async def _work(self) -> None:
        while True:
            command, line = await self._waiting.get()
            if reason := await _run(command, line, self._hooks.timeout):
                self._write(f"{command[0]} {reason}")

    def _write(self, sentence: str) -> None:
        moment = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
        with suppress(OSError):
            log_file.append(self._log, f"{moment} {sanitize_line(sentence)}\n")


async def _run(command: tuple[str, ...], line: bytes, seconds: float) -> str:
    """Run a hook; return why it failed, "" if it did not. The program has ended in any case."""
    try:
        process = await LOCAL.start(  # the session's opener has asked its host
            *command,
            takes=True,
            environment=environment(os.environ),
            folder=LOCAL.expanded("~"),
            is_alone=True,  # its children end with it, and no key of the terminal reaches it
        )
    except OSError as error:
        return f"could not be started: {error.strerror}"
    try:
        async with asyncio.timeout(seconds):
            await _give(process, line)
            code = await process.wait()
    except TimeoutError:
        return f"was killed after {seconds:g} seconds"
    finally:
        if process.returncode is None:
            _kill(process)
            await process.wait()
        await end_input(process)
    return f"ended with code {code}" if code else ""


async def _give(process: asyncio.subprocess.Process, line: bytes) -> None:
    """Write the record to the program's input; it may have closed it."""
    assert process.stdin is not None
    try:
        process.stdin.write(line)
        await process.stdin.drain()
        process.stdin.close()
        await process.stdin.wait_closed()
    except (BrokenPipeError, ConnectionResetError):
        pass


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
