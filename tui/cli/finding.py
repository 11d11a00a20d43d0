"""People, groups and channels by what somebody typed: a name, an address, a number. Asks the server."""

from tui.api.connection import Connection
from tui.api.model import ChannelId, User, UserGroup, UserId
from tui.api.routes import channels, user_groups, users
from tui.content.sanitise import sanitise_line
from tui.errors import ApiRefused, ConfigError


async def find_person(connection: Connection, wanted: str) -> User:
    """Whoever has this address, number or name. Raises ConfigError if nobody or several people do."""
    try:
        if "@" in wanted:
            return await users.get_by_email(connection, email=wanted, with_profile=True)
        if wanted.isascii() and wanted.isdecimal():
            user_id = UserId(int(wanted))
            return await users.get(connection, user_id=user_id, with_profile=True)
    except ApiRefused as error:
        raise _nobody(wanted) from error
    everybody = await users.fetch(connection, user_ids=None, with_profile=True)
    found = [each for each in everybody if each.full_name.casefold() == wanted.casefold()]
    if not found:
        raise _nobody(wanted)
    if len(found) > 1:
        addresses = ", ".join(sanitise_line(each.email) for each in found)
        raise ConfigError(f"several people are called “{sanitise_line(wanted)}”: {addresses}.")
    return found[0]


def _nobody(wanted: str) -> ConfigError:
    return ConfigError(f"there is nobody called “{sanitise_line(wanted)}” here.")


async def find_channel(connection: Connection, wanted: str) -> ChannelId:
    """The channel of this name, with or without its #. Raises ConfigError if there is none."""
    name = wanted.removeprefix("#").strip()
    try:
        return await channels.get_id(connection, name=name)
    except ApiRefused as error:
        raise ConfigError(f"there is no channel “{sanitise_line(name)}” here.") from error


async def find_group(connection: Connection, wanted: str) -> UserGroup:
    """The group of this name. Raises ConfigError if there is none."""
    groups = await user_groups.fetch(connection, include_deactivated=False)
    found = [each for each in groups if each.name.casefold() == wanted.lstrip("@").casefold()]
    if not found:
        raise ConfigError(f"there is no group “{sanitise_line(wanted)}” here.")
    return found[0]
