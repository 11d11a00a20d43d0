"""`chinwag groups`: the user groups, or the members of one. Fetches no more than that."""

import argparse
import asyncio
from collections.abc import Mapping

from tui.api.model import UserGroup, UserGroupId, UserId
from tui.api.routes import user_groups, users
from tui.cli import lines
from tui.cli.account import asking
from tui.cli.resolve import find_group
from tui.config import Folders


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Print name, size and description of each group; with a name the members of that group."""
    asyncio.run(_one(arguments, here) if arguments.name else _all(arguments, here))
    return 0


async def _all(arguments: argparse.Namespace, here: Folders) -> None:
    async with asking(arguments, here) as connection:
        groups = await user_groups.fetch(connection, include_deactivated=False)
    by_id = {group.id: group for group in groups}
    for group in sorted(groups, key=lambda each: (each.is_system_group, each.name.casefold())):
        record = {
            "id": group.id,
            "name": group.name,
            "description": group.description,
            "members": sorted(group.members),
            "subgroups": sorted(group.direct_subgroup_ids),
            "built_in": group.is_system_group,
        }
        columns = (group.name, str(_size(group, by_id)), group.description)
        lines.show_row(columns, record, as_json=arguments.json)


def _size(group: UserGroup, by_id: Mapping[UserGroupId, UserGroup]) -> int:
    """Return how many people are in the group, those of its subgroups too."""
    seen, waiting = {group.id}, [group]
    people: set[UserId] = set()
    while waiting:
        one = waiting.pop()
        people |= one.members
        inside = one.direct_subgroup_ids - seen
        seen |= inside
        waiting += [by_id[each] for each in inside if each in by_id]
    return len(people)


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
