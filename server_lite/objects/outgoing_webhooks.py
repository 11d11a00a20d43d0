"""The payload of an outgoing webhook: JSON, or a form in Slack's format. Reads only."""

from collections.abc import Mapping
from typing import Final

from server_lite.objects.messages import base_objects
from server_lite.objects.users import api_email
from server_lite.store import channels, realm, users
from server_lite.store.connection import Db
from server_lite.store.messages import MessageRow
from server_lite.store.outgoing_webhooks import Trigger
from server_lite.store.users import UserRow

GENERIC: Final = 1
SLACK: Final = 2
"""Values of a bot's `interface`."""


def payload(
    db: Db, bot: UserRow, row: MessageRow, trigger: Trigger, token: str
) -> dict[str, object]:
    """Return the API's JSON: the message with its place and sender, and why the bot is called."""
    (base,) = base_objects(db, [row])
    called = {"trigger_word": row.content.split()[0]} if trigger == "trigger_word" else {}
    return {
        **called,
        "bot_email": api_email(bot, realm.domain(db)),
        "bot_full_name": bot.full_name,
        "data": row.content,
        "message": {
            **base,
            "subject": row.topic,
            "content": row.content,
            "rendered_content": row.rendered,
            "content_type": "text/x-markdown",
        },
        "token": token,
        "trigger": trigger,
    }


def slack_form(
    db: Db, bot: UserRow, row: MessageRow, trigger: Trigger, token: str
) -> Mapping[str, str]:
    """Return the form for programs written for Slack; direct messages get a channel of their own."""
    channel = None if row.channel_id is None else channels.by_id(db, row.channel_id)
    sender = users.by_id(db, row.sender_id)
    assert sender is not None
    return {
        "token": token,
        "team_id": "T1",
        "team_domain": realm.domain(db),
        "channel_id": "D" if channel is None else f"C{channel.id}",
        "channel_name": "directmessage" if channel is None else channel.name,
        "thread_ts": str(row.timestamp),
        "timestamp": str(row.timestamp),
        "user_id": f"U{sender.id}",
        "user_name": sender.full_name,
        "text": row.content,
        "trigger_word": row.content.split()[0] if trigger == "trigger_word" else trigger,
        "service_id": str(bot.id),
    }
