"""Laws of channels: who may see, read and hear of what. Functions, lists and events must agree."""

from collections.abc import Callable
from typing import Any, Final

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.access.channel_audience import who_may_see, who_may_see_each
from server_lite.access.channels import (
    Wants,
    access_channel_by_id,
    may_read,
    readable_messages_sql,
    reads_whole_history,
    visible_channels_sql,
)
from server_lite.actions import channels as actions
from server_lite.actions.channel_visibility import visible_ids
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.subscriptions import subscribe, unsubscribe
from server_lite.actions.users import create_user
from server_lite.errors import ApiError
from server_lite.events.base import ClientCapabilities
from server_lite.ids import ChannelId, MessageId
from server_lite.snapshot.base import SnapshotRequest
from server_lite.snapshot.channels import subscription
from server_lite.store import channels, subscriptions, topics
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.user_groups import GroupSetting
from server_lite.store.users import Role, UserRow
from tests.contract.rolled_back import Undone

ROLES: Final = (Role.OWNER, Role.MEMBER, Role.MEMBER, Role.GUEST)
KINDS: Final = (
    NewChannel(),
    NewChannel(invite_only=True, history_public_to_subscribers=True),
    NewChannel(invite_only=True),
    NewChannel(is_web_public=True),
)

people = st.integers(0, len(ROLES) - 1)
places = st.integers(0, 3)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("create"), st.sampled_from(range(len(KINDS))), people),
        st.tuples(st.just("join"), places, people),
        st.tuples(st.just("leave"), places, people),
        st.tuples(st.just("say"), places, people),
        st.tuples(st.just("archive"), places, people),
        st.tuples(st.just("privacy"), places, st.sampled_from(range(len(KINDS)))),
        st.tuples(st.just("let in"), places, people),
        st.tuples(st.just("let administer"), places, people),
        st.tuples(st.just("rename"), places, people),
    ),
    max_size=14,
)
Step = tuple[str, int, int]


class InMemoryServer:
    """A few people of every role, and what they do to channels."""

    def __init__(self, tx: Tx) -> None:
        self.people: list[UserRow] = [
            create_user(tx, email=f"p{n}@x", full_name=f"P{n}", role=role, password=None)
            for n, role in enumerate(ROLES)
        ]

    def take(self, tx: Tx, step: Step) -> None:
        """One step; one that names a channel that does not exist is no step."""
        what, where, who = step
        if what == "create":
            name = f"c{len(channels.where(tx, '1'))}"
            create_channel(tx, self.people[who], name=name, options=KINDS[where])
            return
        channel = channels.by_id(tx, ChannelId(where + 1))
        if channel is None:
            return
        if what == "privacy":
            kind = KINDS[who]
            actions.set_privacy(
                tx,
                channel,
                invite_only=kind.invite_only,
                is_web_public=kind.is_web_public,
                history_public=kind.history_public_to_subscribers or not kind.invite_only,
            )
            return
        self._person(tx, what, channel, self.people[who])

    def _person(self, tx: Tx, what: str, channel: ChannelRow, person: UserRow) -> None:
        alone: GroupSetting = {"direct_members": [person.id], "direct_subgroups": []}
        if what == "join" and not channel.is_archived:
            subscribe(tx, [channel], [person])
        elif what == "leave":
            unsubscribe(tx, [channel], [person])
        elif what == "say":
            _say(tx, channel, person)
        elif what == "archive":
            (actions.unarchive if channel.is_archived else actions.archive)(tx, channel)
        elif what == "let in":
            actions.set_permissions(tx, channel, {"can_subscribe_group": alone})
        elif what == "let administer":
            actions.set_permissions(tx, channel, {"can_administer_channel_group": alone})
        elif what == "rename":
            actions.rename(tx, channel, f"{channel.name}x")


def _say(tx: Tx, channel: ChannelRow, person: UserRow) -> None:
    topic = topics.get_or_create(tx, channel.id, "t")
    message_id = tx.insert(
        "INSERT INTO message (sender_id, channel_id, topic_id, content, rendered, plain, timestamp,"
        " client, has_link, has_image, has_attachment) VALUES (?, ?, ?, '', '', '', ?, '', 0, 0, 0)",
        person.id,
        channel.id,
        topic.id,
        tx.now,
    )
    topics.raise_max_id(tx, topic.id, MessageId(message_id))


def _try(database: Database, run: Callable[[Tx], None]) -> None:
    def run_and_undo(tx: Tx) -> None:
        run(tx)
        raise Undone

    with pytest.raises(Undone):
        database.write_now(run_and_undo)


def _accessible(db: Db, user: UserRow, channel_id: ChannelId, wants: Wants) -> bool:
    try:
        access_channel_by_id(db, user, channel_id, wants=wants)
    except ApiError:
        return False
    return True


@given(steps=steps)
def test_one_answer_to_who_may_see_and_read(database: Database, steps: list[Step]) -> None:
    """A channel or message I can open is in my lists, and what is hidden is in none."""

    def run(tx: Tx) -> None:
        town = InMemoryServer(tx)
        for step in steps:
            town.take(tx, step)
        messages = tx.rows("SELECT id, channel_id FROM message")
        for user in town.people:
            for wants in ("metadata", "content"):
                condition, values = visible_channels_sql(tx, user, wants=wants)
                listed = set(tx.column(f"SELECT id FROM channel WHERE {condition}", *values))
                rows = channels.where(tx, "1")
                audiences = who_may_see_each(tx, rows)
                for channel in rows:
                    opened = _accessible(tx, user, channel.id, wants)
                    assert opened == (channel.id in listed)
                    if wants == "metadata":
                        assert opened == (user.id in who_may_see(tx, channel))
                        assert opened == (user.id in audiences[channel.id])
            condition, values = readable_messages_sql(tx, user)
            readable = set(tx.column(f"SELECT id FROM message WHERE {condition}", *values))
            for message_id, channel_id in messages:
                channel_row = channels.by_id(tx, channel_id)
                assert channel_row is not None
                assert (message_id in readable) == (
                    may_read(tx, user, channel_row)
                    and (
                        reads_whole_history(channel_row)
                        or any(
                            after < message_id and (until is None or message_id <= until)
                            for after, until in subscriptions.periods(tx, user.id, channel_id)
                        )
                    )
                )

    _try(database, run)


class KnownChannels:
    """What one client knows of channels from its first state and the events after it."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.names: dict[int, str] = {}
        self.members: dict[int, set[int]] = {}
        self.mine: set[int] = set()
        for section in ("subscriptions", "unsubscribed", "never_subscribed"):
            for one in state[section]:
                self.names[one["stream_id"]] = one["name"]
                self.members[one["stream_id"]] = set(one["subscribers"])
        self.mine = {one["stream_id"] for one in state["subscriptions"]}

    def apply(self, event: dict[str, Any], me: int) -> None:
        """Like a client: what is told of channels that it does not know is a mistake."""
        match event["type"], event.get("op"):
            case "stream", "create":
                for one in event["streams"]:
                    self.names[one["stream_id"]] = one["name"]
                    self.members.setdefault(one["stream_id"], set())
            case "stream", "delete":
                for channel_id in event["stream_ids"]:
                    del self.names[channel_id], self.members[channel_id]
                    self.mine.discard(channel_id)
            case "stream", "update":
                assert event["stream_id"] in self.names
                if event["property"] == "name":
                    self.names[event["stream_id"]] = event["value"]
            case "subscription", "add":
                for one in event["subscriptions"]:
                    assert self.names[one["stream_id"]] == one["name"]
                    self.members[one["stream_id"]] = set(one["subscribers"])
                    self.mine.add(one["stream_id"])
            case "subscription", "remove":
                for one in event["subscriptions"]:
                    self.mine.discard(one["stream_id"])
                    self.members[one["stream_id"]].discard(me)
            case "subscription", "peer_add" | "peer_remove":
                for channel_id in event["stream_ids"]:
                    known = self.members[channel_id]
                    changed = set(event["user_ids"])
                    self.members[channel_id] = (
                        known | changed if event["op"] == "peer_add" else known - changed
                    )


def _state(tx: Tx, user: UserRow, shape: ClientCapabilities) -> dict[str, Any]:
    asked = SnapshotRequest(user=user, shape=shape, include_subscribers="true", now=tx.now)
    return {
        name: orjson.loads(part if isinstance(part, bytes) else orjson.dumps(part))
        for name, part in subscription(tx, asked).items()
    }


@given(before=steps, after=steps, archived_channels=st.booleans())
def test_events_lead_to_what_register_says(
    database: Database, before: list[Step], after: list[Step], archived_channels: bool
) -> None:
    """A client that listens knows the same channels and members as one that has just started."""
    shape = ClientCapabilities(
        include_subscribers=True,
        archived_channels=archived_channels,
        notification_settings_null=True,
    )

    def run(tx: Tx) -> None:
        town = InMemoryServer(tx)
        for step in before:
            town.take(tx, step)
        told = {user.id: KnownChannels(_state(tx, user, shape)) for user in town.people}
        seen = len(tx.entries)
        for step in after:
            town.take(tx, step)
        for entry in tx.entries[seen:]:
            for user_id in entry.audience & told.keys():
                payload = entry.event.payload(shape, entry.personal.get(user_id))
                payloads = payload if isinstance(payload, list) else [payload]
                for one in payloads:
                    if one is not None:
                        told[user_id].apply(one, user_id)
        for user in town.people:
            fresh = KnownChannels(_state(tx, user, shape))
            mine = told[user.id]
            assert (mine.names, mine.members, mine.mine) == (
                fresh.names,
                fresh.members,
                fresh.mine,
            )
            visible = visible_ids(tx, user)
            assert set(fresh.names) <= visible

    _try(database, run)
