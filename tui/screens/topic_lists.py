"""Loads the topics of channels when a channel is opened or a name is searched. Shows nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from textual.worker import Worker

from tui.api.model import ChannelId
from tui.errors import NO_VERDICT
from tui.narrow import ChannelNarrow, Narrow, TopicNarrow
from tui.screens.session import Session
from tui.sync.status import Live
from tui.view import topics

MOST: Final = 100
"""Channels whose topics are asked for at once; servers allow 200 requests in a minute."""


class TopicLists:
    """Each is asked for once; `run` does work in the background."""

    def __init__(self, session: Callable[[], Session], run: Callable[..., Worker[None]]) -> None:
        self._session = session
        self._run = run

    def follow(self, narrow: Narrow | None) -> None:
        """The sidebar shows those of the channel one is in; without a server, those that are known.

        To be called again when the server answers.
        """
        if not isinstance(narrow, ChannelNarrow | TopicNarrow):
            return
        if not isinstance(self._session().sync.status, Live):
            return
        if narrow.channel_id not in self._session().store.topics.complete:
            self._run(partial(self.load_quietly, narrow.channel_id), group="topics of this")

    async def load_quietly(self, channel_id: ChannelId) -> None:
        """As `load`; without a server, what is known has to do."""
        with suppress(*NO_VERDICT):  # told already; and asked for again when the server answers
            await self.load(channel_id)

    async def load_more(self, came: Callable[[], None] = lambda: None) -> None:
        """Load topics of `MOST` more channels; `came` is called after each."""
        channel_ids = topics.channels_to_load(self._session().store)[:MOST]
        await self._session().sync.history.topics_of(channel_ids, came)

    async def load(self, channel_id: ChannelId) -> None:
        """Ask for a channel's topics, unless they are all known. Raises ApiError."""
        if channel_id not in self._session().store.topics.complete:
            await self._session().sync.history.topics(channel_id)
