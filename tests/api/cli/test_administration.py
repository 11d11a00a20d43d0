"""Commands for people, channels, invitations and bots as a self-hoster's script sees them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from server_lite.cli.admin_client import ask
from server_lite.cli.output import inert
from server_lite.store import keys
from server_lite.store.database import Database
from server_lite.store.instance_lock import ServerInfo
from server_lite.store.users import Role
from tests.live import Live, live
from tests.unit.server_lite.cli.conftest import Command
from tests.unit.server_lite.cli.test_invites import join


def listed(command: Command, db: Path, *words: str) -> list[dict[str, Any]]:
    """What a command prints with --json."""
    done = command(*words, "--db", db, "--json")
    assert done.code == 0, done.err
    rows: list[dict[str, Any]] = json.loads(done.out)
    return rows


def owner_of(db: Path, key: str) -> str | None:
    """Who signs in with the key."""
    database = Database(db)
    try:
        user = keys.owner(database.reader, key)
        return None if user is None else user.email
    finally:
        database.close()


def test_a_bot_is_made_and_its_key_is_shown_again(team: Path, command: Command) -> None:
    """A script makes a bot and has its key; a new key ends the old one."""
    made = command(
        *("bot", "create", "--db", team, "--short-name", "news", "--name", "News", "--json")
    )
    bot = json.loads(made.out)
    assert bot["email"].startswith("news-bot@")
    assert owner_of(team, bot["api_key"]) == bot["email"]
    named = ("bot", "key", "--db", team, "--email", bot["email"])
    assert command(*named).out == f"{bot['api_key']}\n"
    new = command(*named, "--new").out.strip()
    assert (owner_of(team, new), owner_of(team, bot["api_key"])) == (bot["email"], None)
    (shown,) = listed(command, team, "bot", "list")
    assert (shown["kind"], shown["owner"], "api_key" in shown) == ("generic", "o@x.org", False)
    assert f"generic  {bot['email']}  o@x.org  News\n" in command("bot", "list", "--db", team).out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--kind", "clever"), "Unknown kind 'clever'"),
        (("--kind", "outgoing"), "need the URL"),
        (("--url", "http://x"), "only they take one"),
        (("--owner", "eve@x.org"), "No account has the email address"),
        (("--short-name", "a b"), "Bad name or username"),
        (("--name", "Olive"), "Name is already in use."),
    ],
)
def test_a_bot_that_makes_no_sense_is_refused(
    team: Path, command: Command, words: tuple[str, str], reason: str
) -> None:
    """One sentence says what is wrong, and there is no bot."""
    refused = command(
        *("bot", "create", "--db", team, "--short-name", "news", "--name", "News", *words)
    )
    assert (refused.code, reason in refused.err) == (1, True), refused.err
    assert listed(command, team, "bot", "list") == []


def test_an_account_is_closed_opened_and_promoted(team: Path, command: Command) -> None:
    """Somebody leaves, comes back, and takes over; the last owner cannot lock everybody out."""
    command("user", "add", "--db", team, "--email", "a@x.org", "--name", "Ann")

    def state() -> dict[str, Any]:
        rows = {row["email"]: row for row in listed(command, team, "user", "list")}
        return {name: rows["a@x.org"][name] for name in ("role", "is_active")}

    named = ("--db", team, "--email", "a@x.org")
    assert command("user", "deactivate", *named).code == 0
    assert state() == {"role": "member", "is_active": False}
    assert command("user", "reactivate", *named).code == 0
    for words, why in (
        (("deactivate",), "Cannot deactivate the only organization owner"),
        (("set-role", "--role", "member"), "cannot be removed from the only organization owner"),
    ):
        refused = command("user", *words, "--db", team, "--email", "o@x.org")
        assert (refused.code, why in refused.err) == (1, True)
    assert command("user", "set-role", *named, "--role", "owner").code == 0
    assert state() == {"role": "owner", "is_active": True}
    assert command("user", "deactivate", "--db", team, "--email", "o@x.org").code == 0


def test_channels_are_listed(team: Path, command: Command) -> None:
    """A script learns which channels there are, and how many read them."""
    command("channel", "add", "--db", team, "--name", "plans", "--private")
    rows = listed(command, team, "channel", "list")
    shown = [(row["name"], row["is_private"], row["subscribers"]) for row in rows]
    assert shown == [("welcome", False, 1), ("plans", True, 1)]
    assert "private  1  plans" in command("channel", "list", "--db", team).out


def test_invitations_are_listed_and_ended(team: Path, command: Command) -> None:
    """A link that went to the wrong person lets nobody in any more."""
    link = command("invite", "--db", team, "--many", "--role", "guest").out
    (row,) = listed(command, team, "invite", "--list")
    assert (row["role"], row["many"], "token" in row) == ("guest", True, False)
    assert "guest  many  until 20" in command("invite", "--db", team, "--list").out
    assert command("invite", "--db", team, "--revoke", str(row["invite_id"])).code == 0
    assert listed(command, team, "invite", "--list") == []
    with pytest.raises(Exception, match="not valid"):
        join(team, link, "eve")
    assert command("invite", "--db", team, "--revoke", "77").code == 1


def server_info(server: Live) -> ServerInfo:
    """How a command reaches a server of a test."""
    return ServerInfo(
        pid=1,
        host="127.0.0.1",
        port=int(server.url.rpartition(":")[2]),
        url=server.url,
        version="",
        secret=server.app.context.secret,
    )


async def test_who_is_closed_while_connected_is_cut_off(tmp_path: Path) -> None:
    """A colleague's last day: their key and their queue are gone at once, and others see it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        seen = await ann.post("register", event_types=["realm_user"])
        queue = await bob.post("register", event_types=["message"])
        poll = asyncio.create_task(bob.events(queue, block=True))
        await asyncio.to_thread(ask, server_info(server), "user_deactivate", {"email": bob.email})
        assert await poll == []
        assert (await bob.get("users/me"))["status"] == 401
        persons = [event["person"] for event in await ann.events(seen)]
        assert {"user_id": bob.id, "is_active": False} in persons
        assert server.app.queues.owner(queue["queue_id"]) is None


def test_nothing_that_a_terminal_obeys_is_printed() -> None:
    """A name of long ago or of another program cannot move my cursor."""
    assert inert("a\x1b[2Jb\u202ec\nü茶") == "a\ufffd[2Jb\ufffdc\ufffdü茶"
