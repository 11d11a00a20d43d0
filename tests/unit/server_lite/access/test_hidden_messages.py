"""Messages that a newly protected history hides are read, however many users and messages one transaction takes."""

from functools import partial
from pathlib import Path

import pytest

from server_lite.access.recipients import ChannelRecipient
from server_lite.actions import channels
from server_lite.actions.flags import clear_flag
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.ids import ChannelId, UserId
from server_lite.store import flags, unread_messages
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role

PEOPLE = 5


def _found(tx: Tx) -> tuple[ChannelId, list[UserId], list[int]]:
    """Return a channel, users with all its messages unread, and these; users were subscribed before the last one."""
    people = [
        create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=Role.MEMBER, password=None)
        for n in range(PEOPLE + 1)
    ]
    channel = channels.create_channel(tx, people[0], name="c")

    def say() -> int:
        sent = send_message(tx, people[0], ChannelRecipient(channel, "t"), "x", client="test")
        return sent.id

    subscribe(tx, [channel], people[:1])
    ids = [say() for _ in range(4)]
    subscribe(tx, [channel], people[1:])
    ids.append(say())
    for person in people[1:]:
        clear_flag(tx, person, flags.READ, ids)
    return channel.id, [person.id for person in people[1:]], ids


def _unread(db: Db, people: list[UserId], ids: list[int]) -> list[set[int]]:
    return [unread_messages.among(db, user_id, ids) for user_id in people]


@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.parametrize(("subscribers", "hidden"), [(2, 1), (3, 7), (5, 2), (20, 500)])
def test_what_is_hidden_is_read_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subscribers: int, hidden: int, copied: bool
) -> None:
    """A channel of 5,000 users that got a protected history held all others for 8 seconds."""
    monkeypatch.setattr(channels, "SUBSCRIBERS", subscribers)
    monkeypatch.setattr(channels, "UNREAD", hidden)
    database = Database(tmp_path / "x.db")
    channel_id, people, ids = database.write_now(_found)
    if copied:
        database.write_now(unread_messages.rebuild_by_user)
    assert _unread(database.reader, people, ids) == [{*ids}] * PEOPLE
    place: channels.HiddenPlace | None = channels.HiddenPlace()
    while place is not None:
        before = sum(map(len, _unread(database.reader, people, ids)))
        step = partial(channels.read_hidden, channel_id=channel_id, place=place)
        place = database.write_now(step)
        assert before - sum(map(len, _unread(database.reader, people, ids))) <= subscribers * hidden
    assert _unread(database.reader, people, ids) == [{ids[-1]}] * PEOPLE
    database.close()
