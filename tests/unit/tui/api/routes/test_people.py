"""What the routes of people and their own things send, and make of the answer. No sockets."""

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
from tui.api.model import (
    DraftId,
    ProfileFieldId,
    ReminderId,
    SavedSnippetId,
    ScheduledMessageId,
    UserStatus,
)
from tui.api.routes import (
    alert_words,
    drafts,
    muted_users,
    presence,
    reminders,
    saved_snippets,
    scheduled_messages,
    statuses,
    users,
)

CASES = [
    # Drafts, scheduled messages, reminders, snippets
    case(lambda c: drafts.fetch(c), "GET /drafts", {}, {"drafts": []}, ()),
    case(
        lambda c: drafts.create(
            c,
            drafts=[
                drafts.NewDraft(destination=None, content="x", timestamp=None),
                drafts.NewDraft(destination=PEOPLE, content="y", timestamp=7),
            ],
            idempotency_key="k",
        ),
        "POST /drafts",
        {
            "drafts": '[{"type":"","to":[],"topic":"","content":"x"},'
            '{"type":"private","to":[1,2],"topic":"","content":"y","timestamp":7}]'
        },
        {"ids": [1, 2]},
        (1, 2),
    ),
    case(
        lambda c: drafts.edit(
            c,
            draft_id=DraftId(1),
            draft=drafts.NewDraft(destination=TOPIC, content="x", timestamp=None),
        ),
        "PATCH /drafts/1",
        {"draft": '{"type":"stream","to":[9],"topic":"tea","content":"x"}'},
    ),
    case(lambda c: drafts.delete(c, draft_id=DraftId(1)), "DELETE /drafts/1"),
    case(
        lambda c: scheduled_messages.fetch(c),
        "GET /scheduled_messages",
        {},
        {"scheduled_messages": []},
        (),
    ),
    case(
        lambda c: scheduled_messages.create(
            c, destination=TOPIC, content="x", deliver_at=99, idempotency_key=None
        ),
        "POST /scheduled_messages",
        {
            "type": "stream",
            "to": "9",
            "topic": "tea",
            "content": "x",
            "scheduled_delivery_timestamp": "99",
            "read_by_sender": "true",
        },
        {"scheduled_message_id": 4},
        4,
    ),
    case(
        lambda c: scheduled_messages.edit(
            c,
            scheduled_message_id=ScheduledMessageId(4),
            destination=None,
            content=None,
            deliver_at=100,
        ),
        "PATCH /scheduled_messages/4",
        {"scheduled_delivery_timestamp": "100"},
    ),
    case(
        lambda c: scheduled_messages.delete(c, scheduled_message_id=ScheduledMessageId(4)),
        "DELETE /scheduled_messages/4",
    ),
    case(lambda c: reminders.fetch(c), "GET /reminders", {}, {"reminders": []}, ()),
    case(
        lambda c: reminders.create(
            c, message_id=MESSAGE, remind_at=99, note="n", idempotency_key=None
        ),
        "POST /reminders",
        {"message_id": "5", "scheduled_delivery_timestamp": "99", "note": "n"},
        {"reminder_id": 4},
        4,
    ),
    case(lambda c: reminders.delete(c, reminder_id=ReminderId(4)), "DELETE /reminders/4"),
    case(lambda c: saved_snippets.fetch(c), "GET /saved_snippets", {}, {"saved_snippets": []}, ()),
    case(
        lambda c: saved_snippets.create(c, title="t", content="x", idempotency_key=None),
        "POST /saved_snippets",
        {"title": "t", "content": "x"},
        {"saved_snippet_id": 4},
        4,
    ),
    case(
        lambda c: saved_snippets.edit(
            c, saved_snippet_id=SavedSnippetId(4), title=None, content="y"
        ),
        "PATCH /saved_snippets/4",
        {"content": "y"},
    ),
    case(
        lambda c: saved_snippets.delete(c, saved_snippet_id=SavedSnippetId(4)),
        "DELETE /saved_snippets/4",
    ),
    # People
    case(
        lambda c: users.fetch(c, user_ids=[ME], with_profile=True),
        "GET /users",
        {"client_gravatar": "true", "include_custom_profile_fields": "true", "user_ids": "[1]"},
        {"members": [encode(eg.ME)]},
        (eg.ME,),
    ),
    case(
        lambda c: users.get(c, user_id=ME, with_profile=False),
        "GET /users/1",
        {"client_gravatar": "true", "include_custom_profile_fields": "false"},
        {"user": encode(eg.ME)},
        eg.ME,
    ),
    case(
        lambda c: users.get_by_email(c, email="a/b@x.org", with_profile=False),
        "GET /users/a%2Fb@x.org",
        {"client_gravatar": "true", "include_custom_profile_fields": "false"},
        {"user": encode(eg.ME)},
        eg.ME,
    ),
    case(
        lambda c: users.get_own(c),
        "GET /users/me",
        {},
        {"user_id": 1, "email": "e", "full_name": "n"},
        users.OwnUser(user_id=ME, email="e", full_name="n"),
    ),
    case(
        lambda c: users.create(c, email="e", password="p", full_name="n"),
        "POST /users",
        {"email": "e", "password": "p", "full_name": "n"},
        {"user_id": 2},
        2,
    ),
    case(
        lambda c: users.update(c, user_id=MARY, role=200),
        "PATCH /users/2",
        {"role": "200"},
    ),
    case(
        lambda c: users.update(
            c, user_id=MARY, profile_data={ProfileFieldId(3): "x", ProfileFieldId(4): [ME]}
        ),
        "PATCH /users/2",
        {"profile_data": '[{"id":3,"value":"x"},{"id":4,"value":[1]}]'},
    ),
    case(lambda c: users.deactivate(c, user_id=MARY), "DELETE /users/2"),
    case(lambda c: users.deactivate_own(c), "DELETE /users/me"),
    case(lambda c: users.reactivate(c, user_id=MARY), "POST /users/2/reactivate"),
    case(
        lambda c: users.list_channels(c, user_id=MARY),
        "GET /users/2/channels",
        {},
        {"subscribed_channel_ids": [9]},
        frozenset({9}),
    ),
    case(
        lambda c: users.is_subscribed(c, user_id=MARY, channel_id=CHANNEL),
        "GET /users/2/subscriptions/9",
        {},
        {"is_subscribed": True},
        True,
    ),
    case(
        lambda c: users.set_profile_data(c, data={ProfileFieldId(3): "x"}),
        "PATCH /users/me/profile_data",
        {"data": '[{"id":3,"value":"x"}]'},
    ),
    case(
        lambda c: users.remove_profile_data(c, field_ids=[ProfileFieldId(3)]),
        "DELETE /users/me/profile_data",
        {"data": "[3]"},
    ),
    case(
        lambda c: presence.update(
            c, status="active", new_user_input=True, last_update_id=-1, ping_only=False
        ),
        "POST /users/me/presence",
        {
            "status": "active",
            "new_user_input": "true",
            "last_update_id": "-1",
            "ping_only": "false",
            "slim_presence": "true",
        },
        {"presence_last_update_id": 7},
        presence.Presences(presence_last_update_id=7, server_timestamp=None, presences={}),
    ),
    case(
        lambda c: presence.get_user(c, user_id=MARY),
        "GET /users/2/presence",
        {},
        {"presence": {"aggregated": {"timestamp": 3, "status": "idle"}}},
        {"aggregated": presence.PresenceEntry(timestamp=3, status="idle")},
    ),
    case(
        lambda c: presence.get_realm(c),
        "GET /realm/presence",
        {},
        {"presences": {"a": {}}},
        {"a": {}},
    ),
    case(
        lambda c: statuses.update(
            c,
            status_text="",
            emoji_name="zulip",
            emoji_code="zulip",
            reaction_type="service_extra_emoji",
        ),
        "POST /users/me/status",
        {"status_text": "", "emoji_name": "zulip"},
    ),
    case(
        lambda c: statuses.get(c, user_id=MARY),
        "GET /users/2/status",
        {},
        {"status": {"status_text": "out"}},
        eg.make(UserStatus, status_text="out"),
    ),
    case(lambda c: muted_users.mute(c, user_id=MARY), "POST /users/me/muted_users/2"),
    case(lambda c: muted_users.unmute(c, user_id=MARY), "DELETE /users/me/muted_users/2"),
    case(lambda c: alert_words.fetch(c), "GET /users/me/alert_words", {}, {"alert_words": []}, ()),
    case(
        lambda c: alert_words.add(c, words=["a"]),
        "POST /users/me/alert_words",
        {"alert_words": '["a"]'},
        {"alert_words": ["a"]},
        ("a",),
    ),
    case(
        lambda c: alert_words.remove(c, words=["a"]),
        "DELETE /users/me/alert_words",
        {"alert_words": '["a"]'},
        {"alert_words": []},
        (),
    ),
]


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.sends)
async def test_people_routes(example: Case) -> None:
    """Profiles, status and what someone keeps for later reach the server unharmed."""
    await check(example)
