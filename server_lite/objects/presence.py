"""Presence in two formats: timestamps by user, and a status per client for older programs."""

from typing import Literal

from typing_extensions import TypedDict

from server_lite.store.presence import OFFLINE_AFTER, PresenceRow
from server_lite.store.users import UserRow


class Timestamps(TypedDict):
    """When a user was last active, and last connected, in UNIX seconds."""

    active_timestamp: int
    idle_timestamp: int


class Status(TypedDict):
    """The newer of both, for older programs."""

    status: Literal["active", "idle", "offline"]
    timestamp: int


class Aggregated(Status):
    """The status over all clients."""

    client: str


class Website(Aggregated):
    """The status of one client."""

    pushable: bool


class LegacyPresence(TypedDict):
    """The same status twice, as there is only one client."""

    website: Website
    aggregated: Aggregated


class LookedUp(TypedDict):
    """Presence of a single user, without the client."""

    website: Status
    aggregated: Status


def modern(row: PresenceRow, user: UserRow) -> Timestamps:
    """Return `{active_timestamp, idle_timestamp}`; a user never active counts as active when they joined."""
    active = user.date_joined if row.last_active is None else row.last_active
    return timestamps(active, row.last_connected)


def timestamps(active: float, connected: float) -> Timestamps:
    """Return the Timestamps of two times in UNIX seconds."""
    return {"active_timestamp": int(active), "idle_timestamp": int(connected)}


def _status(row: PresenceRow) -> Status:
    """Return `active` if the user was active shortly before the last report."""
    active = row.last_active
    if active is not None and row.last_connected - active <= OFFLINE_AFTER:
        return {"status": "active", "timestamp": int(active)}
    return {"status": "idle", "timestamp": int(row.last_connected)}


def website(row: PresenceRow) -> Website:
    """Return the status of the single client."""
    return {"client": "website", **_status(row), "pushable": False}


def legacy(row: PresenceRow) -> LegacyPresence:
    """Return `{website, aggregated}`, both with the same status."""
    return {"website": website(row), "aggregated": {"client": "website", **_status(row)}}


def of_one(row: PresenceRow, now: float) -> LookedUp:
    """Return the presence of a single user: without the client, and `offline` after a while."""
    status = _status(row)
    if now - status["timestamp"] > OFFLINE_AFTER:
        status["status"] = "offline"
    return {"aggregated": status, "website": status}
