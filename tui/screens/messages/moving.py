"""Moving messages and resolving topics: asks, carries out, explains failures. Draws nothing.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from tui.api.model import ChannelId, Message, MessageId
from tui.commands import messages
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused
from tui.keys import keyboard_of
from tui.narrow import ChannelNarrow, TopicNarrow, conversation_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.move import MoveDialog
from tui.screens.dialogs.question import Question
from tui.view import moves, names
from tui.view.moves import Move, Reach

TIME_LIMIT = "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"


class MoveController:
    """Carries out `m` and `t` on a message."""

    def __init__(self, context: AccountContext) -> None:
        self._context = context

    async def move(self, message_id: MessageId, *, reach: Reach = "change_one") -> None:
        """Ask for the destination and move the message there; `reach` is the scope selected at first."""
        message = self._in_channel(message_id)
        if message is None or message.channel_id is None:
            return
        session = self._context.session
        with self._context.hold_type_ahead("fetching the topics"):
            await self._know_topics(message.channel_id)
        here = Move(reach=reach, channel_id=ChannelId(message.channel_id), topic=message.topic)
        chosen_move = await self._context.ask(
            MoveDialog(
                here,
                self._channels(),
                longest=session.store.realm.limits.max_topic_length,
                summary=lambda move: moves.sentences(session.store, message, move),
                enter=self._know_topics,
                topics=self._topics,
            )
        )
        if chosen_move is not None:
            with self._context.undoing.begun():
                await self._do(message, chosen_move)

    async def resolve(self, message_id: MessageId) -> None:
        """Resolve or unresolve the topic of a message."""
        message = self._in_channel(message_id)
        if message is None:
            return
        resolved = not moves.topic_is_resolved(message.topic)
        if resolved and not message.topic:
            self._context.toast("Name the topic first (m) to resolve it.")
            return
        with self._context.undoing.begun():
            await self._resolve(message_id, resolved=resolved)

    async def _resolve(self, message_id: MessageId, *, resolved: bool) -> None:
        try:
            await messages.resolve(self._context.session.sync, message_id, resolved=resolved)
        except ApiRefused as error:
            if error.code != TIME_LIMIT:
                raise
            self._context.toast(moves.too_old(moves.left_movable(error.data)))
        else:
            undo = partial(
                messages.resolve, self._context.session.sync, message_id, resolved=not resolved
            )
            self._did("Topic resolved" if resolved else "Topic unresolved", undo)

    def _did(self, text: str, undo: Callable[[], Awaitable[object]]) -> None:
        self._context.undoing.did(text, undo)
        self._context.toast(f"{text} · {keyboard_of(self._context.app).key('app.undo')} to undo")

    def _in_channel(self, message_id: MessageId) -> Message | None:
        message = self._context.session.store.message(message_id)
        if message is not None and message.channel_id is None:
            self._context.toast("Direct messages cannot be moved.")
            return None
        return message

    def _channels(self) -> list[Choice[ChannelId]]:
        store = self._context.session.store
        return [
            Choice(
                value=channel.channel_id,
                label=names.narrow(store, ChannelNarrow(channel.channel_id)),
                weight=float(channel.channel_id in store.channels.subscribed),
            )
            for channel in store.channels.by_id.values()
            if not channel.is_archived
        ]

    def _topics(self, channel_id: ChannelId) -> list[str]:
        return [
            sanitize_line(each.name) for each in self._context.session.store.topics.of(channel_id)
        ]

    async def _know_topics(self, channel_id: ChannelId) -> None:
        session = self._context.session
        if channel_id not in session.store.topics.complete:
            await session.sync.history.topics(channel_id)

    async def _do(self, message: Message, move: Move) -> None:
        alone = (
            move.reach == "change_one"
            or moves.is_new_topic(self._context.session.store, move)
            or moves.is_respelling(message, move)
        )
        try:
            await self._request(message, message.id, move)
        except ApiRefused as error:
            if error.code != TIME_LIMIT:
                raise
            await self._move_the_rest(message, move, moves.left_movable(error.data))
        else:
            there = names.conversation(
                self._context.session.store, TopicNarrow(move.channel_id, move.topic)
            )
            if alone:
                self._did(f"Moved to {there}", partial(self._move_back, message, move))
            else:  # among messages that were there before, the moved ones cannot be told apart
                self._context.toast(f"Moved to {there}")

    async def _move_back(self, message: Message, moved: Move) -> None:
        elsewhere = moved.channel_id != message.channel_id
        await messages.move(
            self._context.session.sync,
            message.id,
            topic=message.topic if moved.topic != message.topic else None,
            channel_id=message.channel_id if elsewhere else None,
            propagate_mode=moved.reach,
            notify_new_topic=False,
        )
        # A notice may be left in the other topic, which then has not moved as a whole.
        if self._context.current_narrow == TopicNarrow(moved.channel_id, moved.topic):
            self._context.go(conversation_of(message), message.id)

    async def _move_the_rest(self, message: Message, move: Move, left: moves.Movable) -> None:
        text = moves.too_old(left)
        if not left.count or left.first is None or move.reach == "change_one":
            self._context.toast(text)
            return
        first = max(left.first, message.id) if move.reach == "change_later" else left.first
        if await self._context.ask(Question("Move the rest?", text, yes=f"Move {left.count}")):
            rest = Move(
                reach="change_later",
                channel_id=move.channel_id,
                topic=move.topic,
                tell_new=move.tell_new,
                tell_old=move.tell_old,
            )
            await self._request(message, first, rest)

    async def _request(self, message: Message, message_id: MessageId, move: Move) -> None:
        goes_elsewhere = move.channel_id != message.channel_id
        await messages.move(
            self._context.session.sync,
            message_id,
            topic=move.topic if move.topic != message.topic else None,
            channel_id=move.channel_id if goes_elsewhere else None,
            propagate_mode=move.reach,
            notify_old_topic=move.tell_old,
            notify_new_topic=move.tell_new,
        )
