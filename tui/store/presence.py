"""When people were last seen; whether they are here now is up to callers with a clock. No I/O."""

from collections.abc import Mapping

from tui.api.model import Presence, UserId

JUMP_SECONDS = 10.0
"""What clocks differ by after one of them was set, and not because an answer was slow."""


class Presences:
    """The last reports of people's clients, by user; `last_update_id` is the start of the next request."""

    def __init__(self, presences: Mapping[UserId, Presence], last_update_id: int) -> None:
        self.by_user: dict[UserId, Presence] = dict(presences)
        self.last_update_id = last_update_id
        self.server_ahead = 0.0
        """Seconds by which the server's clock, which the reports have, is ahead of this machine's."""

    def compare_clocks(self, server_timestamp: float | None, now: float) -> frozenset[UserId]:
        """Take in the server's time, if it says one, at `now` here; return the users whose presence may differ."""
        before = self.server_ahead
        if server_timestamp is not None:
            self.server_ahead = server_timestamp - now
        jumped = abs(self.server_ahead - before) >= JUMP_SECONDS
        return frozenset(self.by_user) if jumped else frozenset()

    def update(self, presences: Mapping[UserId, Presence]) -> frozenset[UserId]:
        """Take in newer reports; return the users who changed. An older report never replaces a newer one."""
        changed = set()
        for user_id, news in presences.items():
            existing = self.by_user.get(user_id)
            if existing is not None:
                news = Presence(
                    active_timestamp=max(existing.active_timestamp, news.active_timestamp),
                    idle_timestamp=max(existing.idle_timestamp, news.idle_timestamp),
                )
            if news != existing:
                self.by_user[user_id] = news
                changed.add(user_id)
        return frozenset(changed)
