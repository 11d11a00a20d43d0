"""Typing notices. No clock: callers with one call `expire`."""

from tui.api.model import UserId
from tui.narrow import Conversation


class TypingState:
    """The people who type, by conversation; each with the time when `expire` first saw them."""

    def __init__(self) -> None:
        self._started: dict[tuple[Conversation, UserId], float | None] = {}

    def __bool__(self) -> bool:
        return bool(self._started)

    def people(self, conversation: Conversation) -> list[UserId]:
        """Return the people who type in a conversation, in the order in which they began."""
        return [user_id for where, user_id in self._started if where == conversation]

    def start(self, conversation: Conversation, user_id: UserId) -> None:
        """Note that a person types."""
        self._started[conversation, user_id] = None

    def stop(self, conversation: Conversation, user_id: UserId) -> bool:
        """Remove a person who stopped typing, or sent the message; False if they were not typing."""
        if (conversation, user_id) not in self._started:
            return False
        del self._started[conversation, user_id]
        return True

    def expire(self, now: float, period: float) -> frozenset[Conversation]:
        """Remove people without a notice for `period` seconds; return their conversations."""
        silent = []
        for key, since in self._started.items():
            if since is None:
                self._started[key] = now
            elif now - since >= period:
                silent.append(key)
        for key in silent:
            del self._started[key]
        return frozenset(conversation for conversation, _ in silent)
