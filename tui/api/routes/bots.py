"""Bots that the user owns, their API keys, and a bot's own storage. No state, no retries."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from tui.api.connection import Connection
from tui.api.form import as_json
from tui.api.model import UserId
from tui.api.organization import OwnBot
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBot:
    """A bot that was created, with its API key."""

    user_id: UserId
    api_key: str = field(repr=False)


async def fetch(connection: Connection) -> tuple[OwnBot, ...]:
    """GET /bots: return the user's bots."""
    answer = await connection.get("/bots", {})
    return answer.read("bots", tuple[OwnBot, ...])


async def create(
    connection: Connection,
    *,
    full_name: str,
    short_name: str,
    bot_type: int,
    payload_url: str | None = None,
    interface: int | None = None,
    service_name: str | None = None,
    config_data: Mapping[str, str] | None = None,
) -> NewBot:
    """POST /bots: 1 generic, 2 incoming webhook, 3 outgoing webhook (to the URL), 4 embedded (a service).

    `interface` 1 is the API's own format, 2 is Slack's.
    """
    answer = await connection.post(
        "/bots",
        {
            "full_name": full_name,
            "short_name": short_name,
            "bot_type": bot_type,
            "payload_url": as_json(payload_url),
            "interface_type": interface,
            "service_name": service_name,
            "config_data": as_json(config_data),
        },
    )
    return answer.whole(NewBot)


async def update(
    connection: Connection,
    *,
    bot_id: UserId,
    full_name: str | None = None,
    owner_id: UserId | None = None,
    payload_url: str | None = None,
    interface: int | None = None,
    config_data: Mapping[str, str] | None = None,
) -> None:
    """PATCH /bots/{id}: None keeps a value; options that `config_data` does not name stay."""
    await connection.patch(
        f"/bots/{bot_id}",
        {
            "full_name": full_name,
            "bot_owner_id": owner_id,
            "service_payload_url": as_json(payload_url),
            "service_interface": interface,
            "config_data": as_json(config_data),
        },
    )


async def deactivate(connection: Connection, *, bot_id: UserId) -> None:
    """DELETE /bots/{id}."""
    await connection.delete(f"/bots/{bot_id}", {})


async def get_api_key(connection: Connection, *, bot_id: UserId) -> str:
    """GET /bots/{id}/api_key (since level 463)."""
    answer = await connection.get(f"/bots/{bot_id}/api_key", {})
    return answer.read("api_key", str)


async def regenerate_api_key(connection: Connection, *, bot_id: UserId) -> str:
    """POST /bots/{id}/api_key/regenerate."""
    answer = await connection.post(f"/bots/{bot_id}/api_key/regenerate", {})
    return answer.read("api_key", str)


async def get_storage(connection: Connection, *, keys: Sequence[str] | None) -> Mapping[str, str]:
    """GET /bot_storage: all keys, or those. Code PERMISSION_DENIED: not a bot."""
    answer = await connection.get("/bot_storage", {"keys": keys})
    return answer.read("storage", dict[str, str])


async def update_storage(connection: Connection, *, storage: Mapping[str, str]) -> None:
    """PUT /bot_storage: other keys stay. Code PERMISSION_DENIED: not a bot."""
    await connection.put("/bot_storage", {"storage": storage})


async def delete_storage(connection: Connection, *, keys: Sequence[str] | None) -> None:
    """DELETE /bot_storage: all keys, or those."""
    await connection.delete("/bot_storage", {"keys": keys})
