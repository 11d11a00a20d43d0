"""Pending calls of outgoing webhooks: what is next is found as fast among thousands."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from server_lite.access.recipients import ChannelRecipient
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.ids import UserId
from server_lite.store import outgoing_webhooks as calls
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.call_counter import virtual_steps

BOTS = 3
NOW = 50.0


def _calls(tx: Tx, count: int) -> list[UserId]:
    """Add calls of some bots, due at 1, 2, 3 …; those of the last bot are put off."""
    people = [
        create_user(tx, email=f"b{n}@x.de", full_name=f"b {n}", role=Role.MEMBER, password=None)
        for n in range(BOTS)
    ]
    bots = [one.id for one in people]
    channel = create_channel(tx, None, name="tea")
    subscribe(tx, [channel], people)
    sent = send_message(tx, people[0], ChannelRecipient(channel, "t"), "x", client="test")
    for number in range(count):
        calls.insert_all(tx, sent.id, dict.fromkeys(bots, "mention"), due=number + 1)
    tx.run("UPDATE outgoing_call SET due = 1e9 WHERE bot_id = ?", bots[-1])
    return bots


def _steps(path: Path, count: int) -> list[int]:
    """Return SQLite's steps for the bots that are due, and for the next call of each."""
    database = Database(path)
    bots = database.write_now(lambda tx: _calls(tx, count))
    reader = database.reader
    assert calls.bots_due(reader, NOW) == bots[:-1]
    first = calls.next_due(reader, bots[1], NOW)
    assert first is not None
    assert (first.bot_id, first.due) == (bots[1], 1)
    assert calls.next_due(reader, bots[-1], NOW) is None
    works: list[Callable[[], object]] = [lambda: calls.bots_due(reader, NOW)]
    works += [partial(calls.next_due, reader, bot, NOW) for bot in bots]
    steps = [virtual_steps(reader.connection, work) for work in works]
    database.close()
    return steps


def test_the_next_calls_cost_the_same_with_more_that_wait(tmp_path: Path) -> None:
    """600,000 calls of programs that are slow held everybody for 190 ms, every second."""
    few, many = _steps(tmp_path / "few.db", 20), _steps(tmp_path / "many.db", 400)
    assert many == pytest.approx(few, abs=20)
