"""The state that all connections share: keys, limits, sessions, the log. No SSH, no bytes."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shutil
import signal
import socket
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tui import bugs
from tui.api.base_url import parse_base_url
from tui.config import private_folder
from tui.content import untrusted_json, web
from tui.dataclass import dataclass
from tui.errors import ConfigError
from tui.ssh.busy import Watch
from tui.ssh.events import Log
from tui.ssh.keys import Keys, Person
from tui.ssh.limits import Connections, Limits, Sessions
from tui.ssh.parent import Ended, Process, SessionProcess, WarmParent, launch
from tui.ssh.room import make_room, taken
from tui.ssh.session_request import Kind, SessionRequest

LEAVING_SECONDS: Final = 12.0
"""Seconds in which a session saves its draft at its end."""
FULL: Final = (
    "Your folder on this host is full. Connect again; if that does not help, ask its owner."
)
TICK_SECONDS: Final = 0.5
RESTART_SECONDS: Final = 1.0
_INVITATION: Final = re.compile(r"[A-Za-z0-9_-]{1,100}/?")


@dataclass(slots=True, kw_only=True, eq=False)
class Visit:
    """A session of a connection; `person` is None until a guest has signed in."""

    peer: str
    key: str
    """The digest of the key that opened it; "" for none."""
    let_in: str
    """The ID of the person whom that key signed in, also after another one signed in."""
    person: Person | None
    folder: Path
    running: SessionProcess
    watch: Watch
    link: socket.socket
    offered: dict[str, str]
    """Keys that can be noted: their digests and descriptions."""
    end: Callable[[str], None]
    """Ends the connection's channel with a sentence."""
    heard: float
    began: float
    is_guest: bool = False
    gives_way: bool = False
    """Whether its priority was lowered, since it never rested."""
    key_client: asyncio.Task[None] | None = None
    """The task that answers the session's requests."""
    ending: asyncio.Task[None] | None = None
    """The task that cleans up after the session."""


class Service:
    """The service: one per front process."""

    def __init__(
        self, *, site: str, state: Path, command: str, limits: Limits, log: Log,
        clock: Callable[[], float] = time.monotonic, takes_new: bool = True,
        launch: Callable[[socket.socket], Process] = launch, secret: str = "",
    ) -> None:  # fmt: skip
        """`command` is the command to connect; `takes_new`: accept also clients without a known key.

        By `secret` the server trusts visitors' addresses; "" for none.
        """
        self.site = parse_base_url(site, allow_http=True).text
        self.command = command
        self.limits = limits
        self.log = log
        self.takes_new = takes_new
        self._secret = secret
        self.clock = clock
        self.connections = Connections(limits, clock)
        self.sessions = Sessions(limits)
        self._people = private_folder(state / "people")
        self.keys = Keys(state, time.time)
        self.parent = WarmParent(self._parent_died, launch)
        self._visits: set[Visit] = set()
        self._is_over = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Load the client; delete what guests of an earlier run left."""
        for left in self._people.glob("guest-*"):
            shutil.rmtree(left, ignore_errors=True)
        await self.parent.start()
        self.run(bugs.keep_going(self._watch, "Watching the sessions"))

    async def stop(self) -> None:
        """End everything; a second call does nothing."""
        if self._is_over:
            return
        self._is_over = True
        for visit in list(self._visits):
            visit.end("The SSH service is restarting. Your drafts are saved.")
        if endings := [visit.ending for visit in self._visits if visit.ending is not None]:
            await asyncio.wait(endings, timeout=LEAVING_SECONDS)
        await self.parent.stop()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self.keys.close()

    # Access

    def person_of_answer(self, text: str) -> tuple[bool, Person | None]:
        """Return whether an answer to the question is accepted, and its person: None for a guest."""
        text = text.strip()
        if not text or self.invitation(text):
            return self.takes_new, None
        person = self.keys.take_token(text)
        return person is not None, person

    def invitation(self, text: str) -> str:
        """Return the invitation link at this server, whatever host name it has; "" where it is none."""
        path = web.split(text.strip()).path
        _, separator, key = path.partition("/join/")
        return f"{self.site}/join/{key}" if separator and _INVITATION.fullmatch(key) else ""

    # Sessions

    async def open(
        self, kind: Kind, *, peer: str, key: str, person: Person | None, descriptors: Sequence[int],
        environment: dict[str, str], offered: Sequence[tuple[str, str]], end: Callable[[str], None],
        words: Sequence[str] = (), link: str = "", round_trip: float = 0.0,
    ) -> Visit:  # fmt: skip
        """Start a session. Raises ConfigError with the reason if it cannot."""
        if refusal := self.sessions.refusal("" if person is None else person.id):
            self.log.write("rejected", peer=peer, reason="sessions")
            raise ConfigError(refusal)
        folder = self._folder(person)
        ours, theirs = socket.socketpair()
        request = SessionRequest(
            kind=kind, folder=str(folder), site=self.site, command=self.command,
            environment=environment, words=tuple(words), offered=tuple(offered), link=link,
            round_trip=round_trip, memory=self.limits.memory, disk=self.limits.disk, peer=peer,
            secret=self._secret,
        )  # fmt: skip
        try:
            self._require_room(folder, peer)
            running = await self.parent.open(request, [*descriptors, theirs.fileno()])
        except BaseException as error:
            ours.close()
            self.sessions.left("" if person is None else person.id)
            if not isinstance(error, OSError):
                raise
            raise ConfigError("The SSH service is restarting. Try again in a moment.") from error
        finally:
            theirs.close()
        now = self.clock()
        visit = Visit(
            peer=peer, key=key, let_in="" if person is None else person.id, person=person,
            folder=folder, running=running, watch=Watch(now, running.usage()), link=ours,
            offered=dict(offered), end=end, heard=now, began=now,
            is_guest=person is None,
        )  # fmt: skip
        self._visits.add(visit)
        who = "guest" if person is None else person.id[:8]
        self.log.write("session_opened", peer=peer, pid=running.pid, person=who, kind=kind)
        visit.key_client = self.run(self._serve_keys(visit))
        visit.ending = self.run(self._await_end(visit))
        return visit

    async def close(self, visit: Visit) -> None:
        """End a session whose connection is gone: it saves the draft, and exits."""
        visit.running.signal(signal.SIGHUP)
        done, _ = await asyncio.wait([visit.running.ended], timeout=LEAVING_SECONDS)
        if not done:
            visit.running.signal(signal.SIGKILL)

    def _require_room(self, folder: Path, peer: str) -> None:
        """Raise ConfigError where a folder is full, even without its cache."""
        limit = self.limits.disk
        is_in_use = any(self._home(visit) == folder for visit in self._visits)
        if not (taken(folder) <= limit if is_in_use else make_room(folder, limit)):
            self.log.write("rejected", peer=peer, reason="disk")
            raise ConfigError(FULL)

    def _home(self, visit: Visit) -> Path:
        """Return the folder that a session writes to: a guest who signed in has moved."""
        return visit.folder if visit.person is None else self._people / visit.person.id

    def _folder(self, person: Person | None) -> Path:
        name = person.id if person is not None else f"guest-{secrets.token_hex(16)}"
        return private_folder(self._people / name)

    async def _await_end(self, visit: Visit) -> None:
        ended: Ended = await asyncio.shield(visit.running.ended)
        self._visits.discard(visit)
        self.sessions.left("" if visit.person is None else visit.person.id)
        if visit.key_client is not None:
            visit.key_client.cancel()
            # asyncio may be about to listen to the socket, which must not be gone by then.
            await asyncio.wait([visit.key_client])
        visit.link.close()
        if visit.is_guest:
            shutil.rmtree(visit.folder, ignore_errors=True)
        self.log.write(
            "session_ended", peer=visit.peer, pid=visit.running.pid, status=ended.status,
            cpu=f"{ended.cpu:.1f}", rss_mib=ended.rss // 1024,
        )  # fmt: skip

    def end_sessions_of(self, digest: str, sentence: str) -> None:
        """End the sessions of a revoked key."""
        for visit in list(self._visits):
            if visit.key == digest:
                visit.end(sentence)

    def _parent_died(self) -> None:
        self.log.write("parent_died")
        self.run(self._restart())

    async def _restart(self) -> None:
        while True:
            await asyncio.sleep(RESTART_SECONDS)
            with suppress(OSError, TimeoutError):
                await self.parent.start()
                self.log.write("parent_started")
                return

    async def _watch(self) -> None:
        """Watch for keys revoked by a command, idle sessions, guests who stay guests, and endless loops."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            owners_by_key = (
                {(k.digest, k.person.id) for k in self.keys.all()} if self._visits else set()
            )
            now, limits = self.clock(), self.limits
            for visit in list(self._visits):
                if visit.key and (visit.key, visit.let_in) not in owners_by_key:
                    visit.end("This SSH key was revoked.")
                elif limits.idle_seconds and now - visit.heard > limits.idle_seconds:
                    visit.end("The session was idle. Your drafts are saved.")
                elif visit.person is None and now - visit.began > limits.guest_seconds:
                    visit.end("The time to sign in is over.")
                else:
                    self._judge(visit, now)

    def _judge(self, visit: Visit, now: float) -> None:
        if not visit.watch.is_due(now, self.limits.strain_seconds):
            return
        if taken(self._home(visit)) > self.limits.disk:
            self.log.write("session_full", peer=visit.peer, pid=visit.running.pid)
            visit.end(FULL)
        verdict = visit.watch.judge(now, visit.running.usage(), self.limits.busy_seconds)
        if verdict == "strained" and not visit.gives_way:
            visit.gives_way = True
            visit.running.give_way()
        elif verdict == "stuck":
            self.log.write("session_busy", peer=visit.peer, pid=visit.running.pid)
            visit.end("The session stopped responding. Your drafts are saved.")

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = bugs.start(work, "Serving SSH")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Requests of sessions

    async def _serve_keys(self, visit: Visit) -> None:
        reader, writer = await asyncio.open_connection(sock=visit.link, limit=65_536)
        try:
            while line := await reader.readline():
                try:
                    answer = self._answer(visit, untrusted_json.parsed(line))
                except ConfigError as error:
                    answer = {"error": str(error)}
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (OSError, ValueError, KeyError):
            return
        finally:
            writer.close()

    def _answer(self, visit: Visit, given: object) -> dict[str, Any]:
        """Answer a request, always for the visit's own person."""
        asked = {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else {}
        if asked["do"] == "signed_in":
            account = f"{self.site} {int(asked['user_id'])}"
            person = self.keys.signed_in(account, asked["email"])
            self.sessions.became(person.id, "" if visit.person is None else visit.person.id)
            visit.person = person
            self.log.write("signed_in", peer=visit.peer, person=person.id[:8])
            return {"folder": str(self._folder(person))}
        person = self._person(visit)
        match asked["do"]:
            case "signed_out":
                self.keys.revoke_all(person)
                self.log.write("signed_out", peer=visit.peer, person=person.id[:8])
            case "note":
                digest = asked["digest"]
                if digest not in visit.offered:
                    raise ConfigError("This key was not offered.")
                label = visit.offered[digest].partition(" ")[0]
                self.keys.note(person, digest, label, visit.peer)
                self.log.write("key_noted", peer=visit.peer, key=digest, person=person.id[:8])
            case "revoke":
                digest = asked["digest"]
                if digest not in {each.digest for each in self.keys.of(person)}:
                    raise ConfigError("There is no such key.")
                self.keys.revoke(digest)
                self.log.write("key_revoked", peer=visit.peer, key=digest)
                self.end_sessions_of(digest, "This SSH key was revoked.")
            case "token":
                self.log.write("token_made", peer=visit.peer, person=person.id[:8])
                return {"token": self.keys.new_token(person)}
            case "keys":
                return {"keys": [_listed(each, visit) for each in self.keys.of(person)]}
            case other:
                raise ConfigError(f"There is no {other}.")
        return {}

    def _person(self, visit: Visit) -> Person:
        if visit.person is None:
            raise ConfigError("Sign in first.")
        return visit.person


def _listed(key: Any, visit: Visit) -> dict[str, Any]:
    return {
        "digest": key.digest, "label": key.label, "is_bound": key.is_bound,
        "is_here": key.digest == visit.key, "noted": key.noted, "used": key.used,
    }  # fmt: skip
