"""`chinwag kept WHAT`: drafts, scheduled messages, reminders, snippets, views: for export."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict
from typing import Final

from tui.api.connection import Connection
from tui.api.model import Draft, NavigationView, Reminder, SavedSnippet, ScheduledMessage
from tui.api.routes import drafts, navigation_views, reminders, saved_snippets, scheduled_messages
from tui.cli import lines
from tui.cli.account import asking
from tui.cli.lines import Row
from tui.config import Folders
from tui.view.times import utc


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Print a line for each item, or all its data as JSON."""

    async def printed() -> None:
        async with asking(arguments, here) as connection:
            async for columns, record in _KINDS[arguments.what](connection):
                lines.show_row(columns, record, as_json=arguments.json)

    asyncio.run(printed())
    return 0


async def _drafts(connection: Connection) -> AsyncIterator[Row]:
    for each in await drafts.fetch(connection):
        yield (_moment(each.timestamp), each.topic, each.content), _record(each)


async def _scheduled(connection: Connection) -> AsyncIterator[Row]:
    for each in await scheduled_messages.fetch(connection):
        yield _waiting(each), _record(each)


async def _reminders(connection: Connection) -> AsyncIterator[Row]:
    for each in await reminders.fetch(connection):
        yield _waiting(each), _record(each)


async def _snippets(connection: Connection) -> AsyncIterator[Row]:
    for each in await saved_snippets.fetch(connection):
        yield (each.title, each.content), _record(each)


async def _views(connection: Connection) -> AsyncIterator[Row]:
    for each in await navigation_views.fetch(connection):
        yield (each.name or "", each.fragment), _record(each)


_KINDS: Final[Mapping[str, Callable[[Connection], AsyncIterator[Row]]]] = {
    "drafts": _drafts,
    "scheduled": _scheduled,
    "reminders": _reminders,
    "snippets": _snippets,
    "views": _views,
}


def _waiting(each: ScheduledMessage | Reminder) -> tuple[str, ...]:
    return (
        _moment(each.scheduled_delivery_timestamp),
        "failed" if each.failed else "waits",
        each.content,
    )


def _moment(timestamp: int) -> str:
    return f"{utc(timestamp):%Y-%m-%d %H:%M}Z"


def _record(
    each: Draft | ScheduledMessage | Reminder | SavedSnippet | NavigationView,
) -> Mapping[str, object]:
    return asdict(each)
