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
"""Most channels whose topics are fetched at once; servers allow 200 requests in a minute."""


class TopicLists:
    """Loads each channel's topics once; `run` starts background work."""

    def __init__(self, session: Callable[[], Session], run: Callable[..., Worker[None]]) -> None:
        self._session = session
        self._run = run
        self._loading: tuple[ChannelId, Worker[None]] | None = None

    def follow(self, narrow: Narrow | None) -> None:
        """Load the topics of the open channel for the sidebar, where the server can be asked.

        To be called again when the server is back, and when topics change. A request that is on its way is
        awaited: where messages come faster than answers, no answer would ever be read.
        """
        if not isinstance(narrow, ChannelNarrow | TopicNarrow):
            return
        if not isinstance(self._session().sync.status, Live):
            return
        if narrow.channel_id in self._session().store.topics.complete or self._loads(
            narrow.channel_id
        ):
            return
        worker = self._run(partial(self.load_quietly, narrow.channel_id), group="topics of this")
        self._loading = narrow.channel_id, worker

    def _loads(self, channel_id: ChannelId) -> bool:
        if self._loading is None:
            return False
        loading_id, worker = self._loading
        return loading_id == channel_id and not worker.is_finished

    async def load_quietly(self, channel_id: ChannelId) -> None:
        """As `load`, but without an error while the server cannot be reached."""
        with suppress(*NO_VERDICT):  # reported already; asked again when the server is back
            await self.load(channel_id)

    async def load_more(self, came: Callable[[], None] = lambda: None) -> None:
        """Load the topics of up to `MOST` more channels; `came` is called after each."""
        channel_ids = topics.channels_to_load(self._session().store)[:MOST]
        await self._session().sync.history.topics_of(channel_ids, came)

    async def load(self, channel_id: ChannelId) -> None:
        """Load a channel's topics, unless all are loaded. Raises ApiError."""
        if channel_id not in self._session().store.topics.complete:
            await self._session().sync.history.topics(channel_id)
