"""Fetches messages into the store's windows, merging each answer with the events since its request.

Without a server, messages of the cache on disk are shown until it answers. Errors are raised to the caller;
the store is then unchanged.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from tui import bugs
from tui.api.connection import Connection
from tui.api.features import MESSAGES_BY_ID, check_narrow
from tui.api.model import Anchor, ChannelId, Message, MessageId
from tui.api.routes import channels as channel_routes
from tui.api.routes import messages as routes
from tui.api.routes.messages import FetchedMessages
from tui.cache.archive import Archive
from tui.errors import NO_VERDICT, ApiError, ApiRefused, RateLimited
from tui.narrow import Narrow
from tui.store import Changes, Store
from tui.store.fetched_page import Page, page
from tui.store.windows import NEWEST, Window

PAGE = 100
"""Messages per fetch: about three screens on each side."""
MOST_LOOKUPS = 500
AT_ONCE = 4
"""Messages to fetch at the same time where a server returns them one by one."""
TOPIC_LISTS_AT_ONCE = 8
"""Requests for lists of topics at the same time."""
TOPIC_LIST_TRIES = 3
"""Requests for one list of topics where topics are removed meanwhile."""


class History:
    """Fetches older messages. `store` is called again after each wait: it may return another one."""

    def __init__(
        self,
        connection: Connection,
        store: Callable[[], Store],
        report: Callable[[Changes], None],
    ) -> None:
        self._connection = connection
        self._store = store
        self._report = report
        self.archive: Archive | None = None
        """The cache to show messages from while the server does not answer."""
        self.before_archive: Callable[[], None] = lambda: None
        """Called before messages are read from the cache, to write there what is only in memory."""
        self._under_way: dict[tuple[Narrow, str], asyncio.Future[None]] = {}

    async def around(
        self, narrow: Narrow, anchor: Anchor, *, count: int = PAGE
    ) -> MessageId | None:
        """Load the messages around an anchor; return the ID that the anchor stands for.

        None if it stands for no message: "newest", or nothing is unread.
        """
        try:
            fetched = await self._fetch(narrow, anchor, before=count, after=count)
            if not self._store().messages.window(narrow).stretches:
                # Void: the user joined the channel while the answer was on its way.
                fetched = await self._fetch(narrow, anchor, before=count, after=count)
        except NO_VERDICT:
            if not self._borrow_around(narrow, anchor, count):
                raise
            return MessageId(anchor) if isinstance(anchor, int) else None
        used = fetched.anchor
        if anchor == "newest" or used is None or not fetched.found_anchor:
            return None
        return MessageId(used)

    async def older(self, narrow: Narrow, than: MessageId, *, count: int = PAGE) -> None:
        """Load the messages before a message; simultaneous calls share one request."""
        await self._once((narrow, "older"), narrow, than, before=count, after=0)

    async def newer(self, narrow: Narrow, than: MessageId, *, count: int = PAGE) -> None:
        """Load the messages after a message; simultaneous calls share one request."""
        await self._once((narrow, "newer"), narrow, than, before=0, after=count)

    async def load_into(self, store: Store, narrow: Narrow, anchor: Anchor) -> None:
        """Load a window of a store that is not shown yet."""
        ticket = store.messages.begin_fetch()
        try:
            fetched = await self._ask(narrow, anchor, before=PAGE, after=PAGE)
        except BaseException:
            store.messages.cancel_fetch(ticket)
            raise
        store.messages.finish_fetch(ticket, _page(narrow, fetched, before=PAGE, after=PAGE))

    async def topics(self, channel_id: ChannelId) -> None:
        """Load the list of a channel's topics."""
        for tries_left in reversed(range(TOPIC_LIST_TRIES)):
            store, removals = self._store(), self._store().topics.removals
            topics = await channel_routes.list_topics(self._connection, channel_id=channel_id)
            is_current = store is self._store() and store.topics.removals == removals
            if is_current or not tries_left:  # it may still have what an event removed meanwhile
                self._store().topics.load(channel_id, topics)
                self._report(Changes(topics=frozenset({channel_id})))
                return

    async def topics_of(self, channel_ids: Iterable[ChannelId], came: Callable[[], None]) -> None:
        """Load the topics of several channels, a few at a time; `came` is called after each."""
        waiting = iter(channel_ids)

        async def one_after_the_other() -> None:
            for channel_id in waiting:
                await self.topics(channel_id)
                came()

        await asyncio.gather(*(one_after_the_other() for _ in range(TOPIC_LISTS_AT_ONCE)))

    async def by_id(self, message_ids: Sequence[MessageId]) -> None:
        """Load messages by ID, of any conversation; inaccessible ones stay unknown."""
        store = self._store()
        ticket = store.messages.begin_fetch()
        try:
            messages = await self._look_up(store, message_ids[:MOST_LOOKUPS])
        except BaseException:
            store.messages.cancel_fetch(ticket)
            raise
        store.messages.pending_lookups.difference_update(message_ids)
        windows = store.messages.finish_lookup(ticket, messages)
        if store is self._store():
            ids = frozenset(message.id for message in messages)
            self._report(Changes(messages=ids, windows=frozenset(windows)))

    async def _look_up(self, store: Store, message_ids: Sequence[MessageId]) -> tuple[Message, ...]:
        if MESSAGES_BY_ID.is_in(store.realm.feature_level):
            return await routes.fetch_by_id(
                self._connection, message_ids=message_ids, apply_markdown=True
            )
        few = asyncio.Semaphore(AT_ONCE)

        async def one(message_id: MessageId) -> Message | None:
            async with few:
                try:
                    return await routes.get(
                        self._connection, message_id=message_id, apply_markdown=True
                    )
                except RateLimited:
                    raise
                except ApiRefused:
                    return None  # gone, or not accessible

        messages = await asyncio.gather(*(one(message_id) for message_id in message_ids))
        return tuple(message for message in messages if message is not None)

    async def settle(self, open_narrows: Sequence[Narrow]) -> None:
        """Ask the server for what events left open: moved messages, matches of searches.

        Without an answer the window is dropped, so that its claims are always true.
        """
        store = self._store()
        if store.messages.pending_lookups:
            try:
                await self.by_id(sorted(store.messages.pending_lookups))
            except ApiError:
                self._forget_all(store)
        for narrow, window in list(store.messages.windows.items()):
            if window.undecided:
                await self._decide(store, narrow, window, asks=narrow in open_narrows)

    async def _decide(self, store: Store, narrow: Narrow, window: Window, *, asks: bool) -> None:
        undecided_ids = sorted(window.undecided)
        window.undecided.clear()
        if not asks:
            store.messages.windows.pop(narrow, None)
            return
        try:
            inside = await routes.matches_narrow(
                self._connection, message_ids=undecided_ids, narrow=narrow.to_api()
            )
        except ApiError:
            store.messages.windows[narrow] = Window()
            changed = True
        else:
            changed = store.messages.apply_matches(narrow, undecided_ids, inside)
        if changed and store is self._store():
            self._report(Changes(windows=frozenset({narrow})))

    def _forget_all(self, store: Store) -> None:
        forgotten = frozenset(store.messages.windows)
        for narrow in forgotten:
            store.messages.windows[narrow] = Window()
        store.messages.pending_lookups.clear()
        if store is self._store():
            self._report(Changes(windows=forgotten))

    async def _once(
        self, key: tuple[Narrow, str], narrow: Narrow, anchor: MessageId, *, before: int, after: int
    ) -> None:
        """Share a request that is in progress for the same key, and its error."""
        if key in self._under_way:
            request = self._under_way[key]
            # Not `shield`: from Python 3.14 on, it reports the error of a request whose caller is gone as a bug.
            await asyncio.wait((request,))
            request.result()
            return
        task = bugs.awaited(self._page(narrow, anchor, before, after))
        self._under_way[key] = task
        task.add_done_callback(lambda _: self._under_way.pop(key, None))
        await task

    async def _page(self, narrow: Narrow, anchor: MessageId, before: int, after: int) -> None:
        try:
            await self._fetch(narrow, anchor, before=before, after=after)
        except NO_VERDICT:
            if not self._borrow(narrow, anchor, before, after):
                raise

    # Without a server

    def _borrow_around(self, narrow: Narrow, anchor: Anchor, count: int) -> bool:
        match anchor:
            case int():
                return self._borrow(narrow, anchor, count, count)
            case "oldest":
                return self._borrow(narrow, 0, 0, count)
            case _:
                return self._borrow(narrow, NEWEST, count, 0)

    def _borrow(self, narrow: Narrow, anchor: int, before: int, after: int) -> bool:
        """Show cached messages around an ID; False if there are no others."""
        if self.archive is None:
            return False
        self.before_archive()
        older = self.archive.before(narrow, anchor, before) if before else []
        newer = self.archive.since(narrow, anchor, after + 1) if after else []
        messages = tuple(older + newer)
        if all(message.id == anchor for message in messages):
            return False
        at_end = anchor == NEWEST or (after > 0 and len(newer) <= after)
        kept = Page(
            narrow=narrow,
            low=min(messages[0].id, anchor),
            high=NEWEST if at_end else max(messages[-1].id, anchor),
            messages=messages,
        )
        fresh = self._store().messages.show_cached(kept)
        self._report(Changes(messages=fresh, windows=frozenset({narrow})))
        return True

    def drop_cached(self) -> Changes:
        """Drop the cached messages, to be fetched now that the server answers."""
        messages, windows = self._store().messages.drop_cached()
        return Changes(messages=messages, windows=windows)

    async def _fetch(
        self, narrow: Narrow, anchor: Anchor, *, before: int, after: int
    ) -> FetchedMessages:
        store = self._store()
        ticket = store.messages.begin_fetch()
        try:
            fetched = await self._ask(narrow, anchor, before=before, after=after)
        except BaseException:
            store.messages.cancel_fetch(ticket)
            raise
        fresh = store.messages.finish_fetch(
            ticket, _page(narrow, fetched, before=before, after=after)
        )
        if store is self._store():
            self._report(Changes(messages=fresh, windows=frozenset({narrow})))
        return fetched

    async def _ask(
        self, narrow: Narrow, anchor: Anchor, *, before: int, after: int
    ) -> FetchedMessages:
        terms = narrow.to_api()
        check_narrow(terms, self._store().realm.feature_level)
        return await routes.fetch(
            self._connection,
            narrow=terms,
            anchor=anchor,
            include_anchor=True,
            num_before=before,
            num_after=after,
            apply_markdown=True,
        )


def _page(narrow: Narrow, fetched: FetchedMessages, *, before: int, after: int) -> Page:
    ids = [message.id for message in fetched.messages]
    return page(
        narrow,
        fetched.messages,
        anchor=fetched.anchor if fetched.anchor is not None else max(ids, default=0),
        include_anchor=True,
        found_oldest=fetched.found_oldest,
        found_newest=fetched.found_newest,
        num_before=before,
        num_after=after,
    )
