"""`chinwag groups`: the groups of people, or who is in one. Asks for no more than that."""

import argparse
import asyncio

from tui.api.routes import user_groups, users
from tui.cli import lines
from tui.cli.account import asking
from tui.cli.finding import find_group
from tui.config import Folders


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Name, how many are in it, what it is for; with a name the people in that group."""
    asyncio.run(_one(arguments, here) if arguments.name else _all(arguments, here))
    return 0


async def _all(arguments: argparse.Namespace, here: Folders) -> None:
    async with asking(arguments, here) as connection:
        groups = await user_groups.fetch(connection, include_deactivated=False)
    for group in sorted(groups, key=lambda each: (each.is_system_group, each.name.casefold())):
        record = {
            "id": group.id,
            "name": group.name,
            "description": group.description,
            "members": sorted(group.members),
            "subgroups": sorted(group.direct_subgroup_ids),
            "built_in": group.is_system_group,
        }
        columns = (group.name, str(len(group.members)), group.description)
        lines.show_row(columns, record, as_json=arguments.json)


async def _one(arguments: argparse.Namespace, here: Folders) -> None:
    async with asking(arguments, here) as connection:
        group = await find_group(connection, arguments.name)
        members = await user_groups.list_members(connection, group_id=group.id, direct_only=False)
        people = await users.fetch(connection, user_ids=sorted(members), with_profile=False)
    for user in sorted(people, key=lambda each: each.full_name.casefold()):
        if user.user_id in members:
            email = user.delivery_email or user.email
            record = {"id": user.user_id, "name": user.full_name, "email": email}
            lines.show_row((user.full_name, email), record, as_json=arguments.json)
