"""Presence: reporting the user's, fetching others'. No state, no retries."""

from collections.abc import Mapping
from typing import Annotated, Literal

from tui.api.connection import Connection
from tui.api.model import Presence, UserId
from tui.api.wire import DefaultWhenMissing
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Presences:
    """Changes since the update that was asked for; ask with this ID next time."""

    presence_last_update_id: Annotated[int, DefaultWhenMissing(-1)]
    server_timestamp: float | None
    presences: Annotated[Mapping[UserId, Presence], DefaultWhenMissing({})]


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceEntry:
    """When a user was last seen, and their state."""

    timestamp: int
    status: Annotated[str, DefaultWhenMissing("active")]


async def update(
    connection: Connection,
    *,
    status: Literal["active", "idle"],
    new_user_input: bool,
    last_update_id: int,
    ping_only: bool,
) -> Presences:
    """POST /users/me/presence: report the user's presence; return others'. -1 asks for all users."""
    answer = await connection.post(
        "/users/me/presence",
        {
            "status": status,
            "new_user_input": new_user_input,
            "last_update_id": last_update_id,
            "ping_only": ping_only,
            "slim_presence": True,
        },
    )
    return answer.whole(Presences)


async def get_user(connection: Connection, *, user_id: UserId) -> Mapping[str, PresenceEntry]:
    """GET /users/{id}/presence: by client, `aggregated` for all. BAD_REQUEST: never seen."""
    answer = await connection.get(f"/users/{user_id}/presence", {})
    return answer.read("presence", dict[str, PresenceEntry])


async def get_realm(connection: Connection) -> Mapping[str, Mapping[str, PresenceEntry]]:
    """GET /realm/presence: all users by API email, each as in `get_user`."""
    answer = await connection.get("/realm/presence", {})
    return answer.read("presences", dict[str, dict[str, PresenceEntry]])
