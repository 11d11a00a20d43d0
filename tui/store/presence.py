"""When people were last seen; whether they are here now is for who has a clock. No I/O."""

from collections.abc import Mapping

from tui.api.model import Presence, UserId


class Presences:
    """When people's clients last reported, by user; `last_update_id` is where to ask on."""

    def __init__(self, presences: Mapping[UserId, Presence], last_update_id: int) -> None:
        self.by_user: dict[UserId, Presence] = dict(presences)
        self.last_update_id = last_update_id

    def update(self, presences: Mapping[UserId, Presence]) -> frozenset[UserId]:
        """Newer reports; returns whose changed. An older one never replaces a newer."""
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
