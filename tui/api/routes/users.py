"""People and bots: fetching and administering them. No state, no retries."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from tui.api.connection import Connection
from tui.api.model import ChannelId, ProfileFieldId, User, UserId
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnUser:
    """The user of the API key."""

    user_id: UserId
    email: str
    full_name: str


async def fetch(
    connection: Connection, *, user_ids: Sequence[UserId] | None, with_profile: bool
) -> tuple[User, ...]:
    """GET /users: return all users, or these (since level 384; older servers return all)."""
    answer = await connection.get(
        "/users",
        {
            "client_gravatar": True,
            "include_custom_profile_fields": with_profile,
            "user_ids": user_ids,
        },
    )
    return answer.read("members", tuple[User, ...])


async def get(connection: Connection, *, user_id: UserId, with_profile: bool) -> User:
    """GET /users/{id}. ApiRefused code BAD_REQUEST: it does not exist, or is not visible."""
    answer = await connection.get(
        f"/users/{user_id}",
        {"client_gravatar": True, "include_custom_profile_fields": with_profile},
    )
    return answer.read("user", User)


async def get_by_email(connection: Connection, *, email: str, with_profile: bool) -> User:
    """GET /users/{email}."""
    answer = await connection.get(
        f"/users/{quote(email, safe='@')}",
        {"client_gravatar": True, "include_custom_profile_fields": with_profile},
    )
    return answer.read("user", User)


async def get_own(connection: Connection) -> OwnUser:
    """GET /users/me. ApiRefused code UNAUTHORIZED: the API key is not valid."""
    answer = await connection.get("/users/me", {})
    return answer.whole(OwnUser)


async def create(connection: Connection, *, email: str, password: str, full_name: str) -> UserId:
    """POST /users: for administrators. BAD_REQUEST: the email address is taken."""
    answer = await connection.post(
        "/users", {"email": email, "password": password, "full_name": full_name}
    )
    return answer.read("user_id", UserId)


async def update(
    connection: Connection,
    *,
    user_id: UserId,
    full_name: str | None = None,
    role: int | None = None,
    new_email: str | None = None,
    profile_data: Mapping[ProfileFieldId, str | Sequence[UserId]] | None = None,
) -> None:
    """PATCH /users/{id}: for administrators; None keeps a value, a profile value of "" deletes it."""
    await connection.patch(
        f"/users/{user_id}",
        {
            "full_name": full_name,
            "role": role,
            "new_email": new_email,
            "profile_data": None if profile_data is None else _answers(profile_data),
        },
    )


async def deactivate(connection: Connection, *, user_id: UserId) -> None:
    """DELETE /users/{id}: for administrators."""
    await connection.delete(f"/users/{user_id}", {})


async def deactivate_own(connection: Connection) -> None:
    """DELETE /users/me. ApiRefused code: CANNOT_DEACTIVATE_LAST_USER."""
    await connection.delete("/users/me", {})


async def reactivate(connection: Connection, *, user_id: UserId) -> None:
    """POST /users/{id}/reactivate: for administrators."""
    await connection.post(f"/users/{user_id}/reactivate", {})


async def list_channels(connection: Connection, *, user_id: UserId) -> frozenset[ChannelId]:
    """GET /users/{id}/channels: return the channels of theirs visible to the user (since level 440)."""
    answer = await connection.get(f"/users/{user_id}/channels", {})
    return answer.read("subscribed_channel_ids", frozenset[ChannelId])


async def is_subscribed(connection: Connection, *, user_id: UserId, channel_id: ChannelId) -> bool:
    """GET /users/{id}/subscriptions/{id}."""
    answer = await connection.get(f"/users/{user_id}/subscriptions/{channel_id}", {})
    return answer.read("is_subscribed", bool)


async def set_profile_data(
    connection: Connection, *, data: Mapping[ProfileFieldId, str | Sequence[UserId]]
) -> None:
    """PATCH /users/me/profile_data: set the user's own values; fields of people take a list."""
    await connection.patch("/users/me/profile_data", {"data": _answers(data)})


def _answers(
    data: Mapping[ProfileFieldId, str | Sequence[UserId]],
) -> list[dict[str, str | int | Sequence[UserId]]]:
    return [{"id": field_id, "value": value} for field_id, value in data.items()]


async def remove_profile_data(
    connection: Connection, *, field_ids: Sequence[ProfileFieldId]
) -> None:
    """DELETE /users/me/profile_data."""
    await connection.delete("/users/me/profile_data", {"data": field_ids})
