"""People's presence at a given time. Pure."""

from typing import Literal, TypeAlias

from tui.api.model import UserId
from tui.store.store import Store

PresenceState: TypeAlias = Literal["active", "idle", "offline", "bot"]


def presence(store: Store, user_id: UserId, now: float) -> PresenceState:
    """Return the presence; active: used a client just now; idle: has one open. `now` in UNIX seconds, here."""
    if user_id == store.self_id:
        return "active"
    user = store.users.get(user_id)
    if user is not None and user.is_bot:
        return "bot"
    seen = store.presences.by_user.get(user_id)
    if seen is None:
        return "offline"
    server_now = now + store.presences.server_ahead
    oldest = server_now - store.realm.limits.presence_offline_threshold_seconds
    if seen.active_timestamp >= oldest:
        return "active"
    return "idle" if seen.idle_timestamp >= oldest else "offline"
