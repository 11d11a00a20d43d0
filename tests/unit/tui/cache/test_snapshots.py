"""The instant start: what was known the last time is there before the network is."""

import json
import random
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import comparable, eg
from tests.unit.tui.store.server import ModelServer
from tests.unit.tui.store.test_laws import Model
from tui.api.events import UserTopicEvent
from tui.api.model import ChannelId, MessageId, MutedUser
from tui.cache import snapshots
from tui.narrow import AllMessages, DmNarrow, TopicNarrow
from tui.store import Store
from tui.store.snapshots import to_snapshot

TEA = TopicNarrow(ChannelId(1), "tea")


def lived() -> Model:
    world = Model()
    world.live(random.Random(1))
    ticket = world.store.messages.begin_fetch()
    world.store.messages.finish_fetch(ticket, world.server.fetch(TEA, None, 50, 50))
    world.store.apply(eg.event(UserTopicEvent, channel_id=1, topic="tea", visibility_policy=3))
    return world


def test_everything_is_there_again(tmp_path: Path) -> None:
    """Counts, names, settings and the open conversation are as they were."""
    world = lived()
    path = tmp_path / "snapshot.json"
    snapshots.save(path, world.store, [TEA])
    loaded = snapshots.load(path)
    assert loaded is not None
    assert comparable.of(loaded) == comparable.of(world.store)
    before, after = (store.messages.window(TEA).at(None) for store in (world.store, loaded))
    assert before is not None
    assert after is not None
    assert after.ids == before.ids
    assert [loaded.messages.by_id[i] for i in after.ids] == world.server.inside(TEA)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@given(st.integers(0, 2**32).map(random.Random))
def test_a_store_can_be_told_as_a_snapshot(story: random.Random) -> None:
    """Nothing that events taught is forgotten on the way to the disk."""
    world = Model()
    world.live(story)
    assert comparable.of(Store.from_snapshot(to_snapshot(world.store))) == comparable.of(
        world.store
    )


def test_all_kinds_of_conversations_survive() -> None:
    """Notes to oneself, a conversation of two, a group, a muted person."""
    moe, mary = eg.MOE, eg.MARY
    store = Store.from_snapshot(
        eg.snapshot(muted_users=(MutedUser(user_id=moe.user_id, timestamp=1),))
    )
    store.apply(eg.message_event(eg.dm(1, sender=eg.ME, to=[eg.ME])))
    store.apply(eg.message_event(eg.dm(2, sender=mary)))
    store.apply(eg.message_event(eg.dm(3, sender=mary, to=[eg.ME, moe])))
    again = Store.from_snapshot(to_snapshot(store))
    assert again.unreads.by_conversation() == store.unreads.by_conversation()
    assert again.direct_messages.by_recency() == store.direct_messages.by_recency()
    assert again.is_muted(DmNarrow(frozenset({eg.ME.user_id, moe.user_id})))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"format": 4}',
        '{"format": 99}',
        '{"format": 2, "version": "0"}',
        "[]",
        "[" * 100_000,
    ],
)
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    """The client starts all the same, and asks the server."""
    path = tmp_path / "snapshot.json"
    path.write_text(text, "utf-8")
    assert snapshots.load(path) is None


@given(st.integers(0, 2**31), st.binary(min_size=1, max_size=4), st.booleans())
def test_no_damage_stops_the_start(tmp_path: Path, place: int, dirt: bytes, is_cut: bool) -> None:
    """Whatever happened to the file: a changed one is left out, and written anew in any case."""
    path = tmp_path / "snapshot.json"
    store = Store.from_snapshot(eg.snapshot(users=(eg.ME, eg.MARY)))
    snapshots.save(path, store, [])
    whole = path.read_bytes()
    at = place % len(whole)
    path.write_bytes(whole[:at] + dirt + (b"" if is_cut else whole[at + len(dirt) :]))
    assert snapshots.load(path) is None or path.read_bytes() == whole
    snapshots.save(path, store, [])
    assert path.read_bytes() == whole


def test_a_file_of_another_version_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update what an older one wrote is not taken for what it means today."""
    path = tmp_path / "snapshot.json"
    monkeypatch.setattr(snapshots, "VERSION", "0.0.1")
    snapshots.save(path, Store.from_snapshot(eg.snapshot()), [])
    monkeypatch.undo()
    assert snapshots.load(path) is None


def test_the_beginning_of_a_conversation_is_known_offline(tmp_path: Path) -> None:
    """Where everything was loaded, nobody is asked for older messages."""
    world = lived()
    path = tmp_path / "snapshot.json"
    snapshots.save(path, world.store, [TEA])
    loaded = snapshots.load(path)
    assert loaded is not None
    before, after = (store.messages.window(TEA).at(None) for store in (world.store, loaded))
    assert before is not None
    assert after is not None
    assert after.found_oldest == before.found_oldest


def test_a_window_with_a_gap_at_its_end_is_not_passed_off_as_complete(tmp_path: Path) -> None:
    """After a jump into the past only the newest messages are kept, and they say so."""
    server = ModelServer()
    for _ in range(9):
        server.send(1, "tea", "read")
    store = Store.from_snapshot(eg.snapshot())
    ticket = store.messages.begin_fetch()
    store.messages.finish_fetch(ticket, server.fetch(AllMessages(), 20, 1, 1))
    path = tmp_path / "snapshot.json"
    snapshots.save(path, store, [AllMessages()])
    loaded = snapshots.load(path)
    assert loaded is not None
    assert not loaded.messages.window(AllMessages()).at(MessageId(20))


def test_a_large_state_is_written_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in memory for it at a time is a part: all of its JSON would be megabytes, which stay."""
    ticket = (store := Store.from_snapshot(eg.snapshot())).messages.begin_fetch()
    server = ModelServer()
    for _ in range(200):
        server.send(1, "tea", "read")
        server.send(1, "milk", "read")
    narrows = [TopicNarrow(ChannelId(1), name) for name in ("tea", "milk")]
    for narrow in narrows:
        store.messages.finish_fetch(ticket, server.fetch(narrow, None, 100, 100))
        ticket = store.messages.begin_fetch()
    longest, dumps = 0, json.dumps

    def measured(value: object, **options: Any) -> str:
        nonlocal longest
        text = dumps(value, **options)
        longest = max(longest, len(text))
        return text

    monkeypatch.setattr(json, "dumps", measured)
    path = tmp_path / "snapshot.json"
    snapshots.save(path, store, narrows)
    assert longest < path.stat().st_size * 0.6
