"""`chinwag people NAME`: a person, or whether they are in a channel or group. Fetches no more than that."""

import argparse
import asyncio
from collections.abc import Mapping
from contextlib import suppress

from tui.api.connection import Connection
from tui.api.model import User, UserStatus
from tui.api.routes import presence, profile_fields, statuses, user_groups, users
from tui.api.routes.presence import PresenceEntry
from tui.cli import lines, output
from tui.cli.account import asking
from tui.cli.resolve import find_channel, find_group, find_person
from tui.config import Folders
from tui.errors import ApiRefused
from tui.view import roles
from tui.view.times import utc


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Print a line for each detail; or yes or no, where a channel or group was named."""
    asyncio.run(_tell(arguments, here))
    return 0


async def _tell(arguments: argparse.Namespace, here: Folders) -> None:
    async with asking(arguments, here) as connection:
        user = await find_person(connection, arguments.name)
        if arguments.channel is not None:
            channel_id = await find_channel(connection, arguments.channel)
            _answer(
                arguments,
                await users.is_subscribed(connection, user_id=user.user_id, channel_id=channel_id),
            )
        elif arguments.group is not None:
            group = await find_group(connection, arguments.group)
            _answer(
                arguments,
                await user_groups.is_member(
                    connection, group_id=group.id, user_id=user.user_id, direct_only=False
                ),
            )
        else:
            record, answers = await _known(connection, user), await _answers_of(connection, user)
            if arguments.json:
                output.show(lines.of_record({**record, "profile": answers}))
                return
            for name, value in {**record, **answers}.items():
                if value not in ("", None, False):
                    lines.show_row((name, str(value)), {}, as_json=False)


def _answer(arguments: argparse.Namespace, is_in: bool) -> None:
    lines.show_row(["yes" if is_in else "no"], {"member": is_in}, as_json=arguments.json)


async def _answers_of(connection: Connection, user: User) -> Mapping[str, str]:
    """Return the values of custom profile fields by name."""
    if not user.profile_data:
        return {}
    fields = await profile_fields.fetch(connection)
    return {
        field.name: value.value
        for field in fields
        if (value := user.profile_data.get(field.id)) is not None and value.value
    }


async def _known(connection: Connection, user: User) -> Mapping[str, object]:
    status, seen = None, None
    with suppress(ApiRefused):  # bots have no status
        status = await statuses.get(connection, user_id=user.user_id)
    with suppress(ApiRefused):  # never seen, or keeps it private
        seen = await presence.get_user(connection, user_id=user.user_id)
    last = (seen or {}).get("aggregated")
    return {
        "id": user.user_id,
        "name": user.full_name,
        "email": user.delivery_email or user.email,
        "role": roles.name(user.role),
        "bot": user.is_bot,
        "deactivated": not user.is_active,
        "deleted": user.is_deleted,
        "timezone": user.timezone,
        "status": _status(status),
        "presence": last.status if last is not None else "",
        "last_seen": moment(last),
    }


def _status(status: UserStatus | None) -> str:
    if status is None:
        return ""
    emoji = f":{status.emoji_name}:" if status.emoji_name else ""
    return " ".join(filter(None, [emoji, status.status_text or ""]))


def moment(last: PresenceEntry | None) -> str:
    """Return when the person was last seen, in UTC; "" if unknown."""
    return "" if last is None else utc(last.timestamp).isoformat()
