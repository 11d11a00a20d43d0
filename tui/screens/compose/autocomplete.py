"""Completions in the composer: when they appear, and the keys for them. Draws nothing itself.

Imported when the first text is typed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING

from tui.api.model import ChannelId
from tui.narrow import Narrow
from tui.screens.emoji import EmojiList
from tui.screens.session import Session
from tui.view.completions import Completion, completions, topic_begun
from tui.view.slash_commands import slash_commands
from tui.view.time_completions import time_completions

if TYPE_CHECKING:
    # Imported with the first completions.
    from tui.widgets.completion_list import CompletionList
    from tui.widgets.composer import Composer


class AutocompleteController:
    """Connects the composer with the list of completions."""

    def __init__(
        self,
        composer: Composer,
        shown: Callable[[], CompletionList],
        session: Callable[[], Session],
        emoji: EmojiList,
        zone: tzinfo | None,
        here: Callable[[], Narrow | None],
    ) -> None:
        """`shown` returns the list, which is mounted with the first completions; `here` the open narrow."""
        self._composer = composer
        self._shown = shown
        self._session = session
        self._emoji = emoji
        self._zone = zone
        self._here = here

    @property
    def wants_emoji(self) -> bool:
        """Whether the name of an emoji is being typed."""
        return self._composer.before_cursor.rsplit(" ", 1)[-1].startswith(":")

    @property
    def wants_topics(self) -> ChannelId | None:
        """The channel of a topic that is being typed, if not all of its topics are loaded; else None."""
        store = self._session().store
        begun = topic_begun(store, self._composer.before_cursor)
        if begun is None or begun.channel_id in store.topics.complete:
            return None
        return begun.channel_id

    def propose(self) -> None:
        """Show the completions for the text before the cursor."""
        before = self._composer.before_cursor
        if self._composer.cursor_location[0] == 0 and (commands := slash_commands(before)):
            self._offer(commands)
            return
        if times := time_completions(before, self._session().now(), self._zone):
            self._offer(times)
            return
        store = self._session().store
        self._offer(completions(store, before, self._emoji.having, self._here()))

    def key(self, what: str) -> None:
        """Handle a key that the composer left to the list of completions."""
        match what:
            case "up":
                self._shown().move(-1)
            case "down":
                self._shown().move(1)
            case "take":
                self._shown().choose()
            case _:
                self.close()

    def take(self, completion: Completion) -> None:
        """Insert the chosen completion."""
        self._composer.complete(completion.text, completion.replaces)
        self.close()

    def close(self) -> None:
        """Close the list of completions."""
        self._offer([])

    def _offer(self, proposals: list[Completion]) -> None:
        if proposals or self._composer.is_completing:
            self._shown().offer(proposals)
        self._composer.is_completing = bool(proposals)
