"""Queues calls of outgoing webhooks: recorded with the message, started, retried.

Makes no call itself. Checks only whether the bot may read the message.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from server_lite.access.bots import trigger_word_of
from server_lite.access.channel_audience import who_may_read
from server_lite.access.messages import visible_among
from server_lite.ids import MessageId, UserId
from server_lite.store import bots, messages, outgoing_webhooks, settings, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.outgoing_webhooks import CallRow, Trigger
from server_lite.store.users import UserRow

SWITCH: Final = "outgoing_webhooks"
IN_CASE_OF_A_CRASH: Final = 60.0
"""Seconds after which a call that was started and not finished, as after a crash, is retried."""


def switch(tx: Tx, *, is_on: bool) -> None:
    """Set whether this run of the server makes calls; pending calls are dropped when it does not."""
    settings.store(tx, SWITCH, is_on)
    if not is_on:
        outgoing_webhooks.delete_all(tx)


def note(
    tx: Tx,
    sender: UserRow,
    message_id: MessageId,
    *,
    channel: ChannelRow | None,
    content: str,
    mentioned: Collection[UserId],
    participants: Collection[UserId],
) -> None:
    """Queue calls for a new message.

    Called are bots mentioned by name, bots in its direct conversation, and in a channel bots whose trigger word
    starts the message. Messages of bots trigger no call, so that two bots cannot answer each other forever.
    """
    called = mentioned if channel is not None else participants
    word = "" if channel is None else trigger_word_of(content)
    if sender.is_bot or not (called or word) or not settings.value(tx, SWITCH, False):
        return
    calls: dict[UserId, Trigger] = {}
    if word:
        calls |= dict.fromkeys(
            outgoing_webhooks.webhooks_among(tx, tx.cached(_by_word).get(word, ())), "trigger_word"
        )
    trigger: Trigger = "direct_message" if channel is None else "mention"
    calls |= dict.fromkeys(outgoing_webhooks.webhooks_among(tx, called), trigger)
    if calls and channel is not None:
        readers = who_may_read(tx, channel)
        calls = {bot_id: why for bot_id, why in calls.items() if bot_id in readers}
    outgoing_webhooks.insert_all(tx, message_id, calls, due=tx.now)


def _by_word(db: Db) -> dict[str, list[UserId]]:
    """Return IDs of bots, active or not, by trigger word."""
    by_word: defaultdict[str, list[UserId]] = defaultdict(list)
    for words, bot_ids in bots.by_trigger_words(db):
        for word in words:
            by_word[word] += bot_ids
    return dict(by_word)


def begin(tx: Tx, call: CallRow) -> tuple[UserRow, MessageRow] | None:
    """Return bot and message of a call to make now; if either is unavailable, drop it and return None."""
    bot = users.by_id(tx, call.bot_id)
    row = messages.by_id(tx, call.message_id)
    if bot is None or not bot.is_active or row is None or not visible_among(tx, bot, [row.id]):
        outgoing_webhooks.delete(tx, call.id)
        return None
    outgoing_webhooks.put_off(
        tx, call.id, attempts=call.attempts + 1, due=tx.now + IN_CASE_OF_A_CRASH
    )
    return bot, row


def retry(tx: Tx, call: CallRow, after: float) -> None:
    """Retry the call after this many seconds."""
    outgoing_webhooks.put_off(tx, call.id, attempts=call.attempts + 1, due=tx.now + after)
