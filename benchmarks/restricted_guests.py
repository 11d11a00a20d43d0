"""Requests in an organization whose guests see only some of the users: for `pauses.py`. Measures nothing."""

from collections.abc import Sequence
from typing import Any

from benchmarks.large_history import key_of
from server_lite.ids import UserId
from server_lite.store import keys
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import Role

OWNER = "p0"
GUESTS = 300


def make_guests(tx: Tx, everyone: Sequence[UserId]) -> None:
    """Make users guests; all are in one channel with 5,000 users."""
    for user_id in everyone[-GUESTS:]:
        tx.run("UPDATE user SET role = ? WHERE id = ?", Role.GUEST, user_id)
    keys.insert(tx, everyone[-1], key_of(_name(tx, everyone)), "benchmark", tx.now)


def _name(db: Db, everyone: Sequence[UserId]) -> str:
    """Return the local part of the address of the guest who asks."""
    email: str = db.value("SELECT email FROM user WHERE id = ?", everyone[-1])
    return email.partition("@")[0]


def restricted_guests(
    db: Db, everyone: Sequence[UserId]
) -> list[tuple[str, str, str, str, dict[str, Any]]]:
    """Return requests of the owner, and of one of the guests whom `make_guests` made: user, name, request."""
    members = db.value("SELECT id FROM user_group WHERE name = 'role:members'")
    guest = _name(db, everyone)
    known = everyone[: 290 - 1]
    draft = {"type": "private", "to": known[:19], "topic": "", "content": "x"}
    mentions = " ".join(f"@**|{user_id}**" for user_id in everyone[:1_200])[:10_000]
    mine = "users/me/subscriptions"
    joining = {"subscriptions": [{"name": "more 7"}], "principals": everyone[-20:-10]}
    return [
        (
            OWNER,
            f"{GUESTS} guests see only some users",
            "PATCH",
            "realm",
            {"can_access_all_users_group": {"new": members}},
        ),
        (guest, "register of a guest", "POST", "register", {}),
        (guest, "people whom a guest sees", "GET", "users", {}),
        (
            guest,
            "1,000 users named by a guest",
            "POST",
            "messages",
            {"type": "direct", "to": known[:2], "content": mentions},
        ),
        (guest, "a guest's 500 drafts", "POST", "drafts", {"drafts": [draft] * 500}),
        (
            guest,
            "a guest's message to 290 people",
            "POST",
            "messages",
            {"type": "direct", "to": known, "content": "x"},
        ),
        (
            guest,
            "a guest's second message",
            "POST",
            "messages",
            {"type": "direct", "to": known, "content": "x"},
        ),
        (guest, "a guest types", "POST", "typing", {"to": known[:19], "op": "start"}),
        (guest, "a guest's presence", "POST", "users/me/presence", {"status": "active"}),
        (OWNER, "10 guests to a channel", "POST", mine, joining),
        (
            OWNER,
            "10 guests out of it",
            "DELETE",
            mine,
            {"subscriptions": ["more 7"], "principals": everyone[-20:-10]},
        ),
        (
            OWNER,
            "a member's name, with guests",
            "PATCH",
            f"users/{everyone[60]}",
            {"full_name": "New"},
        ),
        (OWNER, "a member is a guest, too", "PATCH", f"users/{everyone[61]}", {"role": 600}),
        (OWNER, "a guest is a member", "PATCH", f"users/{everyone[-2]}", {"role": 400}),
        (OWNER, "closed, with guests", "DELETE", f"users/{everyone[62]}", {}),
        (
            OWNER,
            "a message between two",
            "POST",
            "messages",
            {"type": "direct", "to": [everyone[-3]], "content": "x"},
        ),
        (
            OWNER,
            "guests see all users again",
            "PATCH",
            "realm",
            {
                "can_access_all_users_group": {
                    "new": db.value("SELECT id FROM user_group WHERE name = 'role:everyone'")
                }
            },
        ),
    ]
