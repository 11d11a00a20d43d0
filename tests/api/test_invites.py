"""Invitations over the wire: made, listed, revoked, renewed, and how somebody comes by one."""

import asyncio
from pathlib import Path
from typing import Any

import httpx

from server_lite.store.users import Role
from tests.live import Live, Person, live

NEW = {"full_name": "Nea", "email": "nea@example.com", "password": "correct horse"}


async def come(link: str, **fields: Any) -> dict[str, Any]:
    """Join by a link, as a program does."""
    async with httpx.AsyncClient(trust_env=False) as http:
        response = await http.post(link, json=NEW | fields)
        answer: dict[str, Any] = response.json()
        return answer | {"status": response.status_code}


async def link_of(person: Person, **more: Any) -> str:
    """A link that many can use."""
    answer = await person.post("invites/multiuse", **more)
    link: str = answer["invite_link"]
    return link


def signed_in(server: Live, answer: dict[str, Any]) -> Person:
    """Who has just joined."""
    email, key = answer["email"], answer["api_key"]
    return Person(answer["user_id"], email, key, server.client(auth=(email, key)))


async def test_a_link_brings_somebody_in(tmp_path: Path) -> None:
    """Who comes by a link has the role, channels and groups that it gives, and is signed in."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        team = await ann.post("user_groups/create", name="t", description="", members=[])
        link = await link_of(
            ann,
            invite_as=300,
            stream_ids=[tea["id"]],
            group_ids=[team["group_id"]],
            welcome_message_custom_text="Hello **you**",
        )
        queue = await ann.post("register", event_types=["invites_changed", "realm_user"])
        answer = await come(link)
        nea = signed_in(server, answer)
        assert (await nea.get("users/me"))["role"] == 300
        mine = await nea.get("users/me/subscriptions")
        assert [one["name"] for one in mine["subscriptions"]] == ["tea"]
        inside = await nea.get(f"user_groups/{team['group_id']}/members")
        assert inside["members"] == [nea.id]
        mail = await nea.get("messages", anchor="newest", num_before=5, num_after=0)
        assert [m["content"] for m in mail["messages"]] == ["<p>Hello <strong>you</strong></p>"]
        types = [event["type"] for event in await ann.events(queue)]
        assert types.count("invites_changed") == 1
        assert "realm_user" in types
        password = await ann.post("fetch_api_key", username=NEW["email"], password=NEW["password"])
        assert password["user_id"] == nea.id


async def test_one_person_comes_by_a_link_for_one(tmp_path: Path) -> None:
    """Of many who open the link for one person at once, one has an account afterwards."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post("invites", invitee_emails="nea@example.com", stream_ids=[])
        link = made["invite_links"]["nea@example.com"]
        answers = await asyncio.gather(*(come(link, full_name=f"N{n}") for n in range(8)))
        assert sorted(answer["status"] for answer in answers) == [200, *[400] * 7]
        everybody = await ann.get("users")
        assert len(everybody["members"]) == 2
        assert (await ann.get("invites"))["invites"] == []
        told = await ann.get("messages", anchor="newest", num_before=1, num_after=0)
        assert "accepted your invitation" in told["messages"][0]["content"]


async def test_an_invitation_for_one_is_for_that_one(tmp_path: Path) -> None:
    """The address of an invitation cannot be exchanged for another, and need not be repeated."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post("invites", invitee_emails="nea@example.com", stream_ids=[])
        link = made["invite_links"]["nea@example.com"]
        other = await come(link, email="eve@example.com")
        assert other["msg"] == "This invitation is for nea@example.com."
        assert (await come(link, email=""))["email"] == "nea@example.com"


async def test_a_link_that_ended_lets_nobody_in(tmp_path: Path) -> None:
    """Revoked, expired, unknown, or of an inviter who left or lost the right: it is all the same."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        eve = await server.person("Eve", role=Role.ADMINISTRATOR)
        revoked = await link_of(root)
        (listed,) = (await root.get("invites"))["invites"]
        await root.delete(f"invites/multiuse/{listed['id']}")
        expired = await link_of(root, invite_expires_in_minutes=1)
        moderator = await link_of(ann, invite_as=200)
        await root.patch(f"users/{ann.id}", role=400)
        left = await link_of(eve)
        await root.delete(f"users/{eve.id}")
        await server.app.database.write(lambda tx: tx.run("UPDATE invite SET expires = expires-60"))
        answers = [await come(link) for link in (revoked, expired, moderator, left, expired + "x")]
        assert {(answer["status"], answer["msg"]) for answer in answers} == {
            (400, "This invitation is not valid: it was used, revoked, or is too old.")
        }
        assert len((await root.get("users"))["members"]) == 3


async def test_invitations_are_listed_until_they_end(tmp_path: Path) -> None:
    """Everybody sees their own, administrators all, and nobody a link to more than they are."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        await root.post("invites", invitee_emails="a@x.example\nb@x.example", stream_ids=[])
        link = await link_of(root, invite_as=100, invite_expires_in_minutes=None)
        assert (await bob.get("invites"))["invites"] == []
        seen = (await ann.get("invites"))["invites"]
        assert [one.get("email") for one in seen] == ["a@x.example", "b@x.example", None]
        assert "link_url" not in seen[2]
        mine = (await root.get("invites"))["invites"][2]
        assert mine == {
            "id": seen[2]["id"],
            "invited_by_user_id": root.id,
            "invited": mine["invited"],
            "expiry_date": None,
            "invited_as": 100,
            "notify_referrer_on_join": False,
            "is_multiuse": True,
            "link_url": link,
        }
        assert seen[0]["expiry_date"] - seen[0]["invited"] == 10 * 24 * 3600
        token = link.rpartition("/")[2].encode()
        files = [path.read_bytes() for path in files_of(tmp_path)]
        assert not any(token in file for file in files)


def files_of(folder: Path) -> list[Path]:
    """What is on disk."""
    return list(folder.iterdir())


async def test_revoking_says_what_it_found(tmp_path: Path) -> None:
    """Unknown, revoked before, and not mine to revoke are told apart."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        await link_of(root, invite_as=100)
        await root.post("invites", invitee_emails="a@x.example", stream_ids=[])
        many, one = [row["id"] for row in (await root.get("invites"))["invites"]]
        for path in ("invites/multiuse/99", f"invites/multiuse/{one}", f"invites/{many}"):
            refused = await root.delete(path)
            assert (refused["status"], refused["msg"]) == (400, "No such invitation")
        refused = await bob.delete(f"invites/multiuse/{many}")
        assert refused["msg"] == "Must be an organization administrator"
        refused = await ann.delete(f"invites/multiuse/{many}")
        assert refused["msg"] == "Must be an organization owner"
        assert (await root.delete(f"invites/multiuse/{many}"))["result"] == "success"
        again = await root.delete(f"invites/multiuse/{many}")
        assert (again["code"], again["msg"]) == (
            "BAD_REQUEST",
            "Invitation has already been revoked",
        )
        queue = await root.post("register", event_types=["invites_changed"])
        own = await ann.post("register", event_types=["invites_changed"])
        others = await bob.post("register", event_types=["invites_changed"])
        again = await ann.post(f"invites/{one}/resend")
        assert "/join/" in again["invite_link"]
        assert (await ann.delete(f"invites/{one}"))["result"] == "success"
        assert [event["type"] for event in await root.events(queue)] == ["invites_changed"] * 2
        assert [event["type"] for event in await ann.events(own)] == ["invites_changed"] * 2
        assert await bob.events(others) == []
        await bob.post("invites", invitee_emails="b@x.example", stream_ids=[])
        assert [event["type"] for event in await bob.events(others)] == ["invites_changed"]
        assert (await ann.delete(f"invites/{one}"))["msg"] == "No such invitation"
        assert (await ann.post(f"invites/{one}/resend"))["msg"] == "No such invitation"


async def test_nobody_invites_beyond_their_rights(tmp_path: Path) -> None:
    """Roles, channels, groups and words that the inviter may not give are refused."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        bob, gus = await server.person("Bob"), await server.person("Gus", role=Role.GUEST)
        secret = await root.post(
            "channels/create", name="s", subscribers=[root.id], invite_only=True
        )
        team = await root.post("user_groups/create", name="t", description="", members=[])
        ask: dict[str, Any] = {"invitee_emails": "a@x.example", "stream_ids": []}
        for more, reason in (
            ({"invite_as": 100}, "Must be an organization owner"),
            ({"invite_as": 200}, "Must be an organization administrator"),
            ({"invite_as": 300}, "Must be an organization administrator"),
            ({"invite_as": 500}, "Invalid invite_as"),
            ({"stream_ids": [secret["id"]]}, f"Invalid channel ID {secret['id']}. No invites"),
            ({"stream_ids": [999]}, "Invalid channel ID 999. No invites were sent."),
            ({"stream_ids": f"[{2**70}]"}, "stream_ids holds a number that is too large"),
            ({"group_ids": [team["group_id"]]}, "Insufficient permission"),
            ({"group_ids": [999]}, "Invalid user group"),
            ({"welcome_message_custom_text": "x"}, "Insufficient permission"),
            ({"invite_expires_in_minutes": 0}, "Invalid invite_expires_in_minutes"),
            ({"invite_expires_in_minutes": 2**62}, "Invalid invite_expires_in_minutes"),
            ({"invite_expires_in_minutes": "x"}, "invite_expires_in_minutes is not an integer"),
            ({"invitee_emails": " ,\n"}, "You must specify at least one email address."),
        ):
            refused = await bob.post("invites", **ask | more)
            assert (refused["status"], refused["msg"].startswith(reason)) == (400, True), refused
        assert (await gus.post("invites", **ask))["msg"] == "Insufficient permission"
        assert (await bob.post("invites/multiuse"))["msg"] == "Insufficient permission"
        missing = await bob.post("invites", invitee_emails="a@x.example")
        assert missing["var_name"] == "stream_ids"
        assert (await root.get("invites"))["invites"] == []


async def test_addresses_in_use_are_told_and_the_others_invited(tmp_path: Path) -> None:
    """One address that has an account does not keep the others out; a malformed one does."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        ask: dict[str, Any] = {"stream_ids": []}
        refused = await ann.post("invites", invitee_emails="no, b@x.example", **ask)
        assert (refused["code"], refused["sent_invitations"]) == ("INVITATION_FAILED", False)
        assert refused["errors"] == [["no", "Enter a valid email address.", False]]
        refused = await ann.post("invites", invitee_emails="ann@example.com", **ask)
        assert refused["sent_invitations"] is False
        assert (await ann.get("invites"))["invites"] == []
        partly = await ann.post("invites", invitee_emails="ann@example.com,b@x.example", **ask)
        assert partly["sent_invitations"] is True
        assert partly["errors"] == [["ann@example.com", "Already has an account.", False]]
        (left,) = (await ann.get("invites"))["invites"]
        assert left["email"] == "b@x.example"


async def test_what_newcomers_write_is_checked(tmp_path: Path) -> None:
    """A name, address or password that does not do is refused, and the link is still good."""
    async with live(tmp_path, dev=False) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        link = await link_of(ann)
        for fields, reason in (
            ({"full_name": ""}, "Name too short!"),
            ({"full_name": None}, "Missing 'full_name' argument"),
            ({"full_name": 1}, "full_name is not a string"),
            ({"email": "ann@example.com"}, "Email is already in use."),
            ({"email": "x"}, "Enter a valid email address."),
            ({"email": 1}, "email is not a string"),
            ({"password": "short"}, "The password is too short"),
            ({"password": None}, "Missing 'password' argument"),
        ):
            refused = await come(link, **fields)
            assert (refused["status"], refused["msg"].startswith(reason)) == (400, True), refused
        assert (await come(link))["status"] == 200


async def test_a_browser_gets_a_form(tmp_path: Path) -> None:
    """Somebody with nothing but a browser can join; names are shown as text, not as markup."""
    async with live(tmp_path, dev=False) as server, httpx.AsyncClient(trust_env=False) as http:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.patch("realm", name="<b>Tea</b>")
        link, browser = await link_of(ann), {"accept": "text/html,*/*"}
        shown = await http.get(link, headers=browser)
        assert "Join &lt;b&gt;Tea&lt;/b&gt;" in shown.text
        assert "script" not in shown.headers["content-security-policy"]
        wrong = await http.post(link, data=NEW | {"password": "x"}, headers=browser)
        assert (wrong.status_code, "too short" in wrong.text) == (400, True)
        assert "Your account is ready" in (await http.post(link, data=NEW, headers=browser)).text
        gone = await http.get(link + "x", headers=browser)
        assert (gone.status_code, "not valid" in gone.text) == (400, True)
        known = await http.get(link)
        assert known.json()["realm_name"] == "<b>Tea</b>"
        assert (await http.put(link)).status_code == 405
