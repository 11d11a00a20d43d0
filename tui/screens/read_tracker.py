"""Which messages count as read: those that were on screen while the person looked. No widgets."""

from collections.abc import Callable, Hashable, Iterable

from tui.api.model import MessageId
from tui.narrow import DmNarrow, Narrow, TopicNarrow
from tui.screens.session import Session

ALWAYS, IN_CONVERSATIONS = 1, 2
"""The person's setting of when scrolling marks read; anything else is never."""


class ReadTracker:
    """Passes on what was seen, unless that is switched off or nobody looks."""

    def __init__(
        self, session: Callable[[], "Session"], *, looks: Callable[[], bool], marks_read: bool
    ) -> None:
        """`looks`: whether the person sees the account now, as far as the terminal says."""
        self._session = session
        self._looks = looks
        self.marks_read = marks_read
        self._paused = False

    def pause(self) -> None:
        """The person marked something unread: what is on screen stays so until they move on."""
        self._paused = True

    @property
    def is_paused(self) -> bool:
        """Whether what is on screen stays unread."""
        return self._paused

    def resume(self) -> None:
        """Another conversation is open, or the person moved."""
        self._paused = False

    def see(self, narrow: Narrow | None, keys: Iterable[Hashable]) -> None:
        """Rows were on screen."""
        if not (self.marks_read and self._looks() and not self._paused and self._wanted(narrow)):
            return
        ids = [MessageId(key) for key in keys if isinstance(key, int)]
        if ids:
            self._session().reading.add(ids)

    def _wanted(self, narrow: Narrow | None) -> bool:
        policy = self._session().store.settings.web_mark_read_on_scroll_policy
        if policy == ALWAYS:
            return True
        return policy == IN_CONVERSATIONS and isinstance(narrow, TopicNarrow | DmNarrow)
