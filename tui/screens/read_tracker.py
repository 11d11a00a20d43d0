"""Marks messages as read that were on screen while the user looked. No widgets."""

from collections.abc import Callable, Hashable, Iterable

from tui.api.model import MessageId
from tui.narrow import DmNarrow, Narrow, Search, Starred, TopicNarrow
from tui.screens.session import Session

ALWAYS, IN_CONVERSATIONS = 1, 2
"""The values of the setting "mark messages as read on scroll"; any other is never."""


class ReadTracker:
    """Passes messages that were seen on to the session, unless that is off or the user is away."""

    def __init__(
        self, session: Callable[[], "Session"], *, looks: Callable[[], bool], marks_read: bool
    ) -> None:
        """`looks`: whether the user sees the account now, as far as the terminal says."""
        self._session = session
        self._looks = looks
        self.marks_read = marks_read
        self._paused = False

    def pause(self) -> None:
        """Stop after the user marked messages as unread: those on screen stay unread until they move on."""
        self._paused = True

    @property
    def is_paused(self) -> bool:
        """Whether messages on screen stay unread."""
        return self._paused

    def resume(self) -> None:
        """Go on, since another conversation is open, or the user moved the cursor."""
        self._paused = False

    def marks(self, narrow: Narrow | None) -> bool:
        """Whether messages of this narrow that are on screen are marked as read now."""
        return self.marks_read and self._looks() and not self._paused and self._wanted(narrow)

    def see(self, narrow: Narrow | None, keys: Iterable[Hashable]) -> frozenset[MessageId]:
        """Mark the messages of visible rows as read, if the settings allow; return those that were unread."""
        if not self.marks(narrow):
            return frozenset()
        ids = [MessageId(key) for key in keys if isinstance(key, int)]
        return self._session().reading.add(ids) if ids else frozenset()

    def _wanted(self, narrow: Narrow | None) -> bool:
        policy = self._session().store.settings.web_mark_read_on_scroll_policy
        if policy == ALWAYS:
            # Who looks something up skims the middle of many conversations, and has read none of them.
            return not isinstance(narrow, Search | Starred)
        return policy == IN_CONVERSATIONS and isinstance(narrow, TopicNarrow | DmNarrow)
