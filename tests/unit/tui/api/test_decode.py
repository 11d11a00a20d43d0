"""JSON of servers of several ages becomes the wire's types. No I/O."""

import json
from functools import partial
from typing import Any, get_args

import pytest

from tests import eg
from tui.api import decode, events
from tui.api.encode import encode
from tui.api.id_set import IdSet
from tui.api.model import (
    AnonymousGroup,
    Attachment,
    Channel,
    Message,
    MessageId,
    Presence,
    Reaction,
    Subscription,
    User,
    UserGroupId,
    UserId,
)
from tui.api.snapshot import InitialSnapshot
from tui.api.wire import UNSET
from tui.errors import MalformedResponse

ROUTE = "GET /x"
EVENT_CLASSES = [cls for cls in get_args(events.Event) if cls is not events.UnknownEvent]


def event(**fields: Any) -> events.Event:
    return decode.event({"id": 5, **fields}, ROUTE)


@pytest.mark.parametrize("cls", EVENT_CLASSES, ids=lambda cls: cls.__name__)
def test_every_event_survives_being_kept(cls: type[events.BaseEvent]) -> None:
    """What is written to disk is read back the same."""
    provider: dict[str, Any] = {"provider": "zoom"} if cls is events.CallTokenEvent else {}
    example = eg.event(cls, **provider)
    assert decode.event(encode(example), ROUTE) == example


@pytest.mark.parametrize("kind", ["brand_new", "reaction", "has_feet"])
def test_an_event_from_the_future_is_no_error(kind: str) -> None:
    """A newer server does not break this client."""
    assert event(type=kind, op="vanish", whatever=[1]) == events.UnknownEvent(
        id=eg.event(events.HeartbeatEvent, 5).id, type=kind, op="vanish"
    )


@pytest.mark.parametrize(
    ("wire", "field", "value"),
    [
        ({"type": "delete_message", "message_id": 3, "message_type": "private"}, "message_ids", (3,)),
        ({"type": "delete_message", "message_ids": [3, 4], "message_type": "direct"}, "message_type", "private"),
        ({"type": "stream", "op": "delete", "streams": [{"stream_id": 9, "name": "x"}]}, "channel_ids", (9,)),
        ({"type": "default_streams", "default_streams": [{"stream_id": 9}]}, "channel_ids", frozenset({9})),
        ({"type": "realm_emoji", "op": "update_one", "emoji_id": "2", "data": {"deactivated": True}}, "emoji_id", "2"),
        ({"type": "restart", "zulip_feature_level": 300, "server_generation": 1}, "feature_level", 300),
        ({"type": "restart", "service_feature_level": 496, "zulip_feature_level": 1, "server_generation": 1}, "feature_level", 496),
        ({"type": "has_zoom_token", "value": True}, "provider", "zoom"),
        ({"type": "presence", "user_id": 7, "server_timestamp": 9.5, "presence": {"website": {"client": "website", "status": "idle", "timestamp": 8}}}, "presences", {7: Presence(active_timestamp=0, idle_timestamp=8)}),
        ({"type": "presence", "presences": {"7": {"active_timestamp": 8, "idle_timestamp": 9}}}, "presences", {7: Presence(active_timestamp=8, idle_timestamp=9)}),
        ({"type": "realm_user", "op": "remove", "person": {"user_id": 7, "full_name": "x"}}, "user_id", 7),
        ({"type": "heartbeat", "op": "odd"}, "id", 5),
        ({"type": "stream", "op": "update", "stream_id": 9, "name": "x", "property": "can_send_message_group", "value": {"direct_members": [1], "direct_subgroups": []}}, "value", AnonymousGroup(direct_members=frozenset({UserId(1)}), direct_subgroups=frozenset())),
        ({"type": "stream", "op": "update", "stream_id": 9, "name": "x", "property": "is_archived", "value": True}, "value", True),
        ({"type": "subscription", "op": "update", "stream_id": 9, "property": "email_notifications", "value": None}, "value", None),
        ({"type": "realm", "op": "update_dict", "property": "default", "data": {"name": "x"}}, "data", {"name": "x"}),
        ({"type": "update_message_flags", "op": "remove", "operation": "remove", "flag": "read", "messages": [3], "all": False, "message_details": {"3": {"type": "stream", "stream_id": 9, "topic": "x"}}}, "message_ids", (3,)),
        ({"type": "typing", "op": "start", "message_type": "stream", "sender": {"user_id": 7, "email": "x"}, "stream_id": 9, "topic": ""}, "sender_id", 7),
    ],
)  # fmt: skip
def test_events_of_all_ages_mean_the_same(wire: dict[str, Any], field: str, value: object) -> None:
    """Old and new servers tell the same story."""
    decoded = getattr(event(**wire), field)
    assert decoded == value
    assert type(decoded) is type(value)


def test_a_message_event_brings_its_flags() -> None:
    """A new mention is a mention at once."""
    message = encode(eg.message(7))
    assert isinstance(message, dict)
    del message["flags"]
    decoded = event(type="message", message=message, flags=["mentioned"], local_message_id="3.01")
    assert isinstance(decoded, events.MessageEvent)
    assert decoded.message == eg.with_flags(eg.message(7), "mentioned")
    assert decoded.local_message_id == "3.01"


def test_what_did_not_change_is_not_null() -> None:
    """A new name of somebody does not take their address away."""
    change = event(type="realm_user", op="update", person={"user_id": 7, "full_name": "New"})
    assert isinstance(change, events.RealmUserUpdateEvent)
    assert change.person.delivery_email is UNSET
    hidden = event(type="realm_user", op="update", person={"user_id": 7, "delivery_email": None})
    assert isinstance(hidden, events.RealmUserUpdateEvent)
    assert hidden.person.delivery_email is None


def test_a_cleared_status_is_not_an_unchanged_one() -> None:
    """Taking the text away leaves the emoji alone."""
    decoded = event(type="user_status", user_id=7, status_text="")
    assert isinstance(decoded, events.UserStatusEvent)
    assert (decoded.status.status_text, decoded.status.emoji_name) == ("", None)


def test_an_older_server_leaves_things_out() -> None:
    """A server of level 200 sends less, and everything still has a meaning."""
    channel = {
        "stream_id": 9,
        "name": "general",
        "description": "",
        "rendered_description": "",
        "date_created": 1,
        "invite_only": False,
        "is_web_public": False,
        "stream_post_policy": 1,
        "message_retention_days": None,
        "history_public_to_subscribers": True,
        "first_message_id": 3,
        "is_announcement_only": False,
        "can_remove_subscribers_group": 12,
        "stream_weekly_traffic": None,
    }
    decoded = decode.decode(Channel, channel, ROUTE)
    assert (decoded.is_archived, decoded.topics_policy, decoded.folder_id) == (
        False,
        "inherit",
        None,
    )
    assert decoded.can_remove_subscribers_group == UserGroupId(12)
    mine = {"color": "#fff", "pin_to_top": False, "is_muted": True, "subscribers": [1, 2]}
    subscription = decode.decode(Subscription, channel | mine, ROUTE)
    assert subscription.is_muted
    assert subscription.subscribers == frozenset({UserId(1), UserId(2)})
    assert isinstance(subscription.subscribers, IdSet)


def test_both_spellings_of_an_extra_emoji_are_one() -> None:
    """The same reaction from two servers counts as the same."""
    wire = {"emoji_name": "zulip", "emoji_code": "zulip", "user_id": 7}
    kinds = ("zulip_extra_emoji", "service_extra_emoji")
    first, second = (
        decode.decode(Reaction, {**wire, "reaction_type": kind}, ROUTE) for kind in kinds
    )
    assert first == second


def test_attachments_tell_their_messages_in_both_forms() -> None:
    """The list of uploads says where each is used, on older servers too."""
    wire = {"id": 1, "name": "x", "path_id": "1/x", "size": 3, "create_time": 4}
    old = decode.decode(Attachment, {**wire, "messages": [{"id": 8, "date_sent": 1}]}, ROUTE)
    new = decode.decode(Attachment, {**wire, "message_ids": [8]}, ROUTE)
    assert old == new


def _state(**fields: object) -> dict[str, object]:
    return {
        "queue_id": "1:2",
        "last_event_id": -1,
        "zulip_feature_level": 218,
        "zulip_version": "8.0",
        "user_id": 1,
        "realm_users": [],
        "realm_non_active_users": [],
        "cross_realm_bots": [],
        "subscriptions": [],
        "unsubscribed": [],
        "never_subscribed": [],
        "user_settings": {"twenty_four_hour_time": True},
        **fields,
    }


def test_the_first_state_is_read_from_flat_fields() -> None:
    """Limits and settings of the organization are where the client looks for them."""
    snapshot = decode.snapshot(
        _state(
            max_message_length=500,
            realm_name="Example",
            realm_uri="https://x",
            realm_allow_edit_history=False,
            realm_default_streams=[{"stream_id": 9}],
            presences={"7": {"active_timestamp": 8, "idle_timestamp": 9}},
            unread_msgs={
                "count": 2,
                "pms": [{"sender_id": 7, "unread_message_ids": [1]}],
                "streams": [{"stream_id": 9, "topic": "", "unread_message_ids": [2]}],
                "huddles": [{"user_ids_string": "1,2,3", "unread_message_ids": [3]}],
                "mentions": [2],
            },
        ),
        "POST /register",
    )
    assert snapshot.feature_level == 218
    assert snapshot.limits.max_message_length == 500
    assert (snapshot.realm.name, snapshot.realm.url) == ("Example", "https://x")
    assert snapshot.realm.message_edit_history_visibility_policy == "none"
    assert snapshot.default_channel_ids == {9}
    assert snapshot.user_settings.twenty_four_hour_time is True
    unread = snapshot.unread_messages
    assert unread is not None
    assert unread.dms[0].other_user_id == 7
    assert unread.group_dms[0].user_ids == {1, 2, 3}


def test_the_first_state_survives_being_kept() -> None:
    """The last state is on the screen at once after a restart of the client."""
    state = eg.snapshot(channels=[eg.channel(8), eg.subscription(9)])
    assert decode.snapshot(encode(state), ROUTE) == state  # type: ignore[arg-type]  # it is a dict


def test_a_bad_field_is_named_and_its_content_kept_quiet() -> None:
    """A report of a bug says where, and gives nothing away."""
    message = encode(eg.message())
    assert isinstance(message, dict)
    message["sender_id"] = "hunter2"
    with pytest.raises(MalformedResponse) as caught:
        decode.field(tuple[Message, ...], {"messages": [message]}, "messages", "GET /messages")
    assert "0.sender_id" in str(caught.value)
    assert "GET /messages" in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("value", [None, [], "x", {"type": "message", "id": 1}, {"type": "x"}])
def test_garbage_among_events_is_noticed(value: object) -> None:
    """A broken stream is started anew instead of going on with half of it."""
    with pytest.raises(MalformedResponse):
        decode.event(value, ROUTE)


def test_a_missing_part_of_an_answer_is_noticed() -> None:
    """An answer without what was asked for is no answer."""
    with pytest.raises(MalformedResponse, match="members"):
        decode.field(tuple[User, ...], {}, "members", ROUTE)


def test_types_are_what_the_rest_relies_on() -> None:
    """Lists that order matters for stay in order, and ids of an object are numbers."""
    matches = decode.decode(dict[MessageId, object], {"12": {}}, ROUTE)
    assert list(matches) == [12]


@pytest.mark.parametrize("unit", [b"[]", b"{}", b'{"a":1}', b'"]",[]', rb'"\"[",[]', rb'"\\",[]'])
def test_an_answer_that_would_fill_the_memory_is_not_read(
    unit: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """64 MiB of empty lists would become 1.6 GB of objects; the sentence says what is wrong with them."""
    monkeypatch.setattr(decode, "_core", lambda: pytest.fail("it was read"))
    body = b'{"x":[' + b",".join([unit] * (decode.MAX_CONTAINERS + 1)) + b"]}"
    with pytest.raises(MalformedResponse, match="holds more than 1,000,000 lists and objects"):
        decode.json_object(body, ROUTE)


@pytest.mark.parametrize("text", ["[{" * 1_000_000, '\\"[' * 700_000, "\\\\[{" * 600_000])
def test_brackets_in_a_text_are_no_lists(text: str) -> None:
    """Whoever writes messages full of brackets keeps nobody from reading the conversation."""
    assert len(decode.json_object(f'{{"a":["x"],"content":"{text}","b":1}}', ROUTE)) == 3


def test_the_state_of_50000_people_is_read() -> None:
    """With ten fields in each profile it is as large as an answer may be in lists and objects."""
    person: Any = encode(eg.user(7))
    person["profile_data"] = {str(number): {"value": ""} for number in range(10)}
    user = json.dumps(person)
    body = f'{{"realm_users":[{",".join([user] * 50_000)}]}}'
    users = decode.json_object(body, ROUTE)["realm_users"]
    assert isinstance(users, list)
    assert len(users) == 50_000


def test_what_is_empty_in_the_first_state_is_decoded_alike() -> None:
    """A start decodes empty lists without knowing what they might hold; nothing else may follow from that."""
    full: dict[str, Any] = {**encode(eg.snapshot(channels=[eg.channel(8), eg.subscription(9)]))}  # type: ignore[dict-item]  # it is a dict
    for key, value in full.items():
        others = ([], {}, None, "", 0, "x") if isinstance(value, list | dict) else (value,)
        for other in others:
            answer = {**full, key: other}
            results: list[object] = []
            for decoder in (decode.snapshot, partial(decode.decode, InitialSnapshot)):
                try:
                    results.append(decoder(answer, ROUTE))
                except MalformedResponse as error:
                    results.append(str(error))
            assert results[0] == results[1], (key, other)


def test_an_empty_first_state_needs_few_validators() -> None:
    """Most organizations have no bots, linkifiers or reminders; all validators take a tenth of a start."""
    decode._snapshot_validator.cache_clear()
    decode._dataclass_schema.cache_clear()
    decode.snapshot(_state(), ROUTE)
    assert decode._dataclass_schema.cache_info().currsize <= 10
