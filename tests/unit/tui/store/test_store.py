"""What single events change in the store, and what they tell about it."""

from dataclasses import replace
from typing import Any

import pytest

from tests import comparable, eg
from tests.unit.tui.store.server import ModelServer
from tui.api.destination import TopicDestination
from tui.api.events import (
    ChannelFolderReorderEvent,
    DeleteMessageEvent,
    Event,
    MutedUsersEvent,
    PresenceEvent,
    RealmUpdateDictEvent,
    RealmUserUpdateEvent,
    RemovedSubscription,
    RestartEvent,
    StreamCreateEvent,
    StreamDeleteEvent,
    StreamUpdateEvent,
    SubscriptionAddEvent,
    SubscriptionPeerAddEvent,
    SubscriptionRemoveEvent,
    SubscriptionUpdateEvent,
    TypingStartEvent,
    UnknownEvent,
    UpdateMessageEvent,
    UpdateMessageFlagsAddEvent,
    UpdateMessageFlagsRemoveEvent,
    UserGroupAddMembersEvent,
    UserSettingsUpdateEvent,
    UserStatusEvent,
    UserTopicEvent,
)
from tui.api.events.messages import TypingUser
from tui.api.events.users import PersonChange
from tui.api.model import (
    ChannelFolder,
    ChannelId,
    EventId,
    LocalId,
    MessageId,
    MutedUser,
    Presence,
    User,
    UserStatus,
    VisibilityPolicy,
)
from tui.errors import BadNarrow
from tui.narrow import DmNarrow, TopicNarrow
from tui.store import NOTHING, Changes, Store
from tui.store.optimistic import (
    ContentEdit,
    Deletion,
    FlagChange,
    Move,
    PolicyChange,
    ReactionChange,
)
from tui.store.outbox import OutgoingMessage

GENERAL = eg.subscription(9, "general", color="#ff0000")
TEA = TopicNarrow(ChannelId(9), "tea")
WITH_MARY = DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id}))


def store_with(**fields: object) -> Store:
    return Store.from_snapshot(eg.snapshot(**{"channels": [GENERAL], **fields}))  # type: ignore[arg-type]  # eg's own keywords


def said(message_id: int, topic: str = "tea", **fields: object) -> Event:
    return eg.message_event(eg.message(message_id, channel=GENERAL, topic=topic, **fields))  # type: ignore[arg-type]  # eg's own keywords


def outgoing(**fields: object) -> OutgoingMessage:
    defaults: dict[str, object] = {
        "local_id": LocalId("local"),
        "idempotency_key": "key",
        "destination": TopicDestination(channel_id=ChannelId(9), topic="tea"),
        "content": "hello",
        "created": 1.0,
        "state": "sending",
        "error": "",
        "attempted": 1.0,
        "attempted_after": MessageId(0),
        "queue_id": None,
        "message_id": None,
    }
    return OutgoingMessage(**{**defaults, **fields})  # type: ignore[arg-type]  # the fields above


def test_an_unknown_event_changes_nothing() -> None:
    """A newer server's events neither break the client nor redraw anything."""
    store = store_with()
    before = comparable.of(store)
    assert not store.apply(UnknownEvent(id=EventId(1), type="novelty", op="add"))
    assert comparable.of(store) == before


def test_a_new_message_is_told_by_its_id_and_place() -> None:
    """One message redraws its conversation's count and nothing else."""
    changes = store_with().apply(said(50))
    assert changes.arrived == (50,)
    assert changes.conversations == {TEA}
    assert not changes.users
    assert not changes.channels


@pytest.mark.parametrize("topic", ["tea", "TEA"])
def test_a_topic_is_one_whatever_its_case(topic: str) -> None:
    """Somebody who writes the topic in capitals does not open a second one."""
    store = store_with()
    store.apply(said(50))
    store.apply(said(51, topic))
    assert store.unread_ids(TEA) == {50, 51}


def test_mark_all_as_read_leaves_nothing_unread() -> None:
    """All counts go to zero at once, also for what was too old to be listed."""
    unread = eg.unread_messages(old_unreads_missing=True)
    store = store_with(unread_messages=unread)
    store.apply(said(50, flags=frozenset({"mentioned"})))
    store.apply(eg.event(UpdateMessageFlagsAddEvent, flag="read", all=True))
    assert len(store.unreads) == 0
    assert not store.unreads.mentions
    assert not store.unreads.old_missing


def test_what_became_unread_without_details_is_found_by_what_is_known() -> None:
    """A server that says only the ids still brings the count back."""
    store = store_with()
    store.apply(said(50, flags=frozenset({"read"})))
    store.apply(eg.event(UpdateMessageFlagsRemoveEvent, flag="read", message_ids=(MessageId(50),)))
    assert store.unread_ids(TEA) == {50}


@pytest.mark.parametrize(
    ("channel_muted", "policy", "muted"),
    [
        (False, VisibilityPolicy.INHERIT, False),
        (False, VisibilityPolicy.MUTED, True),
        (True, VisibilityPolicy.INHERIT, True),
        (True, VisibilityPolicy.UNMUTED, False),
        (True, VisibilityPolicy.FOLLOWED, False),
    ],
)
def test_a_topic_is_muted_by_itself_or_by_its_channel(
    channel_muted: bool, policy: VisibilityPolicy, muted: bool
) -> None:
    """Muted topics are not counted; an unmuted topic of a muted channel is."""
    store = store_with(channels=[replace(GENERAL, is_muted=channel_muted)])
    store.apply(eg.event(UserTopicEvent, channel_id=9, topic="Tea", visibility_policy=int(policy)))
    assert store.is_muted(TEA) == muted


def test_a_muted_person_mutes_only_the_conversation_of_two() -> None:
    """A group with a muted person in it is still heard."""
    store = store_with()
    muted = MutedUser(user_id=eg.MARY.user_id, timestamp=1)
    changes = store.apply(eg.event(MutedUsersEvent, muted_users=(muted,)))
    assert changes.users == {eg.MARY.user_id}
    assert store.is_muted(WITH_MARY)
    assert not store.is_muted(DmNarrow(WITH_MARY.user_ids | {eg.MOE.user_id}))


def test_an_edit_is_shown_with_its_history() -> None:
    """The new words, the mark "edited", and what was said before."""
    store = store_with()
    store.apply(said(50))
    server = ModelServer()
    server.messages[MessageId(50)] = eg.message(50, channel=GENERAL, topic="tea")
    server.edit(MessageId(50), "<p>goodbye</p>")
    for _ in range(2):  # an event that a fetch had brought already changes nothing more
        store.apply(server.events[-1])
    message = store.messages.by_id[MessageId(50)]
    assert message.content == "<p>goodbye</p>"
    assert message.last_edit_timestamp == eg.NOW
    assert [e.prev_content for e in message.edit_history or ()] == ["<p>hello</p>"]


def test_resolving_a_topic_is_no_move_to_speak_of() -> None:
    """The check mark appears without every message being marked as moved."""
    store = store_with()
    store.apply(said(50))
    store.apply(_move(50, orig_topic="tea", topic="✔ tea"))
    message = store.messages.by_id[MessageId(50)]
    assert message.topic == "✔ tea"
    assert message.last_moved_timestamp is None


def test_a_deletion_removes_every_trace() -> None:
    """Unread count, star, message: all gone."""
    store = store_with()
    store.apply(said(50, flags=frozenset({"starred"})))
    changes = store.apply(
        eg.event(
            DeleteMessageEvent,
            message_ids=(MessageId(50),),
            message_type="stream",
            channel_id=ChannelId(9),
            topic="tea",
        )
    )
    assert changes.messages == {50}
    assert not store.unread_ids(TEA)
    assert not store.starred
    assert store.message(MessageId(50)) is None


def test_after_a_deletion_the_next_message_is_the_newest() -> None:
    """A direct conversation sinks in the list when its newest message is deleted."""
    store = store_with()
    with_moe = DmNarrow(frozenset({eg.ME.user_id, eg.MOE.user_id}))
    store.apply(eg.message_event(eg.dm(50)))
    store.apply(eg.message_event(eg.dm(60, sender=eg.MOE)))
    store.apply(eg.message_event(eg.dm(70)))
    assert store.direct_messages.by_recency() == [WITH_MARY, with_moe]
    store.apply(eg.event(DeleteMessageEvent, message_ids=(MessageId(70),), message_type="private"))
    assert store.direct_messages.by_recency() == [with_moe, WITH_MARY]


def test_joining_leaving_and_joining_again() -> None:
    """A channel that is left stays known, with its subscribers right, until it is out of sight."""
    store = store_with(channels=[eg.channel(9, "general", subscribers=frozenset({2}))])
    mine = replace(GENERAL, subscribers=frozenset({eg.ME.user_id, eg.MARY.user_id}))
    store.apply(eg.event(SubscriptionAddEvent, subscriptions=(mine,)))
    assert store.channels.subscription(ChannelId(9)) == mine
    removed = RemovedSubscription(channel_id=ChannelId(9))
    store.apply(eg.event(SubscriptionRemoveEvent, subscriptions=(removed,)))
    assert store.channels.subscription(ChannelId(9)) is None
    left = store.channels.get(ChannelId(9))
    assert left is not None
    assert left.subscribers == frozenset({eg.MARY.user_id})


def test_a_new_channel_learns_who_is_in_it() -> None:
    """The creation says nothing of subscribers; the event after it does."""
    store = store_with(channels=[])
    store.apply(eg.event(StreamCreateEvent, channels=(eg.channel(7, "new"),)))
    store.apply(eg.event(SubscriptionPeerAddEvent, channel_ids=(7,), user_ids=(2, 3)))
    channel = store.channels.get(ChannelId(7))
    assert channel is not None
    assert channel.subscribers == frozenset({2, 3})
    assert store.channel_id("NEW") == 7


def test_a_channel_out_of_sight_takes_its_messages_along() -> None:
    """Nothing of a private channel is left after one was removed from it."""
    store = store_with()
    store.apply(said(50))
    changes = store.apply(eg.event(StreamDeleteEvent, channel_ids=(ChannelId(9),)))
    assert changes.channels == {9}
    assert changes.conversations == {TEA}
    assert store.channels.get(ChannelId(9)) is None
    assert store.message(MessageId(50)) is None
    assert len(store.unreads) == 0


def test_a_rename_reaches_the_names() -> None:
    """A moved message names the channel as it is called now."""
    store = store_with()
    store.apply(eg.event(StreamUpdateEvent, channel_id=9, property="name", value="lounge"))
    assert store.channel_names[ChannelId(9)] == "lounge"


def test_muting_a_channel_is_said_twice_and_done_once() -> None:
    """The older property, which says the opposite, does not undo the newer."""
    store = store_with()
    for name, value in (("is_muted", True), ("in_home_view", False)):
        store.apply(eg.event(SubscriptionUpdateEvent, channel_id=9, property=name, value=value))
    assert store.channels.is_muted(ChannelId(9))


def test_a_value_that_cannot_be_is_refused() -> None:
    """A name that is a number would break the screen later: the state is thrown away instead."""
    store = store_with()
    with pytest.raises(ValueError, match="name"):
        store.apply(eg.event(StreamUpdateEvent, channel_id=9, property="name", value=5))


def test_settings_follow_their_events() -> None:
    """The clock changes to 24 hours, the organization's groups are read, the rest is passed over."""
    store = store_with()
    store.apply(eg.event(UserSettingsUpdateEvent, property="twenty_four_hour_time", value=True))
    assert store.settings.twenty_four_hour_time is True
    group = {"direct_members": [1, 2], "direct_subgroups": []}
    store.apply(
        eg.event(
            RealmUpdateDictEvent,
            data={"name": "Other", "can_create_groups": group, "novelty": 1},
        )
    )
    assert store.realm.settings.name == "Other"
    assert store.groups.includes(store.realm.settings.can_create_groups, eg.MARY.user_id)
    assert not store.groups.includes(store.realm.settings.can_create_groups, eg.MOE.user_id)


def test_people_change_one_thing_at_a_time() -> None:
    """A new name leaves the picture alone; no picture is not the same as no change."""
    store = store_with(users=[eg.ME, replace(eg.MARY, avatar_url="/picture")])
    store.apply(_person(full_name="Mary Moved"))
    mary = _mary(store)
    assert (mary.full_name, mary.avatar_url) == ("Mary Moved", "/picture")
    store.apply(_person(avatar_url=None))
    assert _mary(store).avatar_url is None


def test_a_group_within_a_group_counts() -> None:
    """Whoever belongs to a part belongs to the whole, and a circle is no trap."""
    inner = eg.user_group(20, direct_subgroup_ids=frozenset({21}))
    outer = eg.user_group(21, direct_subgroup_ids=frozenset({20}))
    store = store_with(user_groups=(inner, outer))
    store.apply(
        eg.event(UserGroupAddMembersEvent, group_id=20, user_ids=frozenset({eg.MOE.user_id}))
    )
    assert store.groups.includes(outer.id, eg.MOE.user_id)
    assert not store.groups.includes(outer.id, eg.MARY.user_id)


def test_a_status_changes_by_its_parts() -> None:
    """The emoji stays when the words change, and a cleared status is none."""
    store = store_with()
    store.apply(_status(status_text="away", emoji_name="car", emoji_code="1f697"))
    store.apply(_status(status_text="driving"))
    status = store.statuses.by_user[eg.MARY.user_id]
    assert (status.status_text, status.emoji_name) == ("driving", "car")
    store.apply(_status(status_text="", emoji_name="", emoji_code=""))
    assert not store.statuses.by_user


def test_an_old_presence_never_replaces_a_newer_one() -> None:
    """Somebody who was seen just now does not go back in time."""
    store = store_with()
    new, old = (Presence(active_timestamp=t, idle_timestamp=t) for t in (200, 100))
    assert store.apply(eg.event(PresenceEvent, presences={2: new})).people == {2}
    assert not store.apply(eg.event(PresenceEvent, presences={2: old}))


def test_typing_ends_by_time_or_by_the_message() -> None:
    """The line "Mary is typing" goes when her message comes, or when nothing is heard of her."""
    store = store_with()
    typing = eg.event(
        TypingStartEvent,
        sender_id=eg.MARY.user_id,
        recipients=(TypingUser(user_id=eg.MARY.user_id), TypingUser(user_id=eg.ME.user_id)),
    )
    store.apply(typing)
    assert store.typing.people(WITH_MARY) == [eg.MARY.user_id]
    changes = store.apply(eg.message_event(eg.dm(50)))
    assert changes.typing == {WITH_MARY}
    assert not store.typing
    store.apply(typing)
    assert not store.typing.expire(100.0, 15.0)
    assert store.typing.expire(115.0, 15.0) == {WITH_MARY}


def test_folders_in_a_new_order() -> None:
    """The sidebar's headings move as an administrator ordered them."""
    folders = [eg.make(ChannelFolder, id=i, name=f"folder {i}", order=i) for i in (1, 2)]
    store = store_with(channel_folders=tuple(folders))
    store.apply(eg.event(ChannelFolderReorderEvent, order=(2, 1)))
    assert [folder.id for folder in store.folders.in_order()] == [2, 1]


def test_a_restart_may_bring_another_version() -> None:
    """What the server can do is asked of the version that runs now."""
    store = store_with()
    store.apply(eg.event(RestartEvent, feature_level=500, version="13.0"))
    assert (store.realm.feature_level, store.realm.version) == (500, "13.0")


def test_an_echo_becomes_its_message() -> None:
    """What was sent is never seen twice: the echo ends with the event of its message."""
    store = store_with()
    store.outbox.put(outgoing())
    changes = store.apply(
        eg.message_event(
            eg.message(50, channel=GENERAL, topic="tea", sender=eg.ME),
            local_message_id=LocalId("local"),
        )
    )
    assert changes.echoes == {"local": 50}
    assert not store.outbox.by_id


def test_an_echo_is_known_by_its_id_after_the_queue_was_lost() -> None:
    """The same on another queue, which is not told whose message it was."""
    store = store_with()
    store.outbox.put(outgoing(state="sent", message_id=MessageId(50)))
    assert store.apply(said(50)).echoes == {"local": 50}


@pytest.mark.parametrize(
    ("operation", "event"),
    [
        (
            FlagChange(message_ids=frozenset({MessageId(50)}), flag="starred", on=True),
            eg.event(UpdateMessageFlagsAddEvent, flag="starred", message_ids=(50,)),
        ),
        (
            ReactionChange(
                message_ids=frozenset({MessageId(50)}), reaction=eg.reaction(eg.ME), on=True
            ),
            None,
        ),
        (
            ContentEdit(message_ids=frozenset({MessageId(50)}), content="goodbye"),
            None,
        ),
        (
            Deletion(message_ids=frozenset({MessageId(50)})),
            eg.event(DeleteMessageEvent, message_ids=(50,), message_type="stream"),
        ),
    ],
)
def test_what_the_person_does_is_seen_at_once_and_can_be_taken_back(
    operation: FlagChange | ReactionChange | ContentEdit | Deletion, event: Event | None
) -> None:
    """A star, a reaction, an edit, a deletion: there before the server knows, gone if it says no."""
    store = store_with()
    store.apply(said(50))
    before = store.message(MessageId(50))
    operation_id = store.pending.add(operation)
    assert store.message(MessageId(50)) != before
    store.pending.rollback(operation_id)
    assert store.message(MessageId(50)) == before
    if event is not None:
        store.pending.add(operation)
        store.apply(event)
        assert not list(store.pending)


def test_a_move_is_seen_at_once_and_ends_with_its_event() -> None:
    """The message is in its new topic while the request is still under way."""
    store = store_with()
    store.apply(said(50))
    move = Move(message_ids=frozenset({MessageId(50)}), channel_id=None, topic="coffee")
    store.pending.add(move)
    message = store.message(MessageId(50))
    assert message is not None
    assert message.topic == "coffee"
    store.apply(_move(50, orig_topic="tea", topic="coffee"))
    assert not list(store.pending)


def test_reading_and_muting_count_at_once() -> None:
    """The number beside the topic goes before the server has heard of it."""
    store = store_with()
    store.apply(said(50))
    store.apply(said(51))
    read = FlagChange(message_ids=frozenset({MessageId(50)}), flag="read", on=True)
    store.pending.add(read)
    assert store.unread_ids(TEA) == {51}
    store.pending.add(PolicyChange(topic=TEA, policy=VisibilityPolicy.MUTED))
    assert store.is_muted(TEA)
    changes = store.apply(eg.event(UserTopicEvent, channel_id=9, topic="tea", visibility_policy=1))
    assert changes.conversations == {TEA}
    assert store.pending.policy(TEA) is None


def _read(*ids: int, every: bool = False) -> Event:
    return eg.event(UpdateMessageFlagsAddEvent, flag="read", message_ids=ids, all=every)


@pytest.mark.parametrize(
    ("pending", "event", "confirmed", "changed"),
    [
        ((50,), _read(50), {50}, set()),
        ((50, 51), _read(50), {50}, {51}),
        ((50,), _read(50, 51), {50}, {51}),
        ((50,), _read(50, 51, every=True), {50}, {51}),
    ],
    ids=["all-of-it", "a-part-of-it", "more-than-it", "everything"],
)
def test_what_is_shown_already_is_no_news(
    pending: tuple[int, ...], event: Event, confirmed: set[int], changed: set[int]
) -> None:
    """Messages that I read look the same when the server confirms it; those that I read elsewhere do not."""
    store = store_with()
    for number in (50, 51):
        store.apply(said(number))
    ids = frozenset(map(MessageId, pending))
    store.pending.add(FlagChange(message_ids=ids, flag="read", on=True))
    before = {each: store.message(MessageId(each)) for each in (50, 51)}
    unread = store.unread_ids(TEA)
    changes = store.apply(event)
    assert changes.confirmed == confirmed
    assert changed >= changes.messages - {50}
    assert all(store.message(MessageId(each)) == before[each] for each in changes.confirmed)
    assert (changes.counts == {TEA}) == (store.unread_ids(TEA) != unread)
    assert changes.can_be_seen == bool(changed)


def test_a_change_taken_back_meanwhile_is_news() -> None:
    """I marked a message as unread and then as read: the server's word of the second leaves the first in sight."""
    store = store_with()
    store.apply(said(50))
    ids = frozenset({MessageId(50)})
    store.pending.add(FlagChange(message_ids=ids, flag="read", on=False))
    store.pending.add(FlagChange(message_ids=ids, flag="read", on=True))
    changes = store.apply(_read(50))
    assert changes.messages == ids
    assert not changes.confirmed


def test_changes_merge_to_what_either_changed() -> None:
    """A poll's answer is told once, however many events it has."""
    one = Changes(arrived=(MessageId(1),), messages=frozenset({MessageId(1)}))
    two = Changes(arrived=(MessageId(2),), parts=frozenset({"drafts"}), replaced=True)
    both = one.merge(two)
    assert both.arrived == (1, 2)
    assert both.messages == {1}
    assert both.parts == {"drafts"}
    assert both.replaced
    assert NOTHING.merge(one) == one.merge(NOTHING) == one
    assert not NOTHING


def test_search_finds_people_by_name_or_address() -> None:
    """`from:me`-like words find the one they can mean; where two could be meant, both are named."""
    twin = eg.user(7, "Moe Member")
    store = store_with(users=[eg.ME, eg.MARY, eg.MOE, twin])
    assert store.user_id("mary member") == eg.MARY.user_id
    assert store.user_id("USER7@example.com") == twin.user_id
    with pytest.raises(BadNarrow, match=r"Moe Member \(user7@example.com\)"):
        store.user_id("Moe Member")
    assert store.user_id("Moe Member|7") == twin.user_id
    assert store.user_id("Mary Member|7") is None, "the name and the ID are not of one person"
    assert store.user_id("Moe Member|999") is None


def test_search_finds_channels_by_a_part_of_their_name() -> None:
    """`channel:des` means the one channel; where several match, the error names them."""
    subscriptions = [
        eg.subscription(1, "design"),
        eg.subscription(2, "desk"),
        eg.subscription(3, "tea"),
    ]
    store = store_with(subscriptions=subscriptions)
    assert store.channel_id("te") == ChannelId(3)
    assert store.channel_id("milk") is None
    with pytest.raises(BadNarrow, match=r"2 channels match “des”: design, desk\."):
        store.channel_id("des")


def _move(message_id: int, **fields: Any) -> UpdateMessageEvent:
    return eg.event(
        UpdateMessageEvent,
        message_id=MessageId(message_id),
        message_ids=(MessageId(message_id),),
        channel_id=ChannelId(9),
        propagate_mode="change_one",
        **fields,
    )


def _person(**fields: object) -> RealmUserUpdateEvent:
    return eg.event(
        RealmUserUpdateEvent, person=eg.make(PersonChange, user_id=eg.MARY.user_id, **fields)
    )


def _status(**fields: object) -> UserStatusEvent:
    return eg.event(UserStatusEvent, user_id=eg.MARY.user_id, status=eg.make(UserStatus, **fields))


def _mary(store: Store) -> User:
    user = store.users.get(eg.MARY.user_id)
    assert user is not None
    return user
