"""Playgrounds and domains over the wire: kept by few, known to all."""

from pathlib import Path
from typing import Any

from server_lite.store.users import Role
from tests.live import live

PLAY = {"name": "Py", "pygments_language": "Python", "url_template": "https://py.example/?c={code}"}


async def test_playgrounds_come_and_go(tmp_path: Path) -> None:
    """Where code can be tried is known to all; administrators decide it."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        queue = await bob.post("register", event_types=["realm_playgrounds"])
        made = await root.post("realm/playgrounds", **PLAY)
        (event,) = await bob.events(queue)
        fresh = await bob.post("register", event_types=["realm_playgrounds"])
        assert event["realm_playgrounds"] == fresh["realm_playgrounds"]
        assert event["realm_playgrounds"] == [{"id": made["id"], **PLAY}]
        for changed, reason in (
            ({}, "already exists."),
            ({"name": " "}, "name cannot be blank"),
            ({"pygments_language": "a;b"}, "Invalid characters in pygments language"),
            ({"url_template": "https://x/"}, 'Missing the required variable "code"'),
            ({"url_template": "https://x/{code}{y}"}, '"code" should be the only variable'),
            ({"url_template": "https://x/{code"}, "Invalid URL template."),
            ({"url_template": "javascript:{code}"}, "Invalid URL template."),
        ):
            refused = await root.post("realm/playgrounds", **PLAY | changed)
            assert (refused["status"], reason in refused["msg"]) == (400, True), refused
        path = f"realm/playgrounds/{made['id']}"
        for answer in (await bob.post("realm/playgrounds", **PLAY), await bob.delete(path)):
            assert answer["msg"] == "Must be an organization administrator"
        assert (await root.delete(path))["result"] == "success"
        (event,) = await bob.events(queue)
        assert event["realm_playgrounds"] == []
        assert (await root.delete(path))["msg"] == "Invalid playground"


async def test_domains_say_who_may_join(tmp_path: Path) -> None:
    """With the restriction on, only addresses of the named domains are invited and come in."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        queue = await ann.post("register", event_types=["realm_domains", "realm"])
        await root.post("realm/domains", domain="X.example", allow_subdomains=False)
        await root.patch("realm", emails_restricted_to_domains=True)
        for email, allowed in (("a@x.example", True), ("a@s.x.example", False), ("a@y", False)):
            answer = await ann.post("invites", invitee_emails=email, stream_ids=[])
            assert (answer["result"] == "success") == allowed, answer
        link = (await root.post("invites/multiuse"))["invite_link"]
        who = {"full_name": "Nea", "email": "n@y.example", "password": "correct horse"}
        async with server.client() as http:
            refused = (await http.post(link, data=who)).json()
            assert refused["msg"] == "Your email address does not belong to an allowed domain."
            await root.patch("realm/domains/x.example", allow_subdomains=True)
            come = (await http.post(link, data=who | {"email": "n@s.x.example"})).json()
            assert come["result"] == "success"
        assert (await ann.get("realm/domains"))["domains"] == [
            {"domain": "x.example", "allow_subdomains": True}
        ]
        await root.delete("realm/domains/x.example")
        known: dict[str, Any] = {}
        for event in await ann.events(queue):
            if event["type"] == "realm":
                known |= event["data"]
            elif event["op"] == "remove":
                del known[event["domain"]]
            else:
                domain = event["realm_domain"]
                known[domain["domain"]] = domain["allow_subdomains"]
        assert known == {"emails_restricted_to_domains": False}
        assert (await ann.get("realm/domains"))["domains"] == []


async def test_what_is_no_domain_is_refused(tmp_path: Path) -> None:
    """Each mistake is named, and only owners decide."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        await root.post("realm/domains", domain="x.example", allow_subdomains=False)
        for domain, reason in (
            ("", "Domain can't be empty."),
            ("x", "Invalid domain."),
            ("-x.example", "Invalid domain."),
            ("a" * 81 + ".example", "Invalid domain."),
            ("X.EXAMPLE", "The domain x.example is already a part of your organization."),
        ):
            refused = await root.post("realm/domains", domain=domain, allow_subdomains=True)
            assert (refused["status"], refused["msg"]) == (400, reason)
        missing = await root.post("realm/domains", domain="y.example")
        assert missing["var_name"] == "allow_subdomains"
        for answer in (
            await ann.post("realm/domains", domain="y.example", allow_subdomains=True),
            await ann.patch("realm/domains/x.example", allow_subdomains=True),
            await ann.delete("realm/domains/x.example"),
        ):
            assert answer["msg"] == "Must be an organization owner"
        refused = await root.delete("realm/domains/y.example")
        assert refused["msg"] == "No entry found for domain y.example."
