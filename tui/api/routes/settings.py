"""The user's settings, and the organization's. No state, no retries."""

from collections.abc import Mapping

from tui.api.connection import Connection
from tui.api.routes.channels import GroupChange


async def update(connection: Connection, *, changes: Mapping[str, bool | int | str]) -> None:
    """PATCH /settings: by the names of `UserSettings`, and `full_name`, `email`.

    A password takes `old_password` and `new_password`.
    """
    await connection.patch("/settings", changes)


async def update_defaults(
    connection: Connection, *, changes: Mapping[str, bool | int | str]
) -> None:
    """PATCH /realm/user_settings_defaults: default settings of new users, for administrators.

    By the names of `UserSettings`, without language and time zone (since level 96).
    """
    await connection.patch("/realm/user_settings_defaults", changes)


async def update_realm(
    connection: Connection, *, changes: Mapping[str, bool | int | str | GroupChange]
) -> None:
    """PATCH /realm: by the names of `RealmSettings`, for administrators."""
    await connection.patch("/realm", changes)
