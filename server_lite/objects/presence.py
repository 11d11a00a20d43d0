"""Presence in its two forms: timestamps by person, and a status per client as older programs read it."""

from typing import Literal

from typing_extensions import TypedDict

from server_lite.store.presence import OFFLINE_AFTER, PresenceRow
from server_lite.store.users import UserRow


class Timestamps(TypedDict):
    """When somebody last did something, and was last there, in UNIX seconds."""

    active_timestamp: int
    idle_timestamp: int


class Status(TypedDict):
    """The newer of both, as older programs read it."""

    status: Literal["active", "idle", "offline"]
    timestamp: int


class Aggregated(Status):
    """What all clients together say."""

    client: str


class Website(Aggregated):
    """What one client says."""

    pushable: bool


class LegacyPresence(TypedDict):
    """Both hold the same here."""

    website: Website
    aggregated: Aggregated


class LookedUp(TypedDict):
    """The same without the client."""

    website: Status
    aggregated: Status


def modern(row: PresenceRow, user: UserRow) -> Timestamps:
    """`{active_timestamp, idle_timestamp}`; who was never active counts as so when they joined."""
    active = user.date_joined if row.last_active is None else row.last_active
    return timestamps(active, row.last_connected)


def timestamps(active: float, connected: float) -> Timestamps:
    """The same of two moments in UNIX seconds."""
    return {"active_timestamp": int(active), "idle_timestamp": int(connected)}


def _status(row: PresenceRow) -> Status:
    """`active` if the keyboard was used shortly before the last sign of life."""
    active = row.last_active
    if active is not None and row.last_connected - active <= OFFLINE_AFTER:
        return {"status": "active", "timestamp": int(active)}
    return {"status": "idle", "timestamp": int(row.last_connected)}


def website(row: PresenceRow) -> Website:
    """What the one client that is told of says."""
    return {"client": "website", **_status(row), "pushable": False}


def legacy(row: PresenceRow) -> LegacyPresence:
    """`{website, aggregated}`, which hold the same."""
    return {"website": website(row), "aggregated": {"client": "website", **_status(row)}}


def of_one(row: PresenceRow, now: float) -> LookedUp:
    """The same for one person who is looked up: without the client, and `offline` when long gone."""
    status = _status(row)
    if now - status["timestamp"] > OFFLINE_AFTER:
        status["status"] = "offline"
    return {"aggregated": status, "website": status}
