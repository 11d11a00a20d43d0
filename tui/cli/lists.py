"""`chinwag unread`, `channels` and `people`: a line for each, with columns separated by tabs."""

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from tui.api.routes import presence as presence_routes
from tui.api.routes.presence import PresenceEntry
from tui.cli import channel, lines, person
from tui.cli.account import opened
from tui.cli.lines import Row
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused
from tui.store import Store
from tui.view import names
from tui.view.presence import presence
from tui.view.records import record_of_place


def unread(arguments: argparse.Namespace, here: Folders) -> int:
    """Print unread conversations: count, name, and the narrow that opens it."""
    return _print(arguments, here, lambda store: _unread(store, with_muted=arguments.all))


def channels(arguments: argparse.Namespace, here: Folders) -> int:
    """Print channels: name, subscription, description; with a name, that channel alone."""
    if arguments.name:
        return channel.run(arguments, here)
    return _print(arguments, here, _channels)


def people(arguments: argparse.Namespace, here: Folders) -> int:
    """Print people: name, email, presence, status; with a name, that person alone."""
    if arguments.name:
        return person.run(arguments, here)
    asyncio.run(_print_people(arguments, here))
    return 0


async def _print_people(arguments: argparse.Namespace, here: Folders) -> None:
    async with opened(arguments, here) as sync:
        seen: Mapping[str, Mapping[str, PresenceEntry]] = {}
        with suppress(ApiRefused):  # some servers refuse bots
            seen = await presence_routes.get_realm(sync.connection)
        for columns, record in _people(sync.store, time.time(), seen):
            lines.show_row(columns, record, as_json=arguments.json)


def _print(
    arguments: argparse.Namespace, here: Folders, rows: Callable[[Store], Iterator[Row]]
) -> int:
    async def printed() -> None:
        async with opened(arguments, here) as sync:
            for columns, record in rows(sync.store):
                lines.show_row(columns, record, as_json=arguments.json)

    asyncio.run(printed())
    return 0


def _unread(store: Store, *, with_muted: bool) -> Iterator[Row]:
    places = [
        place for place in store.unreads.conversations() if with_muted or not store.is_muted(place)
    ]
    for place in sorted(places, key=lambda each: max(store.unreads.ids(each)), reverse=True):
        ids = store.unreads.ids(place)
        label = lines.narrow_text(store, place)
        record = {
            "count": len(ids),
            "mentions": len(ids & store.unreads.mentions),
            **record_of_place(store, place),
            "first_id": min(ids),
            "narrow": label,
        }
        yield (str(len(ids)), lines.place(store, place), sanitize_line(label)), record


def _channels(store: Store) -> Iterator[Row]:
    open_channels = [each for each in store.channels.by_id.values() if not each.is_archived]
    for each in sorted(open_channels, key=lambda each: each.name.casefold()):
        is_joined = each.channel_id in store.channels.subscribed
        mark = names.channel_mark(store, each.channel_id)
        columns = (
            f"{mark}{sanitize_line(each.name)}",
            "joined" if is_joined else "-",
            sanitize_line(each.description),
        )
        yield (
            columns,
            {
                "id": each.channel_id,
                "name": each.name,
                "description": each.description,
                "joined": is_joined,
                "private": each.invite_only,
            },
        )


def _people(
    store: Store, now: float, seen: Mapping[str, Mapping[str, PresenceEntry]]
) -> Iterator[Row]:
    users = [each for each in store.users.by_id.values() if each.is_active]
    for user in sorted(users, key=lambda each: each.full_name.casefold()):
        status = store.statuses.by_user.get(user.user_id)
        status_text = (status.status_text if status is not None else "") or ""
        email = user.delivery_email or user.email
        state = presence(store, user.user_id, now)
        yield (
            (
                names.person(store, user.user_id),
                sanitize_line(email),
                state,
                sanitize_line(status_text),
            ),
            {
                "id": user.user_id,
                "name": user.full_name,
                "email": email,
                "bot": user.is_bot,
                "presence": state,
                "last_seen": person.moment(seen.get(user.email, {}).get("aggregated")),
                "status": status_text,
            },
        )
