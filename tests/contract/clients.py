"""Clients that follow events: each one's state comes from its first snapshot and the events after it.

`Listener` is the product's own client below its screens: its connection, decoder and store. It requests
everything. `OldListener` has no capability at all, and only has to understand what it gets.
"""

import difflib
import pprint
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from tests import comparable
from tests.contract.in_memory_server import Person, TownTransport
from tui.api import decode
from tui.api import events as ev
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.api.model import ChannelId, EventId, Message, MessageId, QueueId
from tui.api.routes import messages, queues
from tui.api.routes.queues import EVERYTHING
from tui.errors import ApiRefused
from tui.narrow import AllMessages, ChannelNarrow, Mentions, Narrow, Starred, TopicNarrow
from tui.store import Store
from tui.store.fetched_page import Page, page
from tui.sync.history import History

TIMEOUT: Final = 20
"""Maximum of polls until a queue must have no more events."""

REFUSALS: Final = ("BAD_EVENT_QUEUE_ID", "UNAUTHORIZED")
"""Errors that a listener may get: its queue is gone, or its account deactivated."""

NO_QUEUE: Final = QueueId("")
BEGINNING: Final = EventId(-1)

STALE: Final = {
    "sender_full_name": "names are shown as they are now, by id",
    "sender_email": "as the name",
    "avatar_url": "as the name",
    "display_recipient": "channels are shown by id; people as the name",
    "topic_links": "made when fetched: nobody is told of old messages when linkifiers change",
    "match_content": "comes with searches only",
    "match_topic": "comes with searches only",
}
"""Fields of a message that no event updates, and why that is harmless."""


class Diverged(AssertionError):
    """A client's state from events differs from a fresh snapshot."""


@dataclass(slots=True)
class Listener:
    """A user's client. `store` is None while the server refuses it."""

    person: Person
    store: Store | None = None
    queue_id: QueueId = NO_QUEUE
    last_event_id: EventId = BEGINNING
    seen: list[ev.Event] = field(default_factory=list)
    flying: list[tuple[int, Page]] = field(default_factory=list)
    """Answers on their way, with the store's ticket for them."""
    connection: Connection = field(init=False)

    def __post_init__(self) -> None:
        base = parse_base_url("http://127.0.0.1:1", allow_http=True)
        self.connection = Connection(
            base,
            credentials=Credentials(self.person.email, self.person.key),
            transport=TownTransport(self.person.town),
        )

    async def register(self) -> Store | None:
        """Register again; None if the account is deactivated."""
        try:
            snapshot = await queues.register(
                self.connection,
                event_types=None,
                fetch_event_types=None,
                queue_filter=EVERYTHING,
                idle_queue_timeout_seconds=7 * 24 * 3600,
                feature_level=0,
            )
        except ApiRefused as refused:
            _expect(refused)
            return None
        self.queue_id, self.last_event_id = snapshot.queue_id, snapshot.last_event_id
        return Store.from_snapshot(snapshot)

    async def start(self) -> None:
        """Load the snapshot, with the messages of a few windows."""
        self.store = await self.register()
        self.seen.clear()
        self.flying.clear()
        if self.store is not None:
            for narrow in self._narrows(self.store):
                await self._load(self.store, narrow)

    async def poll(self) -> tuple[ev.Event, ...]:
        """Return the next events without applying them: their answer may have been lost."""
        return await queues.get_events(
            self.connection,
            queue_id=self.queue_id,
            last_event_id=self.last_event_id,
            longpoll_timeout_seconds=1.0,
            dont_block=True,
        )

    async def catch_up(self) -> None:
        """Apply all events; if the queue is gone, start again, as the client does."""
        if self.store is None:
            await self.start()
            return
        for _ in range(TIMEOUT):
            try:
                events = await self.poll()
            except ApiRefused as refused:
                _expect(refused)
                await self.start()
                return
            if not events:
                return
            for event in events:
                self._take(self.store, event)
        raise Diverged(f"{self.person.name}: the queue never ends")

    def _take(self, store: Store, event: ev.Event) -> None:
        assert event.id > self.last_event_id, (event.id, self.last_event_id)
        assert not isinstance(event, ev.UnknownEvent), event
        self.seen.append(event)
        store.apply(event)
        self.last_event_id = event.id

    async def ask_for(self, narrow: Narrow) -> None:
        """Fetch messages; the answer is stored now, and applied only when it lands."""
        if self.store is None:
            return
        ticket = self.store.messages.begin_fetch()
        try:
            fetched = await messages.fetch(
                self.connection,
                narrow=narrow.to_api(),
                anchor="newest",
                include_anchor=True,
                num_before=6,
                num_after=0,
                apply_markdown=True,
            )
        except ApiRefused:
            self.store.messages.cancel_fetch(ticket)
            return
        reply = page(
            narrow,
            fetched.messages,
            anchor=max((message.id for message in fetched.messages), default=0),
            include_anchor=True,
            found_oldest=fetched.found_oldest,
            found_newest=fetched.found_newest,
            num_before=6,
            num_after=0,
        )
        self.flying.append((ticket, reply))

    def land(self) -> None:
        """Apply the answers on their way."""
        if self.store is not None:
            for ticket, fetched in self.flying:
                self.store.messages.finish_fetch(ticket, fetched)
        self.flying.clear()

    async def lose_answer(self) -> None:
        """Discard an answer of the server: the next poll must return the same events."""
        try:
            await self.poll()
        except ApiRefused as refused:
            _expect(refused)

    async def lose_queue(self) -> None:
        """Delete the queue on the server, as after a long absence."""
        try:
            await queues.delete_queue(self.connection, queue_id=self.queue_id)
        except ApiRefused as refused:
            _expect(refused)

    async def check(self) -> None:
        """Compare the state with a fresh snapshot."""
        await self.catch_up()
        self.land()
        mine = self.store
        if mine is None:
            return
        await self._history(mine).settle(list(mine.messages.windows))
        kept = self.queue_id, self.last_event_id
        fresh = await self.register()
        assert fresh is not None
        fresh_queue, (self.queue_id, self.last_event_id) = self.queue_id, kept
        await queues.delete_queue(self.connection, queue_id=fresh_queue)
        self._compare("state", comparable.of(mine), comparable.of(fresh))
        for narrow in list(mine.messages.windows):
            await self._load(fresh, narrow)
        self._compare_messages(mine, fresh)

    def _compare_messages(self, mine: Store, fresh: Store) -> None:
        """Compare messages of subscribed channels: no events are sent about those of others."""
        heard = mine.channels.subscribed
        shown = mine.realm.settings.message_edit_history_visibility_policy == "all"
        told = {
            message_id: _facts(message, history=shown)
            for message_id, message in mine.messages.by_id.items()
            if message_id in fresh.messages.by_id
            and (message.channel_id is None or message.channel_id in heard)
        }
        asked = {
            message_id: _facts(message, history=shown)
            for message_id, message in fresh.messages.by_id.items()
            if message_id in told
        }
        self._compare("messages", told, asked)
        for narrow in list(mine.messages.windows):
            if not mine.messages.windows[narrow].stretches:
                continue  # forgotten, so nothing is compared
            channel_id = getattr(narrow, "channel_id", None)
            if channel_id is not None and channel_id not in heard:
                continue
            known, anew = _heard(mine, narrow, heard), _heard(fresh, narrow, heard)
            # Marking a message from before the subscription adds it to the user's own history: an open feed
            # shows it only after fetching again.
            late = {i for i in anew - known if "historical" in fresh.messages.by_id[i].flags}
            late = late if isinstance(narrow, AllMessages) else set()
            claimed = {i for i in anew - late if mine.messages.windows[narrow].at(i)}
            self._compare("window", {narrow: sorted(known)}, {narrow: sorted(claimed)})

    def _compare(self, what: str, mine: Mapping[Any, Any], fresh: Mapping[Any, Any]) -> None:
        if mine == fresh:
            return
        differences = "\n".join(_differences(mine, fresh))
        told = "\n".join(f"  {event}" for event in self.seen[-12:])
        raise Diverged(f"{self.person.name}'s {what}:\n{differences}\ntold last:\n{told}"[:12_000])

    def _history(self, store: Store) -> History:
        return History(self.connection, lambda: store, lambda changes: None)

    async def _load(self, store: Store, narrow: Narrow) -> None:
        try:
            await self._history(store).load_into(store, narrow, "newest")
        except ApiRefused:
            store.messages.windows.pop(narrow, None)  # a channel that is unreadable now

    def _narrows(self, store: Store) -> list[Narrow]:
        first = min(store.channels.by_id, default=ChannelId(1))
        return [
            AllMessages(),
            Starred(),
            Mentions(),
            ChannelNarrow(first),
            TopicNarrow(first, "tea"),
        ]

    async def close(self) -> None:
        """Close the connection."""
        await self.connection.aclose()


def _expect(refused: ApiRefused) -> None:
    if refused.code not in REFUSALS:
        raise Diverged(f"{refused.code}: {refused}")


def _heard(store: Store, narrow: Narrow, channels: set[ChannelId]) -> set[MessageId]:
    """Return the messages of a window, except those of unsubscribed channels."""
    ids = store.messages.window(narrow).ids()
    places = {i: store.messages.by_id[i].channel_id for i in ids}
    return {i for i, channel_id in places.items() if channel_id is None or channel_id in channels}


def _facts(message: Message, *, history: bool) -> dict[str, object]:
    facts = {
        each.name: getattr(message, each.name)
        for each in fields(message)
        if each.name not in STALE and (history or each.name != "edit_history")
    }
    # Events contain only stored flags of a message; "historical" is added when it is fetched.
    return facts | {"flags": message.flags - {"historical"}}


def _differences(
    mine: Mapping[Any, Any], fresh: Mapping[Any, Any], path: str = ""
) -> Iterable[str]:
    for key in [*mine, *(key for key in fresh if key not in mine)]:
        here, there = mine.get(key, "(nothing)"), fresh.get(key, "(nothing)")
        if here == there:
            continue
        if isinstance(here, Mapping) and isinstance(there, Mapping):
            yield from _differences(here, there, f"{path}[{key!r}]")
            continue
        lines = difflib.unified_diff(
            pprint.pformat(here).splitlines(),
            pprint.pformat(there).splitlines(),
            "by events",
            "anew",
            lineterm="",
            n=1,
        )
        yield f"{path}[{key!r}]:\n" + "\n".join(list(lines)[:40])


@dataclass(slots=True)
class OldListener:
    """A client without capabilities: it must understand everything that it gets."""

    person: Person
    queue_id: str | None = None
    last_event_id: int = -1
    known: set[MessageId] = field(default_factory=set)

    async def catch_up(self) -> None:
        """Apply all events."""
        if self.queue_id is None:
            answer = await self.person.post("register")
            if answer["status"] != 200:
                assert answer["status"] == 401, answer
                return
            self.queue_id, self.last_event_id = answer["queue_id"], answer["last_event_id"]
        answer = await self.person.get(
            "events", queue_id=self.queue_id, last_event_id=self.last_event_id, dont_block=True
        )
        if answer["status"] != 200:
            assert answer["status"] in (400, 401), answer
            self.queue_id = None
            return
        for event in answer["events"]:
            assert event["id"] > self.last_event_id, event
            self.last_event_id = event["id"]
            decoded = decode.event(event, "old")
            assert not isinstance(decoded, ev.UnknownEvent), event
            assert event.get("topic", event.get("subject")) != "", event
