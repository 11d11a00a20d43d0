"""Requests in an organization with thousands of groups and bots, and other long lists: for `pauses.py`. Measures nothing."""

from collections.abc import Sequence
from typing import Any

from server_lite.actions import outgoing_webhooks
from server_lite.ids import UserId
from server_lite.store import bots, user_groups, users
from server_lite.store.bots import BotRow, BotType
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import Role

OWNER = "p0"
GROUPS = 5_000
BOTS = 3_000
_Request = tuple[str, str, str, str, dict[str, Any]]


def make_large_lists(tx: Tx, everyone: Sequence[UserId], channel_id: int) -> None:
    """Add groups that open 480 private channels together, bots of one user, and more; `channel_id` has all users."""
    owner = everyone[0]
    tx.run("UPDATE channel SET is_archived = 0, invite_only = 0 WHERE id = ?", channel_id)
    _groups(tx, owner, everyone)
    _bots(tx, everyone[4], channel_id)
    _files(tx, channel_id)
    tx.run("UPDATE channel SET is_default = 1 WHERE id <= 20")
    tx.run(
        "UPDATE user SET settings = json_set(settings, '$.email_address_visibility', 3)"
        " WHERE bot_type IS NULL"
    )


def _groups(tx: Tx, owner: UserId, everyone: Sequence[UserId]) -> None:
    made = [
        user_groups.insert(
            tx,
            name=f"team {number}",
            description="",
            creator_id=owner,
            now=tx.now,
            group_settings={},
        )
        for number in range(GROUPS)
    ]
    for number, group_id in enumerate(made):
        members = [everyone[(number * 7 + n) % len(everyone)] for n in range(10)]
        user_groups.add_members(tx, group_id, members)
    top = user_groups.insert(
        tx, name="all teams", description="", creator_id=owner, now=tx.now, group_settings={}
    )
    user_groups.add_subgroups(tx, top, made)
    tx.run(
        "UPDATE channel SET invite_only = 1,"
        " group_settings = json_object('can_subscribe_group', ?) WHERE name LIKE 'more %'",
        top,
    )


def _bots(tx: Tx, owner: UserId, channel_id: int) -> None:
    for number in range(BOTS):
        bot_id = users.insert(
            tx,
            email=f"bot{number}-bot@example.com",
            full_name=f"Bot {number}",
            role=Role.MEMBER,
            now=tx.now,
            password=None,
            bot_type=BotType.OUTGOING_WEBHOOK,
            bot_owner_id=owner,
        )
        config = {"trigger_words": "/go"}
        bots.store(
            tx, BotRow(user_id=bot_id, config_data=config, payload_url="https://example.com")
        )
        tx.run(
            "INSERT INTO subscription (user_id, channel_id, color) VALUES (?, ?, '')",
            bot_id,
            channel_id,
        )
    outgoing_webhooks.switch(tx, is_on=True)


def _files(tx: Tx, channel_id: int) -> None:
    """Link one file in 100,000 messages, and give all subscribers of a channel messages from before they joined."""
    tx.run(
        "INSERT OR IGNORE INTO upload_link (upload_id, message_id)"
        " SELECT (SELECT min(id) FROM upload), id FROM message LIMIT 100000"
    )
    tx.run(
        "UPDATE membership SET after_id = (SELECT max(id) FROM message) WHERE channel_id = ?",
        channel_id,
    )


def large_lists(db: Db, everyone: Sequence[UserId], channel: int) -> list[_Request]:
    """Return requests of the owner and of others: user, name, request."""
    team, top = (
        db.value("SELECT id FROM user_group WHERE name = ?", name)
        for name in ("team 5", "all teams")
    )
    file = db.value("SELECT min(id) FROM upload")

    def said(text: str) -> dict[str, Any]:
        return {"type": "stream", "to": channel, "topic": "tea", "content": text[:10_000]}

    call = " ".join(f"@**Bot {number}**" for number in range(700))
    paths = db.column("SELECT path_id FROM upload ORDER BY id LIMIT 280")
    many, popular = " ".join(f"[](/user_uploads/{path})" for path in paths), paths[0]
    newcomer = {"email": "new@example.com", "full_name": "New", "password": "quite a long one"}
    hiding = {"is_private": True, "history_public_to_subscribers": False}
    members, subgroups = f"user_groups/{team}/members", f"user_groups/{top}/subgroups"
    return [
        (OWNER, f"register with {GROUPS:,} groups", "POST", "register", {}),
        (OWNER, "a member of a group more", "POST", members, {"add": [everyone[2_000]]}),
        (OWNER, "1,000 members more", "POST", members, {"add": everyone[3_000:4_000]}),
        (OWNER, "a subgroup less", "POST", subgroups, {"delete": [team]}),
        (OWNER, "a role, with these groups", "PATCH", f"users/{everyone[80]}", {"role": 300}),
        (OWNER, "closed, with these groups", "DELETE", f"users/{everyone[80]}", {}),
        (OWNER, "a message to all of them", "POST", "messages", said("@*all teams*")),
        ("p4", f"{BOTS:,} own bots", "GET", "bots", {}),
        ("p4", "a message that calls 700 bots", "POST", "messages", said(call)),
        ("p4", f"a word that calls {BOTS:,} bots", "POST", "messages", said("/go")),
        (OWNER, f"who sees {BOTS:,} bots", "PATCH", f"users/{everyone[7]}", {"role": 200}),
        (OWNER, f"an owner of {BOTS:,} bots closed", "DELETE", f"users/{everyone[4]}", {}),
        ("p2", "a message with 280 files", "POST", "messages", said(many)),
        (
            OWNER,
            "a file in 100,000 messages",
            "POST",
            "messages",
            said(f"[](/user_uploads/{popular})"),
        ),
        (OWNER, "is deleted", "DELETE", f"attachments/{file}", {}),
        (OWNER, "a new user in default channels", "POST", "users", newcomer),
        (OWNER, "who sees all addresses", "PATCH", f"users/{everyone[8]}", {"role": 200}),
        (OWNER, "a protected history", "PATCH", f"streams/{channel}", hiding),
    ]
