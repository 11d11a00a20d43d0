"""What a newcomer finds: the newest messages of the channels they start in, and the tour, as unread."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from server_lite.actions.newcomers import HISTORY_SECONDS, MOST_UNREAD
from server_lite.actions.organization import NewOrganization, set_up_organization
from server_lite.actions.welcome_messages import TOUR
from server_lite.admin_commands import user_add
from server_lite.store.users import Role
from tests.live import CHEAP, Live, Person, live

TOUR_MESSAGES = sum(len(texts) for _, texts in TOUR)
UNREAD = {"fetch_event_types": ["message", "update_message_flags"]}


async def founded(server: Live) -> Person:
    """An organization with its tour; its owner."""
    new = NewOrganization(
        name="Tea", owner_email="old@example.com", owner_name="Old", password=None
    )
    await server.app.database.write(lambda tx: set_up_organization(tx, new))
    return await server.person("Ann", role=Role.OWNER)


async def said(person: Person, channel: str, texts: int) -> list[int]:
    """Messages in a channel, ten in each topic; their ids."""
    return [
        (
            await person.post(
                "messages", type="stream", to=channel, topic=f"t{n // 10}", content="x"
            )
        )["id"]
        for n in range(texts)
    ]


async def by_link(server: Live, ann: Person, **terms: Any) -> Person:
    """Somebody who comes by an invitation."""
    link = (await ann.post("invites/multiuse", **terms))["invite_link"]
    new = {"full_name": "Nea", "email": "nea@example.com", "password": "correct horse"}
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = (await http.post(link, json=new)).json()
    email, key = answer["email"], answer["api_key"]
    return Person(answer["user_id"], email, key, server.client(auth=(email, key)))


async def by_administrator(server: Live, ann: Person) -> Person:
    """Somebody for whom an administrator made an account."""
    password = "correct horse"
    new = {"full_name": "Nea", "email": "nea@example.com", "password": password}
    made = await ann.post("users", **new)
    signed = await ann.post("fetch_api_key", username="nea@example.com", password=password)
    client = server.client(auth=(signed["email"], signed["api_key"]))
    return Person(made["user_id"], signed["email"], signed["api_key"], client)


async def by_command(server: Live, ann: Person) -> Person:
    """Somebody for whom the owner of the machine made an account."""
    from server_lite.actions.credentials import hash_password

    hashed = hash_password(CHEAP, "correct horse")
    given = {"email": "nea@example.com", "full_name": "Nea", "role": "member"}
    made = await server.app.database.write(lambda tx: user_add(tx, password_hash=hashed, **given))
    signed = await ann.post("fetch_api_key", username="nea@example.com", password="correct horse")
    client = server.client(auth=(signed["email"], signed["api_key"]))
    return Person(made["user_id"], signed["email"], signed["api_key"], client)


def unread_of(state: dict[str, Any]) -> list[int]:
    """Every unread channel message that register tells of, ascending."""
    streams = state["unread_msgs"]["streams"]
    return sorted(each for one in streams for each in one["unread_message_ids"])


@pytest.mark.parametrize("come", [by_link, by_administrator, by_command])
async def test_a_newcomer_finds_what_is_going_on(tmp_path: Path, come: Any) -> None:
    """The newest messages and the tour are unread, and the feed goes further back."""
    async with live(tmp_path) as server:
        ann = await founded(server)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "welcome"}])
        talk = await said(ann, "welcome", MOST_UNREAD + 15)
        more = {"include_realm_default_subscriptions": True} if come is by_link else {}
        nea = await come(server, ann, **more)
        state = await nea.post("register", **UNREAD)
        unread = unread_of(state)
        assert unread[-MOST_UNREAD:] == talk[-MOST_UNREAD:]
        assert len(unread) == MOST_UNREAD + TOUR_MESSAGES
        feed = await nea.get("messages", anchor="newest", num_before=200, num_after=0)
        seen = [message["id"] for message in feed["messages"]]
        assert set(talk) < set(seen)
        assert len(seen) == len(talk) + TOUR_MESSAGES
        mine = {one["id"]: one["flags"] for one in feed["messages"]}
        assert mine[talk[0]] == ["historical", "read"]
        assert mine[talk[-1]] == ["historical"]


async def test_old_and_closed_history_is_not_given(tmp_path: Path) -> None:
    """What is months old, and what a private channel keeps from those who come later."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        vault = await ann.post(
            "channels/create",
            name="vault",
            subscribers=[ann.id],
            invite_only=True,
            history_public_to_subscribers=False,
        )
        old = await said(ann, "tea", 2)
        long_ago = time.time() - HISTORY_SECONDS - 60
        await server.app.database.write(
            lambda tx: tx.run("UPDATE message SET timestamp = ?", long_ago)
        )
        new = await said(ann, "tea", 2)
        await said(ann, "vault", 2)
        nea = await by_link(server, ann, stream_ids=[tea["id"], vault["id"]])
        assert unread_of(await nea.post("register", **UNREAD)) == new
        feed = await nea.get("messages", anchor="newest", num_before=200, num_after=0)
        assert [message["id"] for message in feed["messages"]] == new
        told = await said(ann, "vault", 1)
        assert unread_of(await nea.post("register", **UNREAD)) == [*new, *told]
        assert old[0] not in [message["id"] for message in feed["messages"]]
