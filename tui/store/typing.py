"""Who is typing where. No clock: who has one calls `expire`."""

from tui.api.model import UserId
from tui.narrow import Conversation


class TypingState:
    """People who type, by conversation; each with when `expire` first saw them."""

    def __init__(self) -> None:
        self._started: dict[tuple[Conversation, UserId], float | None] = {}

    def __bool__(self) -> bool:
        return bool(self._started)

    def people(self, conversation: Conversation) -> list[UserId]:
        """Who types there, who began first coming first."""
        return [user_id for where, user_id in self._started if where == conversation]

    def start(self, conversation: Conversation, user_id: UserId) -> None:
        """Somebody began, or goes on."""
        self._started[conversation, user_id] = None

    def stop(self, conversation: Conversation, user_id: UserId) -> bool:
        """Somebody stopped, or sent what they typed; False if they were not typing."""
        if (conversation, user_id) not in self._started:
            return False
        del self._started[conversation, user_id]
        return True

    def expire(self, now: float, period: float) -> frozenset[Conversation]:
        """Forget who was not heard of for `period` seconds; returns where that was."""
        silent = []
        for key, since in self._started.items():
            if since is None:
                self._started[key] = now
            elif now - since >= period:
                silent.append(key)
        for key in silent:
            del self._started[key]
        return frozenset(conversation for conversation, _ in silent)
