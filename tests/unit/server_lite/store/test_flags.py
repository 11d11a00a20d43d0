"""Flags of messages: those sent while the user was away are marked, by whichever way they are read."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server_lite.access.recipients import address
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.ids import ChannelId, UserId
from server_lite.store import flags, messages, subscriptions
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role

COUNT = 12


class _Away(Exception):
    """Undoes the change of an example."""


def _fill(tx: Tx) -> UserId:
    users = [
        create_user(tx, email=f"{n}@x.de", full_name=n, role=Role.MEMBER, password=None)
        for n in ("ann", "ben")
    ]
    subscribe(tx, [create_channel(tx, None, name=name) for name in ("tea", "cake")], [users[1]])
    for number in range(COUNT):
        where = address(tx, users[1], "stream", ("tea", "cake")[number % 2], "topic")
        send_message(tx, users[1], where, "hello", client="test")
    where = address(tx, users[1], "direct", f"[{users[0].id}]", None)
    send_message(tx, users[1], where, "hello", client="test")
    return users[0].id


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, COUNT + 2), st.integers(0, 4) | st.none()),
        unique_by=lambda period: period[:2],
    )
)
def test_periods_in_memory_agree_with_those_of_sql(
    tmp_path: Path, periods: list[tuple[bool, int, int | None]]
) -> None:
    """A page compares its rows with the user's periods; others let SQLite do it."""
    path = tmp_path / "x.db"
    is_new = not path.exists()
    database = Database(path)
    user_id = (
        database.write_now(_fill)
        if is_new
        else UserId(database.reader.value("SELECT id FROM user WHERE email = 'ann@x.de'"))
    )

    def look(tx: Tx) -> None:
        ids: list[int] = tx.column("SELECT id FROM message")
        channels: list[ChannelId] = tx.column(
            "SELECT DISTINCT channel_id FROM message WHERE channel_id"
        )
        tx.many(
            "INSERT INTO membership (user_id, channel_id, after_id, until_id) VALUES (?, ?, ?, ?)",
            [
                (user_id, channels[which], after, None if length is None else after + length)
                for which, after, length in periods
            ],
        )
        rows = messages.fetched(tx, ids, rendered=True)
        outside = subscriptions.outside(tx, user_id, ((row[0], row[2]) for row in rows))
        assert flags.of_messages(tx, user_id, ids, outside) == flags.of_messages(tx, user_id, ids)
        raise _Away

    try:
        database.write_now(look)
    except _Away:
        pass
    finally:
        database.close()
