"""The user's flags on messages: read, starred, collapsed. No state, no retries."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from tui.api.connection import Connection
from tui.api.model import Anchor, ChannelId, MessageId
from tui.api.wire import ApiNarrow, DefaultWhenMissing, Key
from tui.dataclass import dataclass

FlagOp: TypeAlias = Literal["add", "remove"]
Ignored: TypeAlias = Annotated[
    tuple[ChannelId, ...], Key("ignored_because_not_subscribed_channels"), DefaultWhenMissing(())
]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatedFlags:
    """The changed messages; messages of unsubscribed channels cannot become unread."""

    message_ids: Annotated[tuple[MessageId, ...], Key("messages")]
    ignored_channel_ids: Ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatedRange:
    """The range of one step over a narrow; go on from the IDs until the end is found."""

    processed_count: int
    updated_count: int
    first_processed_id: MessageId | None
    last_processed_id: MessageId | None
    found_oldest: bool
    found_newest: bool
    ignored_channel_ids: Ignored


async def update(
    connection: Connection, *, message_ids: Sequence[MessageId], op: FlagOp, flag: str
) -> UpdatedFlags:
    """POST /messages/flags. Code BAD_REQUEST: users cannot set this flag."""
    answer = await connection.post(
        "/messages/flags", {"messages": message_ids, "op": op, "flag": flag}
    )
    return answer.whole(UpdatedFlags)


async def update_narrow(
    connection: Connection,
    *,
    narrow: ApiNarrow,
    anchor: Anchor,
    include_anchor: bool,
    num_before: int,
    num_after: int,
    op: FlagOp,
    flag: str,
) -> UpdatedRange:
    """POST /messages/flags/narrow: change the matching messages around an anchor."""
    answer = await connection.post(
        "/messages/flags/narrow",
        {
            "narrow": narrow,
            "anchor": anchor,
            "include_anchor": include_anchor,
            "num_before": num_before,
            "num_after": num_after,
            "op": op,
            "flag": flag,
        },
    )
    return answer.whole(UpdatedRange)


async def mark_all_as_read(connection: Connection) -> bool:
    """POST /mark_all_as_read: False if the server did not have time for all; call again."""
    answer = await connection.post("/mark_all_as_read", {})
    return answer.read_or("complete", bool, True)


async def mark_channel_as_read(connection: Connection, *, channel_id: ChannelId) -> None:
    """POST /mark_stream_as_read."""
    await connection.post("/mark_stream_as_read", {"stream_id": channel_id})
