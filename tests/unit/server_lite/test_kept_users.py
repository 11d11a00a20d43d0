"""The list of users that is kept for all clients: after a change it is copied from before, but for what changed."""

from collections.abc import Callable
from pathlib import Path

import orjson

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.events.base import ClientCapabilities
from server_lite.ids import ChannelId, UserId
from server_lite.objects.encoded import open_object
from server_lite.snapshot.base import SnapshotRequest
from server_lite.snapshot.users import people
from server_lite.store import profile_fields, settings, subscriptions, users
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.profile_fields import FieldForm, ValueRow
from server_lite.store.users import Role
from tests.call_counter import calls

ROLES = (Role.OWNER, Role.MEMBER, Role.GUEST)


def join(tx: Tx, name: str, role: Role = Role.MEMBER) -> UserId:
    return create_user(tx, email=f"{name}@example.com", full_name=name, role=role, password=None).id


def listed(db: Db, user_id: UserId) -> bytearray:
    user = users.by_id(db, user_id)
    assert user is not None
    return open_object(people(db, SnapshotRequest(user=user, shape=ClientCapabilities(), now=1.0)))


def test_kept_users_are_those_on_disk_after_every_change(tmp_path: Path) -> None:
    """A name, an address, a value of a profile, who comes and who goes, another domain."""
    database = Database(tmp_path / "x.db")
    db = database.reader
    ids = database.write_now(lambda tx: [join(tx, role.name, role) for role in ROLES])
    ann, ben, cleo = ids
    field = database.write_now(
        lambda tx: profile_fields.insert(tx, 1, FieldForm(name="Pet", hint=""))
    )
    changes: list[Callable[[Tx], object]] = [
        lambda tx: users.set_value(tx, ben, "full_name", "Benjamin"),
        lambda tx: profile_fields.set_value(tx, ValueRow(ben, field, "cat", None)),
        lambda tx: users.set_settings(tx, ann, {"email_address_visibility": 3}),
        lambda tx: profile_fields.set_value(tx, ValueRow(cleo, field, "dog", None)),
        lambda tx: users.set_value(tx, cleo, "is_active", False),
        lambda tx: join(tx, "dan"),
        lambda tx: profile_fields.delete_value(tx, ben, field),
        lambda tx: settings.store(tx, "domain", "example.net"),
        lambda tx: settings.store(tx, "about", "no user"),
        lambda tx: profile_fields.set_value(tx, ValueRow(ann, field, "owl", None)),
        lambda tx: users.set_value(tx, cleo, "is_active", True),
    ]
    seen = set()
    for change in changes:
        database.write_now(change)
        for user_id in ids:
            kept = orjson.loads(listed(db, user_id) + b"}")
            assert kept == orjson.loads(listed(Db(db.connection), user_id) + b"}")
        seen.add(bytes(listed(db, ann)))
    assert len(seen) == len(changes) - 1
    database.close()


def test_a_change_of_a_user_costs_the_next_start_few_calls_for_each_other(tmp_path: Path) -> None:
    """All were read and encoded again: 10 ms for 1,000 people, and for each role that starts then."""
    database = Database(tmp_path / "x.db")

    def work(names: range) -> int:
        ann, *_ = database.write_now(lambda tx: [join(tx, f"p{name}") for name in names])

        def rename(name: str) -> int:
            database.write_now(lambda tx: users.set_value(tx, ann, "full_name", name))
            return calls(lambda: listed(database.reader, ann))

        rename("Anna")
        return rename("Ann")

    work(range(10))  # what is then kept, compiled methods of dataclasses among it
    few, many = work(range(10, 20)), work(range(20, 60))
    database.close()
    assert (many - few) / 40 <= 7


def test_subscribers_are_listed_anew_only_when_who_is_there_changes(tmp_path: Path) -> None:
    """Of all tables this one has the most rows that a start counts: a name changes none of them."""
    database = Database(tmp_path / "x.db")
    db = database.reader

    def subscribed(tx: Tx) -> tuple[UserId, ChannelId]:
        ids = [join(tx, name) for name in ("ann", "ben")]
        channel = create_channel(tx, None, name="tea")
        subscribe(tx, [channel], users.by_ids(tx, ids))
        return ids[1], channel.id

    ben, channel_id = database.write_now(subscribed)
    listed = subscriptions.all_subscribers(db)
    counted = subscriptions.all_subscriber_counts(db)
    database.write_now(lambda tx: users.set_value(tx, ben, "full_name", "Benjamin"))
    assert subscriptions.all_subscribers(db) is listed
    assert subscriptions.all_subscriber_counts(db) is counted
    assert counted[channel_id] == listed[channel_id][0] == 2
    database.write_now(lambda tx: users.set_value(tx, ben, "is_active", False))
    number, ids = subscriptions.all_subscribers(db)[channel_id]
    assert subscriptions.all_subscriber_counts(db)[channel_id] == number == 1
    assert ben not in orjson.loads(ids)
    database.close()
