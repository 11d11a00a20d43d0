"""Finds people, groups and channels by name, part of a name, email address or ID.

Asks the server. Raises ConfigError where nothing matches, and BadNarrow where several things do.
"""

from collections.abc import Iterable

from tui.api.connection import Connection
from tui.api.model import ChannelId, User, UserGroup, UserId
from tui.api.routes import channels, user_groups, users
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused, ConfigError
from tui.narrow.naming import did_you_mean, matches, several
from tui.store.users import Users


async def find_person(connection: Connection, query: str) -> User:
    """Return the person with this email or ID, or whose name matches."""
    try:
        if "@" in query:
            return await users.get_by_email(connection, email=query, with_profile=True)
        if query.isascii() and query.isdecimal():
            user_id = UserId(int(query))
            return await users.get(connection, user_id=user_id, with_profile=True)
    except ApiRefused as error:
        raise _nobody(query) from error
    everybody = await users.fetch(connection, user_ids=None, with_profile=True)
    directory = Users(everybody)
    ids = directory.meant(query)
    if not ids:
        raise _nobody(query, everybody)
    if len(ids) > 1:
        raise several(
            "people",
            query,
            [f"{directory.by_id[i].full_name} ({directory.by_id[i].email})" for i in ids],
        )
    return directory.by_id[ids[0]]


def _nobody(query: str, everybody: Iterable[User] = ()) -> ConfigError:
    hint = did_you_mean(query, (each.full_name for each in everybody if each.is_active))
    return ConfigError(f"no person matches “{sanitize_line(query)}”.{hint}")


async def find_channel(connection: Connection, query: str) -> ChannelId:
    """Return the channel whose name matches, with or without its #."""
    name = query.removeprefix("#").strip()
    try:
        return await channels.get_id(connection, name=name)
    except ApiRefused as error:
        there = await channels.fetch(
            connection, include_public=True, include_subscribed=True, archived=False
        )
        ids = matches(name, ((each.channel_id, each.name) for each in there))
        if len(ids) > 1:
            names = [each.name for each in there if each.channel_id in ids]
            raise several("channels", name, names) from error
        if not ids:
            hint = did_you_mean(name, (each.name for each in there))
            raise ConfigError(f"no channel matches “{sanitize_line(name)}”.{hint}") from error
        return ids[0]


async def find_group(connection: Connection, query: str) -> UserGroup:
    """Return the group whose name matches."""
    groups = await user_groups.fetch(connection, include_deactivated=False)
    groups_named = matches(query.lstrip("@"), ((each, each.name) for each in groups))
    if not groups_named:
        hint = did_you_mean(query, (each.name for each in groups))
        raise ConfigError(f"no group matches “{sanitize_line(query)}”.{hint}")
    if len(groups_named) > 1:
        raise several("groups", query, [each.name for each in groups_named])
    return groups_named[0]
