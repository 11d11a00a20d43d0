"""Sending: from the disk to the server, once. Nothing is lost at a crash, nothing is sent twice.

Every message gets a key and is on disk before its first attempt. What follows depends on the server:

- One that keeps keys does nothing twice, so an attempt whose answer got lost is simply repeated, with
  the same key and the same fields to the letter, for as long as keys are kept.
- On any other, a lost answer leaves a doubt. Then the person's own messages since the attempt are
  looked at; if it is there, it was sent. If not, it may still be on its way: it is marked `unclear`,
  the person is asked, and should its echo come on the event queue, that settles it.

Messages go one after the other in the order in which they were written; while there is no network
they wait, and say so.
"""

import asyncio
import time
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from tui.api.destination import Destination
from tui.api.model import LocalId, MessageId
from tui.api.routes import messages as routes
from tui.cache.outbox import OutboxFile
from tui.errors import ApiError, ApiRefused, ConfigError, RateLimited, ServerFailed
from tui.narrow import Search, Term
from tui.store import Changes
from tui.store.drafts import conversation_of
from tui.store.outbox import OutgoingMessage
from tui.sync.backoff import Backoff
from tui.sync.machine import Surroundings, Sync
from tui.sync.status import Live, SignedOut, Status

KEY_HOURS = 23
"""Servers keep keys for a day; a little less, since clocks differ."""
MOST_FAILURES = 5
"""After so many answers of 5xx in a row the person decides."""
LOOKED_AT = 100


def new_key() -> str:
    """A key that nobody had before."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Stationery:
    """Where dates and keys of messages come from; tests bring their own."""

    now: Callable[[], float] = time.time
    new_key: Callable[[], str] = new_key


class SendQueue:
    """The outbox at work. `run` sends; it must run once per process and account.

    `adopt` is to be called now and then, for what another process left that was killed.
    """

    def __init__(
        self,
        sync: Sync,
        disk: OutboxFile,
        *,
        surroundings: Surroundings | None = None,
        stationery: Stationery | None = None,
    ) -> None:
        self._sync = sync
        self._disk = disk
        self._world = surroundings or Surroundings()
        self._stationery = stationery or Stationery()
        self._messages: dict[LocalId, OutgoingMessage] = {}
        self._backoff = Backoff()
        self._work = asyncio.Event()
        self._newest_own = MessageId(-1)
        sync.listen(self)

    def send(
        self,
        destination: Destination,
        content: str,
        *,
        held: bool = False,
        within: AbstractContextManager[None] | None = None,
    ) -> LocalId:
        """Write a message; shown at once, and on disk when this returns. `held` waits for `release`.

        `within` is a transaction for what has to be on disk together with it. Raises ConfigError if
        it cannot be written, and then nothing will be sent.
        """
        key = self._stationery.new_key()
        message = OutgoingMessage(
            local_id=LocalId(key),
            idempotency_key=key,
            destination=destination,
            content=content,
            created=self._stationery.now(),
            state="held" if held else "waiting",
            error="",
            attempted=None,
            attempted_after=None,
            queue_id=None,
            message_id=None,
        )
        with within or nullcontext():
            self._disk.put(message)
        self._show(message)
        self._work.set()
        return message.local_id

    def release(self, local_id: LocalId) -> None:
        """What was held is to be sent now."""
        message = self._messages.get(local_id)
        if message is not None and message.state == "held":
            self.retry(local_id)

    def retry(self, local_id: LocalId) -> None:
        """Send again what failed or is unclear: the person knows what they do."""
        message = self._messages.get(local_id)
        if message is not None and message.state in ("held", "failed", "unclear"):
            self._keep(replace(message, state="waiting", error=""))
            self._work.set()

    def discard(self, local_id: LocalId) -> OutgoingMessage | None:
        """Throw away what is not under way; returns it, so that it can be edited."""
        message = self._messages.get(local_id)
        if message is None or message.state in ("sending", "sent"):
            return None
        self._forget(local_id)
        return message

    def adopt(self) -> None:
        """Take over what earlier runs left. What was under way then is in doubt now."""
        adopted = self._disk.adopt()
        for message in adopted:
            under_way = message.state in ("held", "sending")
            self._show(replace(message, state="waiting") if under_way else message)
        if adopted:
            self._work.set()

    async def run(self) -> None:
        """Send what waits, until cancelled."""
        self.adopt()
        while True:
            await self._work.wait()
            self._work.clear()
            while (message := self._next()) is not None:
                try:
                    pause = await self._attempt(message)
                except ConfigError as error:  # not on disk, so not to be sent
                    self._show(replace(message, state="failed", error=str(error)))
                    continue
                if pause is not None:
                    await self._world.sleep(pause)

    # What the sync machine tells

    def store_changed(self, changes: Changes) -> None:
        """An echo came: the message is there, whatever became of the answer."""
        for local_id in changes.echoes:
            if local_id in self._messages:
                self._forget(local_id)
        if changes.replaced:
            self._work.set()

    def status_changed(self, status: Status) -> None:
        """The network is back."""
        if isinstance(status, Live):
            self._work.set()

    # One attempt

    def _next(self) -> OutgoingMessage | None:
        if self._sync.store_if_any is None or isinstance(self._sync.status, SignedOut):
            return None
        waiting = (m for m in self._messages.values() if m.state == "waiting")
        return min(waiting, key=lambda message: message.created, default=None)

    async def _attempt(self, message: OutgoingMessage) -> float | None:
        """Returns seconds to wait before the next attempt of anything; None for none."""
        in_doubt = message.attempted is not None
        if in_doubt and not self._is_safe_to_repeat(message):
            return await self._look_for(message)
        message = self._begin(message)
        try:
            sent = await routes.send(
                self._sync.connection,
                destination=message.destination,
                content=message.content,
                queue_id=message.queue_id,
                local_id=message.local_id if message.queue_id else None,
                idempotency_key=message.idempotency_key,
            )
        except ApiError as error:
            return self._failed(message, error, in_doubt=in_doubt)
        self._backoff.reset()
        self._sent(message, sent.id)
        return None

    def _begin(self, message: OutgoingMessage) -> OutgoingMessage:
        """On disk before the request: after a crash it is known that there may have been one."""
        store = self._sync.store
        if message.attempted is None:
            message = replace(
                message,
                attempted=self._stationery.now(),
                attempted_after=max(store.max_message_id, self._newest_own, MessageId(0)),
                queue_id=self._sync.queue_id,
            )
        message = replace(message, state="sending", error="")
        self._keep(message)
        return message

    def _failed(self, message: OutgoingMessage, error: ApiError, *, in_doubt: bool) -> float | None:
        if message.local_id not in self._messages:
            return None  # its echo was faster than the bad news
        if not error.may_have_arrived and not in_doubt:
            message = replace(message, attempted=None)
        message = replace(message, error=str(error))
        if isinstance(error, RateLimited):
            self._keep(replace(message, state="waiting"))
            return self._pause(error.retry_after)
        refused = isinstance(error, ApiRefused) and error.status != 401
        broken = isinstance(error, ServerFailed) and self._backoff.attempts >= MOST_FAILURES
        if refused or (broken and self._sync.store.realm.idempotency_keys):
            self._backoff.reset()
            self._keep(replace(message, state="failed"))
            return None
        self._keep(replace(message, state="waiting"))
        return self._pause(0.0)

    def _pause(self, at_least: float) -> float:
        return self._backoff.next_delay(self._world.chance(), at_least=at_least)

    def _is_safe_to_repeat(self, message: OutgoingMessage) -> bool:
        assert message.attempted is not None, "only an attempt can be repeated"
        age = self._stationery.now() - message.attempted
        return self._sync.store.realm.idempotency_keys and 0 <= age < KEY_HOURS * 3600

    async def _look_for(self, message: OutgoingMessage) -> float | None:
        """An attempt left a doubt that no key takes away: is the message there?"""
        try:
            found = await self._find(message)
        except ApiError as error:
            self._keep(replace(message, error=str(error)))
            return self._pause(0.0)
        self._backoff.reset()
        if found is not None:
            self._sent(message, found)
        elif message.local_id in self._messages:
            doubt = "The answer got lost: perhaps it was sent, perhaps not."
            # If the person says to send it again, that is a first attempt.
            self._keep(replace(message, state="unclear", error=doubt, attempted=None))
        return None

    async def _find(self, message: OutgoingMessage) -> MessageId | None:
        store = self._sync.store
        place = conversation_of(message.destination, store.self_id)
        narrow = Search((*place.terms(), Term("sender", store.self_id)))
        fetched = await routes.fetch(
            self._sync.connection,
            narrow=narrow.to_api(),
            anchor=message.attempted_after if message.attempted_after is not None else "oldest",
            include_anchor=False,
            num_before=0,
            num_after=LOOKED_AT,
            apply_markdown=False,
        )
        wanted = message.content.strip()
        for each in fetched.messages:
            # Of equal words the first: what this outbox sent before lies before the anchor.
            if each.content.strip() == wanted:
                return each.id
        return None

    def _sent(self, message: OutgoingMessage, message_id: MessageId) -> None:
        """The server has it: nothing of it needs to be on disk any more."""
        self._newest_own = max(self._newest_own, message_id)
        if self._messages.pop(message.local_id, None) is not None:
            if message_id in self._sync.store.messages.by_id:
                self._sync.drop_outgoing(message.local_id)
            else:
                self._sync.put_outgoing(
                    replace(message, state="sent", error="", message_id=message_id)
                )
        self._disk.remove(message.local_id)

    def _keep(self, message: OutgoingMessage) -> None:
        self._disk.put(message)
        self._show(message)

    def _show(self, message: OutgoingMessage) -> None:
        self._messages[message.local_id] = message
        self._sync.put_outgoing(message)

    def _forget(self, local_id: LocalId) -> None:
        self._disk.remove(local_id)
        self._messages.pop(local_id, None)
        self._sync.drop_outgoing(local_id)
