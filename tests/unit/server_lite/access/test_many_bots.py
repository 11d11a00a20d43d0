"""Users with many bots, and messages that call many: changes that cost the same with more of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server_lite.access.recipients import ChannelRecipient
from server_lite.actions import outgoing_webhooks, users
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.users import create_user
from server_lite.admin_commands import run_part
from server_lite.ids import UserId
from server_lite.store import bots
from server_lite.store.bots import BotRow, BotType
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow, active_ids, bots_of
from tests.call_counter import statements


def _found(tx: Tx, count: int) -> UserRow:
    """Create an owner with outgoing webhooks, and a channel."""
    owner = create_user(tx, email="o@x.de", full_name="owner", role=Role.MEMBER, password=None)
    for n in range(count):
        bot = create_user(
            tx,
            email=f"b{n}@x.de",
            full_name=f"bot {n}",
            role=Role.MEMBER,
            password=None,
            bot_type=BotType.OUTGOING_WEBHOOK,
            bot_owner_id=owner.id,
        )
        bots.store(tx, BotRow(user_id=bot.id, config_data={"trigger_words": "/go"}))
    outgoing_webhooks.switch(tx, is_on=True)
    return owner


def test_bots_of_a_closed_account_are_closed_some_at_a_time(tmp_path: Path) -> None:
    """5,000 bots that were closed at once held all others for 42 seconds. The account itself is closed last."""
    database = Database(tmp_path / "x.db")
    owner = database.write_now(lambda tx: _found(tx, 2 * users.BOTS + 1))
    closed: list[int] = []

    def step(tx: Tx) -> bool:
        before = active_ids(tx)
        is_left = run_part(tx, "user_deactivate", {"email": owner.email})
        closed.append(len(before - active_ids(tx)))
        assert owner.id in active_ids(tx)
        return is_left

    while database.write_now(step):
        pass
    assert closed == [users.BOTS, users.BOTS]

    def last(tx: Tx) -> frozenset[UserId]:
        users.deactivate(tx, owner)
        assert not active_ids(tx) & {owner.id, *(bot.id for bot in bots_of(tx, owner.id))}
        return frozenset(tx.ended_queues)

    assert len(database.write_now(last)) == 2
    database.close()


def _calling(tx: Tx, owner: UserRow, text: Callable[[list[UserRow]], str]) -> None:
    channel = create_channel(tx, owner, name="c")
    content = text(bots_of(tx, owner.id))
    send_message(tx, owner, ChannelRecipient(channel, "t"), content, client="test")


@pytest.mark.parametrize(
    "text",
    [lambda _: "/go", lambda rows: " ".join(f"@**{one.full_name}**" for one in rows)],
)
def test_calling_more_bots_takes_no_more_statements(tmp_path: Path, text: Any) -> None:
    def count(number: int) -> int:
        database = Database(tmp_path / f"{number}.db")
        owner = database.write_now(lambda tx: _found(tx, number))
        with statements(database._writer) as sql:
            database.write_now(lambda tx: _calling(tx, owner, text))
        called = database.reader.value("SELECT count(*) FROM outgoing_call")
        database.close()
        assert called == number
        return len(sql)

    assert count(3) == count(12)
