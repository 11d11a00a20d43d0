"""`chinwag tail` and `search`: the newest messages, and with -f those that follow."""

import argparse
import asyncio
from collections.abc import Iterable

from tui import bugs
from tui.api.features import check_narrow
from tui.api.model import Anchor, ChannelId, Message, MessageId, UserId
from tui.api.routes import messages as routes
from tui.api.routes.queues import EVERYTHING, QueueFilter
from tui.cli import lines, output
from tui.cli.account import connected, opened
from tui.config import Folders
from tui.errors import ApiError, BadNarrow, ConfigError
from tui.narrow import Narrow, Term, parse, without_near
from tui.store import Changes, Store
from tui.sync.machine import Sync
from tui.sync.status import Live, Retrying, SignedOut, Status
from tui.view.initial_narrow import asked_for
from tui.view.records import record_of_message
from tui.view.times import Times

MOST_MISSED = 1000
"""Most messages fetched after a long time without a network; older ones are skipped."""

READER_SECONDS = 1.0
"""Seconds between checks whether the output still has a reader, while there is nothing to write."""


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Print the newest messages of a narrow; with `follow` go on until it is stopped."""
    arguments.narrow = arguments.narrow or ""
    if arguments.follow and without_near(parse(arguments.narrow))[1] is not None:
        raise BadNarrow(
            "“near:” shows messages around an older one, and -f new ones. Leave out one."
        )
    if not arguments.follow and not arguments.limit:
        raise BadNarrow("-n 0 shows nothing, except with -f: only new messages.")
    asyncio.run(_follow(arguments, here) if arguments.follow else _newest(arguments, here))
    return 0


def search(arguments: argparse.Namespace, here: Folders) -> int:
    """Print the newest messages that match."""
    arguments.narrow = " ".join(arguments.words)
    asyncio.run(_newest(arguments, here))
    return 0


async def _newest(arguments: argparse.Namespace, here: Folders) -> None:
    async with opened(arguments, here) as sync:
        narrow, near = asked_for(sync.store, arguments.narrow)
        after = 0 if near is None else (arguments.limit - 1) // 2
        before = arguments.limit - (near is not None) - after
        messages = await _fetch(sync, narrow, near or "newest", before=before, after=after)
        Printer(sync, is_json=arguments.json, has_ids=arguments.ids).show(messages)


async def _fetch(
    sync: Sync,
    narrow: Narrow,
    anchor: Anchor,
    *,
    before: int = 0,
    after: int = 0,
    is_missed: bool = False,
) -> tuple[Message, ...]:
    check_narrow(narrow.to_api(), sync.store.realm.feature_level)
    fetched = await routes.fetch(
        sync.connection,
        narrow=narrow.to_api(),
        anchor=anchor,
        include_anchor=not is_missed,
        num_before=before,
        num_after=after,
        apply_markdown=True,
    )
    return fetched.messages


class Printer:
    """Prints messages, none of them twice."""

    def __init__(self, sync: Sync, *, is_json: bool, has_ids: bool = False) -> None:
        self._sync = sync
        self._has_ids = has_ids
        self._is_json = is_json
        self._times = Times()
        self.newest = MessageId(0)

    def show(self, messages: Iterable[Message]) -> None:
        """Print the messages that are newer than the last one; write errors are raised."""
        store, site = self._sync.store, self._sync.connection.base_url.text
        for message in messages:
            if message.id <= self.newest:
                continue
            self.newest = message.id
            if self._is_json:
                output.show(lines.of_record(record_of_message(store, message, site)))
            else:
                prefix = f"{message.id}  " if self._has_ids else ""
                output.show(prefix + lines.of_message(store, message, self._times))


class _News:
    """Wakes up the follower."""

    def __init__(self) -> None:
        self.arrived: set[MessageId] = set()
        self.is_replaced = False
        self.status: Status | None = None
        self.event = asyncio.Event()

    def store_changed(self, changes: Changes) -> None:
        self.arrived.update(changes.arrived)
        self.is_replaced |= changes.replaced
        self.event.set()

    def status_changed(self, status: Status) -> None:
        was, self.status = self.status, status
        if isinstance(status, Retrying) and status.attempt == 1:
            output.warn(f"{status.sentence} Trying again.")
        elif isinstance(status, Live) and isinstance(was, Retrying):
            output.warn("connected again.")
        self.event.set()


async def _queue_filter(arguments: argparse.Namespace, here: Folders) -> QueueFilter:
    """Return a filter for the events of a narrow, as far as the server supports it."""
    if not arguments.narrow:
        return EVERYTHING
    try:
        async with opened(arguments, here) as sync:
            return listening_to(sync.store, asked_for(sync.store, arguments.narrow)[0])
    except ApiError:
        return EVERYTHING  # the stream reports the error, and goes on when it can


def listening_to(store: Store, narrow: Narrow) -> QueueFilter:
    """Return the filter of a narrow's queue: all of its messages, and as few others as possible."""
    pairs: list[tuple[str, str]] = []
    outside = False
    for term in narrow.terms():
        match term:
            case Term(negated=True):
                pass
            case Term("channel", int(number)):
                channel = store.channels.get(ChannelId(number))
                pairs.append(("stream", store.channel_names[ChannelId(number)]))
                outside |= (
                    channel is not None
                    and not channel.invite_only
                    and channel.channel_id not in store.channels.subscribed
                )
            case Term("topic", str(topic)):
                pairs.append(("topic", topic))
            case Term("sender", int(number)) if user := store.users.get(UserId(number)):
                pairs.append(("sender", user.email))
            case Term("is", "dm"):
                pairs.append(("is", "private"))
            case Term("channels", "public"):
                outside = True
    return QueueFilter(narrow=tuple(pairs), all_public_channels=outside)


async def _follow(arguments: argparse.Namespace, here: Folders) -> None:
    queue_filter = await _queue_filter(arguments, here)
    sync = Sync(await connected(arguments, here), queue_filter=queue_filter)
    news = _News()
    sync.listen(news)
    stream = bugs.awaited(sync.run())
    printing = bugs.awaited(_print_news(sync, news, arguments))
    reader = bugs.awaited(_reader_gone())
    try:
        await asyncio.wait({stream, printing, reader}, return_when=asyncio.FIRST_COMPLETED)
        for ended in (printing, stream):
            if ended.done():
                ended.result()
        if isinstance(sync.status, SignedOut):
            raise ConfigError(f"signed out: {sync.status.sentence}")
    finally:
        for task in (stream, printing, reader):
            task.cancel()
        await asyncio.wait({stream, printing, reader})
        await sync.connection.aclose()


async def _reader_gone() -> None:
    """Wait until nobody reads the output any more: its pipe or its terminal is closed."""
    while not output.is_closed():  # noqa: ASYNC110  # a reader that leaves sets no event
        await asyncio.sleep(READER_SECONDS)


async def _print_news(sync: Sync, news: _News, arguments: argparse.Namespace) -> None:
    printer = Printer(sync, is_json=arguments.json, has_ids=arguments.ids)
    narrow: Narrow | None = None
    while True:
        await news.event.wait()
        news.event.clear()
        try:
            if news.is_replaced:
                narrow = narrow or asked_for(sync.store, arguments.narrow)[0]
                newest = sync.store.max_message_id
                printer.show(await _missed(sync, narrow, printer.newest, arguments.limit))
                printer.newest = printer.newest or newest  # those after it are new, however many
                news.is_replaced = False
            elif news.arrived and narrow is not None:
                arrived = sorted(news.arrived)
                news.arrived.clear()
                printer.show(await _inside(sync, narrow, arrived))
        except ApiError:
            news.is_replaced = True  # to be fetched again when the stream is back
            await asyncio.sleep(1)
            news.event.set()


async def _missed(sync: Sync, narrow: Narrow, since: MessageId, limit: int) -> tuple[Message, ...]:
    if since:
        return await _fetch(sync, narrow, since, after=MOST_MISSED, is_missed=True)
    return await _fetch(sync, narrow, "newest", before=limit) if limit else ()


async def _inside(sync: Sync, narrow: Narrow, ids: list[MessageId]) -> list[Message]:
    """Return the messages that belong to the narrow; the server is asked where only it can decide."""
    messages = [each for each in map(sync.store.messages.get, ids) if each is not None]
    unclear = [each.id for each in messages if narrow.contains(each) is None]
    matching_ids = (
        await routes.matches_narrow(sync.connection, message_ids=unclear, narrow=narrow.to_api())
        if unclear
        else ()
    )
    return [each for each in messages if narrow.contains(each) or each.id in matching_ids]
