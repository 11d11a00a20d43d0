"""A connection to the SSH service and its authentication. One session each, and no forwarding."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import asyncssh

from tui.errors import ConfigError
from tui.ssh.channel import Channel
from tui.ssh.identity import Identity, OfferedKey
from tui.ssh.keys import Person
from tui.ssh.service import Service

QUESTION: Final = "Invitation link, or Enter to sign in: "
MOST_TRIES: Final = 3
GOODBYE_SECONDS: Final = 5.0
"""Seconds after its session in which a client closes the connection; one that does not is disconnected."""


class VisitorConnection(asyncssh.SSHServer):
    """The callbacks of asyncssh for a connection; requests without one are refused."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.identity = Identity(lambda digest: service.keys.get(digest) is not None)
        self.peer = "-"
        self.invitation = ""
        self.person: Person | None = None
        """The person signed in by the answer to the question; keys are looked up when a session begins."""
        self.round_trip = 0.0
        self._conn: asyncssh.SSHServerConnection | None = None
        self._counts = False
        self._is_stranger = True
        self._asked_at = 0.0
        self._tries = 0
        self._channel: Channel | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._conn = conn
        self.peer = str((conn.get_extra_info("peername") or ("-",))[0])
        if reason := self.service.connections.refusal(self.peer):
            self.service.log.write("rejected", peer=self.peer, reason=reason)
            conn.abort()
            return
        self._counts = True
        self.service.log.write("connected", peer=self.peer)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._conn = None
        if self._counts:
            self._counts = False
            self.service.connections.left(self.peer, was_stranger=self._is_stranger)
            reason = type(exc).__name__ if exc is not None else "closed"
            self.service.log.write("disconnected", peer=self.peer, reason=reason)

    # Authentication

    def begin_auth(self, username: str) -> bool:
        del username  # mostly the local user name, which means nothing here
        self._answered()
        self.identity.begin()
        self._asked()
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Called for an offer and for a signature alike; which key counts is decided on completion."""
        del username
        self._answered()
        digest = key.get_fingerprint()
        kind = key.get_algorithm().removeprefix("ssh-")
        goes_on = self.identity.offer(OfferedKey(digest, f"{kind} {digest}"))
        if self.identity.has_too_many_keys and not goes_on and self._conn is not None:
            self.service.log.write("rejected", peer=self.peer, reason="keys")
            self._conn.disconnect(
                asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
                "Too many keys were offered. Choose one: ssh -o IdentitiesOnly=yes -i FILE",
            )
        self._asked()
        return goes_on

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]]:
        del username, lang, submethods
        self._answered()
        self.identity.begin()
        self._asked()
        text = f"{self.service.site}: no key of yours is known here yet."
        return "", text, "", [(QUESTION, False)]

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        del username
        self.identity.begin()
        given = list(responses) if isinstance(responses, list | tuple) else []
        text = str(given[0]) if len(given) == 1 else "?"
        is_accepted, self.person = self.service.person_of_answer(text)
        if not is_accepted:
            self._failed()
            return False
        self.invitation = self.service.invitation(text) if self.person is None else ""
        self.identity.answer("token" if self.person else "invitation" if text else "guest")
        return True

    def auth_completed(self) -> None:
        proof = self.identity.complete()
        self._is_stranger = False
        self.service.connections.signed_in(self.peer)
        self._abort_after(self.service.limits.asking_seconds)  # unless it requests a session
        how = {"key": proof.key} if proof.key else {"by": proof.answer}
        self.service.log.write("auth_ok", peer=self.peer, **how)

    def _abort_after(self, seconds: float) -> None:
        self._stop_timer()
        if self._conn is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._conn.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _failed(self) -> None:
        self.service.log.write("auth_failed", peer=self.peer)
        self._tries += 1
        pause = self.service.connections.failed(self.peer)
        if pause:
            self.service.log.write("auth_penalty", peer=self.peer, seconds=round(pause))
        if (pause or self._tries >= MOST_TRIES) and self._conn is not None:
            self._conn.disconnect(
                asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
                "This is no invitation link or token of this server.",
            )

    def _asked(self) -> None:
        self._asked_at = time.monotonic()

    def _answered(self) -> None:
        """Measure the round trip: the quickest answer of the client."""
        if self._asked_at:
            took = time.monotonic() - self._asked_at
            self.round_trip = min(self.round_trip or took, took)

    # Requests

    def session_requested(self) -> asyncssh.SSHServerSession[bytes] | bool:
        """Open the one session; forwarding of every kind is refused by asyncssh, which has other callbacks
        for it.
        """
        if self._channel is not None or self.identity.proof is None:
            return False
        self._stop_timer()
        self._channel = Channel(self)
        return self._channel

    def session_ended(self) -> None:
        """Note that the only session of the connection has ended."""
        self._abort_after(GOODBYE_SECONDS)

    def who(self) -> tuple[str, Person | None, bool]:
        """Return key, person, and whether the key has still to be confirmed. Raises ConfigError where it was
        revoked.
        """
        proof = self.identity.proof
        assert proof is not None, "sessions begin after authentication"
        if not proof.key:
            return "", self.person, False
        known_key = self.service.keys.get(proof.key)
        if known_key is None:
            raise ConfigError("This SSH key was revoked.")
        return proof.key, known_key.person, not known_key.is_bound
