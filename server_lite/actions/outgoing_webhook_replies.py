"""Handles responses of outgoing webhooks: posts the answer, or notifies the bot's owner.

Checks whether the bot may post there.
"""

from collections.abc import Sequence
from typing import Final

from server_lite.access.message_validation import normalize_content
from server_lite.access.messages import visible_among
from server_lite.access.recipients import DirectRecipient, Kind, address
from server_lite.actions.messages import send_message
from server_lite.actions.polls_and_todos import check_widget
from server_lite.ids import MessageId, UserId
from server_lite.markup.urls import message_path
from server_lite.store import channels, conversations, messages, outgoing_webhooks, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.outgoing_webhooks import CallRow
from server_lite.store.users import NOTIFICATION_BOT, UserRow

CLIENT: Final = "OutgoingWebhook"


def answer(tx: Tx, call: CallRow, content: str, widget: str | None = None) -> None:
    """Post the program's answer in the conversation that called it, unless empty. Raises ApiError."""
    outgoing_webhooks.delete(tx, call.id)
    bot, row = users.by_id(tx, call.bot_id), messages.by_id(tx, call.message_id)
    if bot is None or row is None or not content.strip():
        return
    people: Sequence[UserId] = ()
    if row.conversation_id is not None:
        people = conversations.by_ids(tx, [row.conversation_id])[row.conversation_id].members
    kind: Kind = "direct" if people else "stream"
    to = str(list(people)) if people else str(row.channel_id)
    send_message(
        tx,
        bot,
        address(tx, bot, kind, to, row.topic),
        normalize_content(content),
        client=CLIENT,
        widget=check_widget(widget) if widget else None,
    )


def give_up(tx: Tx, call: CallRow, why: str) -> None:
    """Drop the call after its last failed attempt and notify the bot's owner."""
    outgoing_webhooks.delete(tx, call.id)
    bot, speaker = users.by_id(tx, call.bot_id), users.by_id(tx, NOTIFICATION_BOT)
    assert bot is not None
    assert speaker is not None
    owner = None if bot.bot_owner_id is None else users.by_id(tx, bot.bot_owner_id)
    if owner is None or not owner.is_active:
        return
    text = (
        f"Your bot @_**{bot.full_name}|{bot.id}** could not answer"
        f" {_link(tx, owner, call.message_id)}: {why}"
    )
    send_message(tx, speaker, DirectRecipient((speaker, owner)), text, client="Internal")


def _link(db: Db, reader: UserRow, message_id: MessageId) -> str:
    """Return a link to the message, or plain words if the reader may not read it."""
    row = messages.by_id(db, message_id)
    seen = row is not None and visible_among(db, reader, [message_id])
    channel = channels.by_id(db, row.channel_id) if seen and row and row.channel_id else None
    if row is None or channel is None:
        return "a message"
    return f"[a message]({message_path(channel.id, channel.name, row.topic, row.id)})"
