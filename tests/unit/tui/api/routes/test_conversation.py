"""What the conversation's routes send, and what they make of the answer. No sockets."""

import pytest

from tests import eg
from tests.unit.tui.api.routes.cases import (
    CHANNEL,
    MARY,
    ME,
    MESSAGE,
    PEOPLE,
    TOPIC,
    Case,
    case,
    check,
)
from tui.api.encode import encode
from tui.api.events import HeartbeatEvent
from tui.api.history import HistoryEntry
from tui.api.model import (
    EventId,
    LocalId,
    MessageId,
    QueueId,
)
from tui.api.organization import ServerSettings
from tui.api.routes import (
    credentials,
    flags,
    messages,
    queues,
    reactions,
    server,
    submessages,
    typing,
)

NARROW = [{"operator": "is", "operand": "dm", "negated": False}]
NARROW_TEXT = '[{"operator":"is","operand":"dm","negated":false}]'
KEY = credentials.ApiKey(api_key="k", email="e", user_id=ME)
FETCHED = {"messages": [encode(eg.message(5))], "found_newest": True, "anchor": 5}

CASES = [
    # The server, signing in, the queue
    case(
        lambda c: server.settings(c),
        "GET /server_settings",
        {},
        {"zulip_feature_level": 218, "zulip_version": "8.0"},
        eg.make(ServerSettings, feature_level=218, version="8.0"),
    ),
    case(
        lambda c: credentials.fetch_api_key(c, username="e", password="p w"),
        "POST /fetch_api_key",
        {"username": "e", "password": "p w"},
        {"api_key": "k", "email": "e", "user_id": 1},
        KEY,
    ),
    case(
        lambda c: credentials.dev_fetch_api_key(c, username="e"),
        "POST /dev_fetch_api_key",
        {"username": "e"},
        {"api_key": "k", "email": "e", "user_id": 1},
        KEY,
    ),
    case(
        lambda c: credentials.jwt_fetch_api_key(c, token="t"),
        "POST /jwt/fetch_api_key",
        {"token": "t", "include_profile": "true"},
        {"api_key": "k", "email": "e", "user": {"user_id": 1, "role": 400}},
        KEY,
    ),
    case(
        lambda c: credentials.regenerate_api_key(c),
        "POST /users/me/api_key/regenerate",
        {},
        {"api_key": "new"},
        "new",
    ),
    case(
        lambda c: queues.get_events(
            c,
            queue_id=QueueId("q"),
            last_event_id=EventId(-1),
            longpoll_timeout_seconds=90,
            dont_block=False,
        ),
        "GET /events",
        {"queue_id": "q", "last_event_id": "-1"},
        {"events": [{"type": "heartbeat", "id": 4}]},
        (eg.event(HeartbeatEvent, 4),),
    ),
    case(
        lambda c: queues.delete_queue(c, queue_id=QueueId("q")), "DELETE /events", {"queue_id": "q"}
    ),
    # Messages
    case(
        lambda c: messages.send(
            c,
            destination=TOPIC,
            content="hi",
            queue_id=QueueId("q"),
            local_id=LocalId("1"),
            idempotency_key="k",
        ),
        "POST /messages",
        {
            "type": "stream",
            "to": "9",
            "topic": "tea",
            "content": "hi",
            "queue_id": "q",
            "local_id": "1",
            "read_by_sender": "true",
        },
        {"id": 5},
        messages.SentMessage(id=MESSAGE, automatic_new_visibility_policy=None),
    ),
    case(
        lambda c: messages.send(
            c, destination=PEOPLE, content="hi", queue_id=None, local_id=None, idempotency_key=None
        ),
        "POST /messages",
        {"type": "direct", "to": "[1,2]", "content": "hi", "read_by_sender": "true"},
        {"id": 5, "automatic_new_visibility_policy": 3},
        messages.SentMessage(id=MESSAGE, automatic_new_visibility_policy=3),
    ),
    case(
        lambda c: messages.fetch(
            c,
            narrow=NARROW,
            anchor="first_unread",
            include_anchor=True,
            num_before=10,
            num_after=20,
            apply_markdown=True,
        ),
        "GET /messages",
        {
            "narrow": NARROW_TEXT,
            "anchor": "first_unread",
            "include_anchor": "true",
            "num_before": "10",
            "num_after": "20",
            "apply_markdown": "true",
            "client_gravatar": "true",
            "allow_empty_topic_name": "true",
        },
        FETCHED,
        eg.make(messages.FetchedMessages, anchor=5, found_newest=True, messages=(eg.message(5),)),
    ),
    case(
        lambda c: messages.first_since(c, narrow=NARROW, moment="2026-11-20T23:00:00+00:00"),
        "GET /messages",
        {
            "narrow": NARROW_TEXT,
            "anchor": "date",
            "anchor_date": "2026-11-20T23:00:00+00:00",
            "num_before": "0",
            "num_after": "0",
            "client_gravatar": "true",
            "allow_empty_topic_name": "true",
        },
        FETCHED,
        MessageId(5),
    ),
    case(
        lambda c: messages.fetch_by_id(c, message_ids=[MESSAGE], apply_markdown=False),
        "GET /messages",
        {
            "message_ids": "[5]",
            "apply_markdown": "false",
            "client_gravatar": "true",
            "allow_empty_topic_name": "true",
        },
        FETCHED,
        (eg.message(5),),
    ),
    case(
        lambda c: messages.get(c, message_id=MESSAGE, apply_markdown=False),
        "GET /messages/5",
        {"apply_markdown": "false", "allow_empty_topic_name": "true"},
        {"message": encode(eg.message(5)), "raw_content": "hello"},
        eg.message(5),
    ),
    case(
        lambda c: messages.edit(c, message_id=MESSAGE, content="ho", prev_content_sha256="ab"),
        "PATCH /messages/5",
        {"content": "ho", "prev_content_sha256": "ab"},
        {},
        (),
    ),
    case(
        lambda c: messages.move(
            c,
            message_id=MESSAGE,
            topic="",
            channel_id=CHANNEL,
            propagate_mode="change_later",
            notify_old_topic=False,
            notify_new_topic=True,
        ),
        "PATCH /messages/5",
        {
            "topic": "",
            "stream_id": "9",
            "propagate_mode": "change_later",
            "send_notification_to_old_thread": "false",
            "send_notification_to_new_thread": "true",
        },
    ),
    case(lambda c: messages.delete(c, message_id=MESSAGE), "DELETE /messages/5"),
    case(
        lambda c: messages.history(c, message_id=MESSAGE),
        "GET /messages/5/history",
        {"allow_empty_topic_name": "true"},
        {"message_history": [{"timestamp": 3, "user_id": 1, "content": "x"}]},
        (eg.make(HistoryEntry, timestamp=3, user_id=ME, content="x"),),
    ),
    case(
        lambda c: messages.render(c, content="*x*"),
        "POST /messages/render",
        {"content": "*x*"},
        {"rendered": "<p>"},
        "<p>",
    ),
    case(
        lambda c: messages.read_receipts(c, message_id=MESSAGE),
        "GET /messages/5/read_receipts",
        {},
        {"user_ids": [2, 1]},
        frozenset({ME, MARY}),
    ),
    case(
        lambda c: messages.matches_narrow(c, message_ids=[MESSAGE, MessageId(6)], narrow=NARROW),
        "GET /messages/matches_narrow",
        {"msg_ids": "[5,6]", "narrow": NARROW_TEXT},
        {"messages": {"5": {}}},
        frozenset({MESSAGE}),
    ),
    case(
        lambda c: messages.report(c, message_id=MESSAGE, report_type="spam", description=None),
        "POST /messages/5/report",
        {"report_type": "spam"},
    ),
    # Flags, reactions, widgets, typing
    case(
        lambda c: flags.update(c, message_ids=[MESSAGE], op="add", flag="read"),
        "POST /messages/flags",
        {"messages": "[5]", "op": "add", "flag": "read"},
        {"messages": [5]},
        flags.UpdatedFlags(message_ids=(MESSAGE,), ignored_channel_ids=()),
    ),
    case(
        lambda c: flags.update_narrow(
            c,
            narrow=NARROW,
            anchor=MESSAGE,
            include_anchor=False,
            num_before=0,
            num_after=1000,
            op="remove",
            flag="read",
        ),
        "POST /messages/flags/narrow",
        {
            "narrow": NARROW_TEXT,
            "anchor": "5",
            "include_anchor": "false",
            "num_before": "0",
            "num_after": "1000",
            "op": "remove",
            "flag": "read",
        },
        {
            "processed_count": 2,
            "updated_count": 1,
            "first_processed_id": 6,
            "last_processed_id": None,
            "found_oldest": False,
            "found_newest": True,
            "ignored_because_not_subscribed_channels": [9],
        },
        flags.UpdatedRange(
            processed_count=2,
            updated_count=1,
            first_processed_id=MessageId(6),
            last_processed_id=None,
            found_oldest=False,
            found_newest=True,
            ignored_channel_ids=(CHANNEL,),
        ),
    ),
    case(
        lambda c: flags.mark_all_as_read(c),
        "POST /mark_all_as_read",
        {},
        {"complete": False},
        False,
    ),
    case(
        lambda c: flags.mark_channel_as_read(c, channel_id=CHANNEL),
        "POST /mark_stream_as_read",
        {"stream_id": "9"},
    ),
    case(
        lambda c: reactions.add(
            c,
            message_id=MESSAGE,
            emoji_name="+1",
            emoji_code="1f44d",
            reaction_type="unicode_emoji",
        ),
        "POST /messages/5/reactions",
        {"emoji_name": "+1", "emoji_code": "1f44d", "reaction_type": "unicode_emoji"},
    ),
    case(
        lambda c: reactions.remove(
            c,
            message_id=MESSAGE,
            emoji_name="zulip",
            emoji_code="zulip",
            reaction_type="service_extra_emoji",
        ),
        "DELETE /messages/5/reactions",
        {"emoji_name": "zulip"},
    ),
    case(
        lambda c: submessages.send(c, message_id=MESSAGE, content="{}"),
        "POST /submessage",
        {"message_id": "5", "msg_type": "widget", "content": "{}"},
    ),
    case(
        lambda c: typing.set_status(c, destination=TOPIC, op="start"),
        "POST /typing",
        {"type": "stream", "stream_id": "9", "topic": "tea", "op": "start"},
    ),
    case(
        lambda c: typing.set_status(c, destination=PEOPLE, op="stop"),
        "POST /typing",
        {"type": "direct", "to": "[1,2]", "op": "stop"},
    ),
    case(
        lambda c: typing.set_edit_status(c, message_id=MESSAGE, op="start"),
        "POST /messages/5/typing",
        {"op": "start"},
    ),
]


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.sends)
async def test_conversation_routes(example: Case) -> None:
    """What a person says or does to messages arrives at the server as just that."""
    await check(example)
