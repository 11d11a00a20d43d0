"""An entry of a message's edit history: a frozen type. No I/O, no pydantic."""

from typing import Annotated

from tui.api.model import ChannelId, UserId
from tui.api.wire import DefaultWhenMissing, Key
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """A message as it was after one edit; the first entry is the original."""

    user_id: UserId | None
    timestamp: int
    topic: Annotated[str, DefaultWhenMissing("")]
    prev_topic: str | None
    channel_id: Annotated[ChannelId | None, Key("stream")]
    prev_channel_id: Annotated[ChannelId | None, Key("prev_stream")]
    content: Annotated[str, DefaultWhenMissing("")]
    rendered_content: Annotated[str, DefaultWhenMissing("")]
    prev_content: str | None
    prev_rendered_content: str | None
    content_html_diff: str | None
