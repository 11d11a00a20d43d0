"""`chinwag channels NAME`: a channel's details, topics, people or email address."""

import argparse
import asyncio
from collections.abc import AsyncIterator

from tui.api.connection import Connection
from tui.api.model import ChannelId
from tui.api.routes import channels, users
from tui.cli import lines
from tui.cli.account import asking
from tui.cli.lines import Row
from tui.cli.resolve import find_channel
from tui.commands.channels import email_address_of
from tui.config import Folders


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Print the requested part of the channel; by default its details."""
    asyncio.run(_tell(arguments, here))
    return 0


async def _tell(arguments: argparse.Namespace, here: Folders) -> None:
    fetch = {"topics": _topics, "people": _people, "email": _email}.get(arguments.of, _about)
    async with asking(arguments, here) as connection:
        channel_id = await find_channel(connection, arguments.name)
        async for columns, record in fetch(connection, channel_id):
            lines.show_row(columns, record, as_json=arguments.json)


async def _about(connection: Connection, channel_id: ChannelId) -> AsyncIterator[Row]:
    channel = await channels.get(connection, channel_id=channel_id)
    about = "private" if channel.invite_only else "public"
    record = {
        "id": channel.channel_id,
        "name": channel.name,
        "description": channel.description,
        "private": channel.invite_only,
        "archived": channel.is_archived,
    }
    yield (channel.name, "archived" if channel.is_archived else about, channel.description), record


async def _topics(connection: Connection, channel_id: ChannelId) -> AsyncIterator[Row]:
    for topic in await channels.list_topics(connection, channel_id=channel_id):
        yield (topic.name,), {"topic": topic.name, "last_message_id": topic.max_id}


async def _people(connection: Connection, channel_id: ChannelId) -> AsyncIterator[Row]:
    members = await channels.list_members(connection, channel_id=channel_id)
    everybody = await users.fetch(connection, user_ids=sorted(members), with_profile=False)
    for user in sorted(everybody, key=lambda each: each.full_name.casefold()):
        if user.user_id in members:
            email = user.delivery_email or user.email
            record = {"id": user.user_id, "name": user.full_name, "email": email}
            yield (user.full_name, email), record


async def _email(connection: Connection, channel_id: ChannelId) -> AsyncIterator[Row]:
    address = await email_address_of(connection, channel_id)
    yield (address,), {"email": address}
