"""Subscriptions to channels, and their settings. No state, no retries."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from tui.api.connection import Connection
from tui.api.model import ChannelId, UserId
from tui.api.wire import DefaultWhenMissing
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubscription:
    """A channel by its name; the description is for one that does not exist yet."""

    name: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribed:
    """Channels' names by user ID (by API email before level 289)."""

    subscribed: Mapping[str, tuple[str, ...]]
    already_subscribed: Mapping[str, tuple[str, ...]]
    unauthorized: Annotated[tuple[str, ...], DefaultWhenMissing(())]


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChange:
    """A field of `Subscription` with its new value; colors are `#76ce90`.

    None follows the general setting; servers that do not know that refuse it.
    """

    channel_id: ChannelId
    property: str
    value: bool | str | None


async def fetch_email_address(connection: Connection, *, channel_id: ChannelId) -> str | None:
    """GET /users/me/subscriptions: return the address whose mail becomes messages of a subscribed channel.

    Only before level 226; None if the server does not send it.
    """
    answer = await connection.get("/users/me/subscriptions", {})
    rows = answer.read("subscriptions", tuple[Mapping[str, object], ...])
    addresses = (row.get("email_address") for row in rows if row.get("stream_id") == channel_id)
    address = next(addresses, None)
    return address if isinstance(address, str) else None


async def add(
    connection: Connection,
    *,
    channels: Sequence[NewSubscription],
    user_ids: Sequence[UserId] | None,
    invite_only: bool,
    announce: bool,
    is_web_public: bool | None = None,
    history_public_to_subscribers: bool | None = None,
) -> Subscribed:
    """POST /users/me/subscriptions: subscribe the user, or others; missing channels are created."""
    answer = await connection.post(
        "/users/me/subscriptions",
        {
            "subscriptions": channels,
            "principals": user_ids,
            "invite_only": invite_only,
            "announce": announce,
            "is_web_public": is_web_public,
            "history_public_to_subscribers": history_public_to_subscribers,
        },
    )
    return answer.whole(Subscribed)


async def remove(
    connection: Connection, *, names: Sequence[str], user_ids: Sequence[UserId] | None
) -> tuple[str, ...]:
    """DELETE /users/me/subscriptions: return the channels left. Code: STREAM_DOES_NOT_EXIST."""
    answer = await connection.delete(
        "/users/me/subscriptions", {"subscriptions": names, "principals": user_ids}
    )
    return answer.read("removed", tuple[str, ...])


async def set_properties(connection: Connection, *, changes: Sequence[PropertyChange]) -> None:
    """POST /users/me/subscriptions/properties."""
    data = [
        {"stream_id": change.channel_id, "property": change.property, "value": change.value}
        for change in changes
    ]
    await connection.post("/users/me/subscriptions/properties", {"subscription_data": data})
