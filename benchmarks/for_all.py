"""Changes of topics and groups that concern each of 5,000 people: for `pauses.py`. Measures nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.large_history import EVERYBODY, GROUPS
from server_lite.ids import UserId
from server_lite.store.connection import Db

OWNER = "p0"


def for_all(
    db: Db, everyone: Sequence[UserId], newest: Mapping[str, int], public: int
) -> list[tuple[str, str, str, str, dict[str, Any]]]:
    """Return requests of the owner: user, name, request.

    `newest` has the newest message of each topic of `FOR_ALL`; `public` is a channel with a tenth of all users.
    """
    channel, closed = (
        db.value("SELECT id FROM channel WHERE name = ?", name) for name in (EVERYBODY, "closed")
    )
    opening, nested = (
        db.value("SELECT id FROM user_group WHERE name = ?", name)
        for name in ("opening", f"group {GROUPS - 1}")
    )

    def patched(name: str, **parameters: Any) -> tuple[str, str, str, str, dict[str, Any]]:
        form = {"propagate_mode": "change_all", **parameters}
        return OWNER, name, "PATCH", f"messages/{newest[name]}", form

    members = f"user_groups/{opening}/members"
    mine = "users/me/subscriptions"
    active = everyone[1_000:2_000]
    addresses = db.column("SELECT email FROM user WHERE id BETWEEN ? AND ?", active[0], active[-1])
    theirs = db.column(
        "SELECT channel_id FROM subscription WHERE user_id = ? AND active", everyone[0]
    )
    called = newest["called, to be deleted"]
    deleted = "unread, to be deleted"
    return [
        patched("unread, to a public channel", stream_id=public, topic="a"),
        patched("unread, to a private channel", stream_id=closed, topic="b"),
        patched("called, to a private channel", stream_id=closed, topic="c"),
        (OWNER, "called, to be deleted", "DELETE", f"messages/{called}", {}),
        (OWNER, deleted, "POST", f"streams/{channel}/delete_topic", {"topic_name": deleted}),
        (
            OWNER,
            "old messages may be edited",
            "PATCH",
            "realm",
            {"message_content_edit_limit_seconds": "unlimited"},
        ),
        patched("called, to be edited", content="x", propagate_mode="change_one"),
        patched("followed, to be renamed", topic="d"),
        patched("followed, to be resolved", topic="✔ followed, to be resolved"),
        (OWNER, "1,000 members open a channel", "POST", members, {"add": everyone[1000:2000]}),
        (OWNER, "and 1,000 others leave it", "POST", members, {"delete": everyone[1000:2000]}),
        (
            OWNER,
            f"a group of {GROUPS} opens it",
            "POST",
            f"user_groups/{opening}/subgroups",
            {"add": [nested]},
        ),
        (OWNER, "only old members are full", "PATCH", "realm", {"waiting_period_threshold": 30}),
        (OWNER, "a member becomes a guest", "PATCH", f"users/{everyone[50]}", {"role": 600}),
        (
            OWNER,
            "1,000 people to a new channel",
            "POST",
            mine,
            {"subscriptions": [{"name": "all at once"}], "principals": active},
        ),
        (
            OWNER,
            "1,000 out, by their addresses",
            "DELETE",
            mine,
            {"subscriptions": ["all at once"], "principals": addresses},
        ),
        (
            OWNER,
            "200 settings of subscriptions",
            "POST",
            f"{mine}/properties",
            {
                "subscription_data": [
                    {"stream_id": one, "property": "is_muted", "value": True}
                    for one in theirs[:200]
                ]
            },
        ),
        (
            OWNER,
            "a new group of 900 and 90 groups",
            "POST",
            "user_groups/create",
            {
                "name": "large",
                "description": "",
                "members": active[:900],
                "subgroups": db.column("SELECT id FROM user_group WHERE id > 100 LIMIT 90"),
            },
        ),
        (
            OWNER,
            "presence of 5,000",
            "POST",
            "users/me/presence",
            {"status": "active", "ping_only": False, "new_user_input": True},
        ),
    ]
