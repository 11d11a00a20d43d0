"""The traffic of channels: counted once an hour, however many clients start."""

from pathlib import Path

from server_lite.access.recipients import address
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.store import users
from server_lite.store.channel_traffic import (
    HOUR_SECONDS,
    RECENT_SECONDS,
    WEEK_SECONDS,
    recently_active,
    weekly,
)
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.call_counter import statements


def test_messages_are_counted_once_an_hour(tmp_path: Path) -> None:
    """All messages of four weeks: for each client that starts it would cost more the busier a channel is."""
    database = Database(tmp_path / "x.db")
    now = database.clock() // HOUR_SECONDS * HOUR_SECONDS

    def say(tx: Tx, channel_id: int) -> None:
        ann = users.by_email(tx, "p5@example.com")
        assert ann is not None
        where = address(tx, ann, "stream", str(channel_id), "tea")
        send_message(tx, ann, where, "hello", client="test")

    def talk(tx: Tx, count: int) -> int:
        ann = create_user(
            tx, email=f"p{count}@example.com", full_name="Ann", role=Role.MEMBER, password=None
        )
        row = create_channel(tx, None, name=f"channel {count}")
        subscribe(tx, [row], [ann])
        for _ in range(count):
            say(tx, row.id)
        return row.id

    tea, quiet = database.write_now(lambda tx: (talk(tx, 5), talk(tx, 0)))
    db = database.reader
    first = weekly(db, [tea], now)
    with statements(db.connection) as sql:
        again = weekly(db, [tea], now + HOUR_SECONDS - 1)
    other = weekly(db, [quiet], now + HOUR_SECONDS - 1)
    later = weekly(db, [tea, quiet], now + 5 * WEEK_SECONDS)
    assert quiet not in recently_active(db, [tea, quiet], now)
    with statements(db.connection) as sql:
        assert tea in recently_active(db, [tea], now)
    assert sql == []
    database.write_now(lambda tx: say(tx, quiet))
    assert {tea, quiet} <= recently_active(db, [tea, quiet], now)  # at once
    assert tea not in recently_active(db, [tea], now + RECENT_SECONDS + HOUR_SECONDS)
    database.close()
    assert first[tea] == again[tea] == 2  # a fourth of five, rounded up
    assert sql == []
    assert other[quiet] == 0
    assert later[tea] == 0
