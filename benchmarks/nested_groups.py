"""Requests where each of 480 channels is opened by another group, and groups are nested: for `pauses.py`. Measures nothing."""

import random
from collections.abc import Sequence
from typing import Any

from server_lite.actions.channels import NewChannel, create_channel
from server_lite.ids import UserId
from server_lite.store import user_groups
from server_lite.store.connection import Db
from server_lite.store.database import Tx

OWNER = "p0"
NESTED = 3_000
DEFAULT_CHANNELS = 480
_Request = tuple[str, str, str, str, dict[str, Any]]


def make_nested_groups(tx: Tx, everyone: Sequence[UserId]) -> None:
    """Add groups, each of which contains the one before; another one opens each channel with a tenth of all users."""
    inner: list[int] = []
    rnd = random.Random(3)
    made = []
    for number in range(NESTED):
        group_id = user_groups.insert(
            tx,
            name=f"nested {number}",
            description="",
            creator_id=everyone[0],
            now=tx.now,
            group_settings={},
        )
        members = [everyone[(number * 11 + n) % len(everyone)] for n in range(10)]
        user_groups.add_members(tx, group_id, members)
        user_groups.add_subgroups(tx, group_id, inner)
        inner = [group_id]
        made.append(group_id)
    channel_ids = tx.column("SELECT id FROM channel WHERE name LIKE 'more %' ORDER BY id")
    tx.many(
        "UPDATE channel SET invite_only = 1, group_settings = json_object("
        "'can_subscribe_group', json_object('direct_members', json_array(?1), 'direct_subgroups', json_array(?2)),"
        " 'can_send_message_group', ?3) WHERE id = ?4",
        [
            (everyone[number], made[-1 - 6 * number], made[-1], channel_id)
            for number, channel_id in enumerate(channel_ids)
        ],
    )
    for number in range(DEFAULT_CHANNELS):
        channel = create_channel(
            tx, None, name=f"default {number}", options=NewChannel(is_default=True)
        )
        there = [(user_id, channel.id) for user_id in rnd.sample(everyone, 100)]
        tx.many(
            "INSERT INTO subscription (user_id, channel_id, color) VALUES (?, ?, '#aabbcc')", there
        )
    tx.run("UPDATE channel SET is_archived = 0")


def nested_groups(db: Db, everyone: Sequence[UserId], channel: int) -> list[_Request]:
    """Return requests of the owner and of others: user, name, request. `channel` has all users."""
    names = db.column("SELECT name FROM channel WHERE name LIKE 'more %' ORDER BY id")
    inside = db.column(
        "SELECT user_id FROM subscription JOIN channel ON channel.id = channel_id"
        " JOIN user ON user.id = user_id WHERE channel.name = ? AND active AND user.is_active"
        " AND user.role = 400 ORDER BY user_id",
        names[0],
    )
    group = db.value("SELECT id FROM user_group WHERE name = 'nested 5'")
    opened = db.value("SELECT id FROM channel WHERE name = ?", names[5])
    everybody = db.value("SELECT name FROM channel WHERE id = ?", channel)
    mine = "users/me/subscriptions"
    newcomer = {"email": "newer@example.com", "full_name": "Newer", "password": "quite a long one"}
    posted = {"type": "stream", "to": opened, "topic": "tea", "content": "x"}
    add = {"subscriptions": [{"name": names[3]}], "principals": everyone[2_001:2_002]}
    return [
        (OWNER, f"register with {NESTED:,} nested groups", "POST", "register", {}),
        (OWNER, "a post where they may", "POST", "messages", posted),
        (
            OWNER,
            "a member of a nested group",
            "POST",
            f"user_groups/{group}/members",
            {"add": [everyone[2_000]]},
        ),
        (OWNER, "a post after that", "POST", "messages", posted),
        (OWNER, "one who joins a channel of theirs", "POST", mine, add),
        (
            OWNER,
            "10 people to 480 of theirs",
            "POST",
            mine,
            {
                "subscriptions": [{"name": name} for name in names],
                "principals": everyone[2_002:2_012],
            },
        ),
        (OWNER, "a role, with these settings", "PATCH", f"users/{inside[40]}", {"role": 300}),
        (OWNER, "closed, with these settings", "DELETE", f"users/{inside[41]}", {}),
        (OWNER, "opened again, with these settings", "POST", f"users/{inside[41]}/reactivate", {}),
        (
            OWNER,
            "a new name, with these settings",
            "PATCH",
            f"streams/{opened}",
            {"new_name": "opened by groups"},
        ),
        (
            OWNER,
            "a group less of them",
            "POST",
            f"user_groups/{group + 1}/subgroups",
            {"delete": [group]},
        ),
        (
            OWNER,
            "another group opens it",
            "PATCH",
            f"streams/{opened}",
            {"can_subscribe_group": {"new": group}},
        ),
        (OWNER, f"a new user in {DEFAULT_CHANNELS} channels", "POST", "users", newcomer),
        (OWNER, "a channel is archived", "DELETE", f"streams/{channel}", {}),
        (OWNER, "and unarchived", "PATCH", f"streams/{channel}", {"is_archived": False}),
        (
            OWNER,
            "1,000 people out of a channel",
            "DELETE",
            mine,
            {
                "subscriptions": [everybody],
                "principals": everyone[500:1_500],
            },
        ),
        (
            OWNER,
            "1,000 people into it",
            "POST",
            mine,
            {"subscriptions": [{"name": everybody}], "principals": everyone[500:1_500]},
        ),
    ]
