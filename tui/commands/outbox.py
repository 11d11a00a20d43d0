"""Sending: from the disk to the server, once. Nothing is lost at a crash, nothing is sent twice.

Every message gets a key and is on disk before its first attempt. What follows depends on the server:

- A server with idempotency keys does nothing twice, so an attempt whose answer got lost is repeated, with
  the same key and exactly the same fields, for as long as keys are kept.
- On any other, a lost answer leaves a doubt. Then the user's own messages since the attempt are fetched;
  if the message is there, it was sent. If not, it may still be on its way: it is marked `unclear`, the
  user is asked, and an echo on the event queue settles it.

Messages are sent one by one in the order in which they were written. While there is no network, or the
server fails, or a proxy answers in its place, they wait and say so, however long that lasts: only a
refusal by the server makes a message fail.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace

from tui import bugs
from tui.api.destination import Destination
from tui.api.features import READ_BY_SENDER
from tui.api.model import LocalId, MessageId
from tui.api.routes import flags
from tui.api.routes import messages as routes
from tui.cache.outbox import OutboxFile
from tui.dataclass import dataclass
from tui.errors import ApiError, ApiRefused, ConfigError, RateLimited
from tui.narrow import Search, Term, destination_of
from tui.store import Changes
from tui.store.changes import TopicMove
from tui.store.drafts import conversation_of
from tui.store.outbox import OutgoingMessage, OutgoingState
from tui.sync.backoff import Backoff
from tui.sync.failures import is_signed_out
from tui.sync.machine import Environment, Sync
from tui.sync.status import Live, SignedOut, Status

KEY_HOURS = 23
"""Servers keep keys for a day; a little less, since clocks differ."""
LOOKED_AT = 100
RESTORED = (
    "The server was restored from a backup. Check the destination before you send this again."
)


def new_key() -> str:
    """Return a new unique key."""
    return os.urandom(16).hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFactory:
    """Source of dates and keys of messages; tests bring their own."""

    now: Callable[[], float] = time.time
    new_key: Callable[[], str] = new_key


class SendQueue:
    """The outbox. `run` sends; it must run once per process and account.

    `adopt` is to be called now and then, for what another process left that was killed.
    """

    def __init__(
        self,
        sync: Sync,
        disk: OutboxFile,
        *,
        environment: Environment | None = None,
        key_factory: KeyFactory | None = None,
    ) -> None:
        self._sync = sync
        self._disk = disk
        self._environment = environment or Environment()
        self._key_factory = key_factory or KeyFactory()
        self._messages: dict[LocalId, OutgoingMessage] = {}
        self._backoff = Backoff()
        self._work = asyncio.Event()
        self._newest_own = MessageId(-1)
        self._doubtful: set[LocalId] = set()
        """Unclear messages to look for again."""
        self._unwritten: dict[LocalId, OutgoingMessage | None] = {}
        """States that the disk could not take yet: a message's new state, None if it is to be deleted."""
        self._unsaved: set[LocalId] = set()
        """Messages that are shown, and not on disk yet: neither these nor later ones are sent."""
        sync.listen(self)

    def send(
        self,
        destination: Destination,
        content: str,
        *,
        held: bool = False,
        within: AbstractContextManager[None] | None = None,
    ) -> LocalId:
        """Write a message; shown and on disk when this returns. `held` waits for `release`.

        `within` is a transaction for what has to be on disk together with it. Raises ConfigError if it cannot
        be written, and then nothing will be sent. Returns the message's local ID.
        """
        local_id = self.show(destination, content, held=held)
        self.save(local_id, within=within)
        return local_id

    def show(self, destination: Destination, content: str, *, held: bool = False) -> LocalId:
        """Show a message without waiting for the disk. It is not sent until `save` is called."""
        key = self._key_factory.new_key()
        message = OutgoingMessage(
            local_id=LocalId(key),
            idempotency_key=key,
            destination=destination,
            content=content,
            created=self._key_factory.now(),
            state="held" if held else "waiting",
            error="",
            attempted=None,
            attempted_after=None,
            queue_id=None,
            message_id=None,
            generation=self._generation(),
        )
        is_next = isinstance(self._sync.status, Live) and not any(
            each.state in ("waiting", "sending") for each in self._messages.values()
        )
        self._unsaved.add(message.local_id)
        self._show(message)
        if is_next and not held:
            self._sync.put_outgoing(replace(message, state="sending"))  # as it is in a moment
        return message.local_id

    def save(
        self, local_id: LocalId, *, within: AbstractContextManager[None] | None = None
    ) -> None:
        """Save a message that is shown, in its current state; from here on it is sent.

        `within` is a transaction for what has to be on disk together with it, and happens even if the message
        was discarded meanwhile. Raises ConfigError if it cannot be written: it is then neither shown nor
        sent.
        """
        try:
            with within or nullcontext():
                if local_id in self._messages:
                    self._disk.put(self._messages[local_id])
                    self._show(self._messages[local_id])
        except BaseException:
            self._messages.pop(local_id, None)
            self._sync.drop_outgoing(local_id)
            raise
        finally:
            self._unsaved.discard(local_id)
            self._work.set()

    def release(self, local_id: LocalId) -> None:
        """Send a held message now."""
        message = self._messages.get(local_id)
        if message is not None and message.state == "held":
            self.retry(local_id)

    def retry(self, local_id: LocalId) -> None:
        """Send a failed or unclear message again: the user has decided it."""
        message = self._messages.get(local_id)
        if message is not None and message.state in ("held", "failed", "unclear"):
            now = self._generation() or message.generation
            self._keep(replace(message, state="waiting", error="", generation=now))
            self._work.set()

    def discard(self, local_id: LocalId) -> OutgoingMessage | None:
        """Remove a message that is not being sent; return it for editing, None if it is being sent."""
        message = self._messages.get(local_id)
        if message is None or message.state in ("sending", "sent"):
            return None
        self._forget(local_id)
        return message

    def adopt(self) -> None:
        """Take over the messages of earlier runs. Those that were being sent are in doubt now.

        Also writes what the disk could not take before. Raises ConfigError.
        """
        for local_id, unwritten in list(self._unwritten.items()):
            if unwritten is None:
                self._disk.remove(local_id)
            else:
                self._disk.put(unwritten)
            del self._unwritten[local_id]
        adopted = self._disk.adopt()
        for message in adopted:
            under_way = message.state in ("held", "sending")
            self._show(replace(message, state="waiting") if under_way else message)
        if adopted:
            self._hold_back()
            self._look_again()
            self._work.set()

    async def run(self) -> None:
        """Send the waiting messages, until canceled."""
        with suppress(ConfigError):  # tried again about once a second
            self.adopt()
        self._work.set()
        while True:
            await self._work.wait()
            self._work.clear()
            while (message := self._next()) is not None:
                try:
                    pause = await self._attempt(message)
                except (
                    ConfigError
                ) as error:  # not on disk, so not to be sent; there may be space soon
                    self._show(replace(message, state="waiting", error=str(error)))
                    pause = self._pause(0.0)
                if pause is not None:
                    await self._environment.sleep_unless(pause, self._sync.connected)

    # Sync events

    def store_changed(self, changes: Changes) -> None:
        """Settle messages whose echoes arrived: they were sent, whatever became of the answer."""
        for local_id, message_id in changes.echoes.items():
            if local_id in self._messages:
                self._distinguish(self._messages[local_id], message_id)
                self._forget(local_id)
        for move in changes.moves:
            self._go_along(move)
        if changes.replaced:
            self._hold_back()
            self._work.set()
        if changes.replaced or self._has_own(changes.arrived):
            self._look_again()

    def _has_own(self, arrived: Iterable[MessageId]) -> bool:
        store = self._sync.store
        messages = (store.message(each) for each in arrived)
        return any(each is not None and each.sender_id == store.self_id for each in messages)

    def _look_again(self) -> None:
        """Look for unclear messages again: a server may take its time with a request."""
        unclear = {each.local_id for each in self._messages.values() if each.state == "unclear"}
        if unclear:
            self._doubtful |= unclear
            self._work.set()

    def _hold_back(self) -> None:
        """Hold back messages from before the server was restored: their destinations may have changed."""
        now = self._generation()
        for message in list(self._messages.values()):
            is_older = now and message.generation not in ("", now)
            if is_older and message.state in ("held", "waiting"):
                state: OutgoingState = "unclear" if message.is_in_doubt else "failed"
                self._keep(replace(message, state=state, error=RESTORED))

    def _generation(self) -> str:
        store = self._sync.store_if_any
        return "" if store is None else store.realm.generation

    def _go_along(self, move: TopicMove) -> None:
        """Change the destination of messages for a moved topic; once attempted, a request stays the same."""
        self_id = self._sync.store.self_id
        for message in list(self._messages.values()):
            is_meant = move.is_whole and message.conversation(self_id) == move.source
            if is_meant and message.attempted is None and message.state != "sent":
                self._keep(replace(message, destination=destination_of(move.target)))

    def status_changed(self, status: Status) -> None:
        """Go on sending when the network is back."""
        if isinstance(status, Live):
            self._backoff.reset()
            self._look_again()
            self._work.set()

    # One attempt

    def _next(self) -> OutgoingMessage | None:
        if self._sync.store_if_any is None or isinstance(self._sync.status, SignedOut):
            return None
        ready = (
            message
            for message in self._messages.values()
            if message.state == "waiting"
            or (message.state == "unclear" and message.local_id in self._doubtful)
        )
        first = min(ready, key=lambda message: message.created, default=None)
        return None if first is None or first.local_id in self._unsaved else first

    async def _attempt(self, message: OutgoingMessage) -> float | None:
        """Make one attempt; return the seconds to wait before the next attempt of anything, None for none."""
        if message.state == "unclear":
            await self._find_doubtful(message)
            return None
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
                generation=message.generation,
            )
        except ApiError as error:
            return self._failed(message, error, in_doubt=in_doubt)
        self._backoff.reset()
        self._sent(message, sent.id)
        if not READ_BY_SENDER.is_in(self._sync.store.realm.feature_level):
            # Not awaited: here it counts as read already (`tui.store.message_events`).
            with suppress(ApiError):
                await flags.update(
                    self._sync.connection, message_ids=[sent.id], op="add", flag="read"
                )
        return None

    def _begin(self, message: OutgoingMessage) -> OutgoingMessage:
        """Record the attempt on disk before the request: after a crash it is known that there may have been
        one.
        """
        store = self._sync.store
        if message.attempted is None:
            message = replace(
                message,
                attempted=self._key_factory.now(),
                attempted_after=max(store.max_message_id, self._newest_own, MessageId(0)),
                queue_id=self._sync.queue_id,
            )
        message = replace(message, state="sending", error="")
        self._disk.put(message)
        self._show(message)
        return message

    def _failed(self, message: OutgoingMessage, error: ApiError, *, in_doubt: bool) -> float | None:
        if message.local_id not in self._messages:
            return None  # its echo was faster than the bad news
        if not error.may_have_arrived and not in_doubt:
            message = replace(message, attempted=None)
        was_restored = isinstance(error, ApiRefused) and error.code == routes.GENERATION_CHANGED
        message = replace(message, error=RESTORED if was_restored else str(error))
        if isinstance(error, RateLimited):
            self._keep(replace(message, state="waiting"))
            return self._pause(error.retry_after)
        if isinstance(error, ApiRefused) and not is_signed_out(error):
            self._backoff.reset()
            self._keep(replace(message, state="failed"))
            return None
        self._keep(replace(message, state="waiting"))
        return self._pause(0.0)

    def _pause(self, at_least: float) -> float:
        return self._backoff.next_delay(self._environment.chance(), at_least=at_least)

    def _is_safe_to_repeat(self, message: OutgoingMessage) -> bool:
        assert message.attempted is not None, "only an attempt can be repeated"
        age = self._key_factory.now() - message.attempted
        return self._sync.store.realm.idempotency_keys and 0 <= age < KEY_HOURS * 3600

    async def _look_for(self, message: OutgoingMessage) -> float | None:
        """Look for a message after an attempt in doubt that no key settles."""
        try:
            message_id = await self._find(message)
        except ApiError as error:
            self._keep(replace(message, error=str(error)))
            return self._pause(0.0)
        self._backoff.reset()
        if message_id is not None:
            self._sent(message, message_id)
        elif message.local_id in self._messages:
            doubt = (
                "The connection was lost before the server answered."
                " Chinwag looks for the message and removes this note when it is found."
            )
            # If the user sends it again, that is a first attempt.
            self._keep(replace(message, state="unclear", error=doubt, attempted=None))
        return None

    async def _find_doubtful(self, message: OutgoingMessage) -> None:
        """Look for an unclear message, once; again when an event suggests that it was sent.

        Where the same text is in doubt twice, only an echo says which of them was sent.
        """
        self._doubtful.discard(message.local_id)
        if any(self._alike(message)):
            return
        with suppress(ApiError):
            message_id = await self._find(message)
            if message_id is not None and self._messages.get(message.local_id) == message:
                self._sent(message, message_id)

    def _alike(self, message: OutgoingMessage) -> list[OutgoingMessage]:
        """Return other attempted messages with the same text and destination."""
        return [
            other
            for other in self._messages.values()
            if other.local_id != message.local_id
            and other.is_in_doubt
            and other.destination == message.destination
            and other.content.strip() == message.content.strip()
        ]

    def _distinguish(self, message: OutgoingMessage, message_id: MessageId) -> None:
        """Look for other messages with the same text only after this one, which was found."""
        for other in self._alike(message):
            if other.state == "unclear":
                self._keep(replace(other, attempted_after=message_id))

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
        content = message.content.strip()
        for each in fetched.messages:
            # Of equal texts the first: what this outbox sent before lies before the anchor.
            if each.content.strip() == content:
                return each.id
        return None

    def _sent(self, message: OutgoingMessage, message_id: MessageId) -> None:
        """Delete a message that the server has from the disk."""
        self._newest_own = max(self._newest_own, message_id)
        self._distinguish(message, message_id)
        if self._messages.pop(message.local_id, None) is not None:
            is_shown = message_id in self._sync.store.messages.by_id
            if is_shown or not self._sync.brings(message_id):
                self._sync.drop_outgoing(message.local_id)
            else:
                self._sync.put_outgoing(
                    replace(message, state="sent", error="", message_id=message_id)
                )
        self._write(message.local_id, None)

    def _keep(self, message: OutgoingMessage) -> None:
        self._write(message.local_id, message)
        self._show(message)

    def _write(self, local_id: LocalId, message: OutgoingMessage | None) -> None:
        """Save a state that holds already; if that fails, it still holds and is saved later."""
        if local_id in self._unsaved:
            return  # `save` writes the state of that time
        try:
            if message is None:
                self._disk.remove(local_id)
            else:
                self._disk.put(message)
        except ConfigError as error:
            self._unwritten[local_id] = message
            bugs.report(error, "Saving the outbox")
        else:
            self._unwritten.pop(local_id, None)

    def _show(self, message: OutgoingMessage) -> None:
        self._messages[message.local_id] = message
        self._sync.put_outgoing(message)

    def _forget(self, local_id: LocalId) -> None:
        self._write(local_id, None)
        self._messages.pop(local_id, None)
        self._sync.drop_outgoing(local_id)
