"""Linkifiers over the wire: kept by administrators, seen by all, turned into links."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.markup.reverse_templates import check
from server_lite.store.users import Role
from tests.live import live

TICKET = {"pattern": r"#(?P<id>[0-9]+)", "url_template": "https://tracker.example/{id}"}
KNOWS = {"linkifier_url_template": True}


async def test_a_linkifier_is_told_and_makes_links(tmp_path: Path) -> None:
    """What an administrator adds is a link in the next message, and on everybody's list."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        queue = await bob.post(
            "register", event_types=["realm_linkifiers"], client_capabilities=KNOWS
        )
        old = await bob.post("register", event_types=["realm_linkifiers"])
        assert (queue["realm_linkifiers"], old["realm_linkifiers"]) == ([], [])
        made = await ann.post(
            "realm/filters", **TICKET, example_input="#12", reverse_template="#{id}"
        )
        (event,) = await bob.events(queue)
        fresh = await bob.post("register", event_types=["realm_linkifiers"], **_capable())
        assert event["realm_linkifiers"] == fresh["realm_linkifiers"]
        assert event["realm_linkifiers"] == (await bob.get("realm/linkifiers"))["linkifiers"]
        assert event["realm_linkifiers"] == [
            {
                "id": made["id"],
                **TICKET,
                "example_input": "#12",
                "reverse_template": "#{id}",
                "alternative_url_templates": [],
            }
        ]
        assert await bob.events(old) == []
        shown = await bob.post("messages/render", content="see #7")
        assert 'href="https://tracker.example/7"' in shown["rendered"]
        await ann.delete(f"realm/filters/{made['id']}")
        gone = await bob.post("messages/render", content="see #7")
        assert "href" not in gone["rendered"]
        again = await ann.delete(f"realm/filters/{made['id']}")
        assert (again["code"], again["msg"]) == ("BAD_REQUEST", "Linkifier not found.")


def _capable() -> dict[str, Any]:
    return {"client_capabilities": KNOWS}


@pytest.mark.parametrize("nothing", ["", "null"])
async def test_what_is_not_sent_stays_and_an_empty_text_resets(
    tmp_path: Path, nothing: str
) -> None:
    """Changing the address of a linkifier leaves its example; an empty one or null removes it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        made = await ann.post(
            "realm/filters",
            **TICKET,
            example_input="#12",
            reverse_template="#{id}",
            alternative_url_templates=["https://old.example/{id}"],
        )
        path = f"realm/filters/{made['id']}"
        await ann.patch(path, **TICKET | {"url_template": "https://new.example/{id}"})
        (kept,) = (await ann.get("realm/linkifiers"))["linkifiers"]
        assert kept["url_template"] == "https://new.example/{id}"
        assert (kept["example_input"], kept["reverse_template"]) == ("#12", "#{id}")
        assert kept["alternative_url_templates"] == ["https://old.example/{id}"]
        refused = await ann.patch(path, **TICKET, example_input=nothing)
        assert refused["msg"] == "Example input is required for a reverse template."
        await ann.patch(
            path,
            **TICKET,
            example_input=nothing,
            reverse_template=nothing,
            alternative_url_templates=[],
        )
        (reset,) = (await ann.get("realm/linkifiers"))["linkifiers"]
        assert (reset["example_input"], reset["reverse_template"]) == (None, None)
        assert reset["alternative_url_templates"] == []


async def test_the_order_is_the_administrators(tmp_path: Path) -> None:
    """Where two patterns match, the one that stands first wins."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        first = await ann.post("realm/filters", **TICKET)
        second = await ann.post(
            "realm/filters", pattern=r"#(?P<n>\d+)", url_template="https://other.example/{n}"
        )
        shown = await ann.post("messages/render", content="#7")
        assert "tracker.example" in shown["rendered"]
        queue = await ann.post("register", event_types=["realm_linkifiers"], **_capable())
        answer = await ann.patch(
            "realm/linkifiers", ordered_linkifier_ids=[second["id"], first["id"]]
        )
        assert answer["result"] == "success"
        (event,) = await ann.events(queue)
        assert [one["id"] for one in event["realm_linkifiers"]] == [second["id"], first["id"]]
        assert "other.example" in (await ann.post("messages/render", content="#7"))["rendered"]
        for order in ([first["id"]], [first["id"]] * 2, [first["id"], second["id"], 99]):
            refused = await ann.patch("realm/linkifiers", ordered_linkifier_ids=order)
            assert refused["code"] == "BAD_REQUEST"


async def test_members_keep_their_hands_off(tmp_path: Path) -> None:
    """Only administrators make, change, order and remove linkifiers."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        made = await ann.post("realm/filters", **TICKET)
        path = f"realm/filters/{made['id']}"
        for answer in (
            await bob.post("realm/filters", **TICKET),
            await bob.patch(path, **TICKET),
            await bob.delete(path),
            await bob.patch("realm/linkifiers", ordered_linkifier_ids=[made["id"]]),
        ):
            assert answer["msg"] == "Must be an organization administrator"
        assert len((await bob.get("realm/linkifiers"))["linkifiers"]) == 1


BAD: list[tuple[dict[str, Any], str]] = [
    ({"pattern": ""}, "A pattern has 1 to 1000 characters."),
    ({"pattern": "a" * 1001}, "A pattern has 1 to 1000 characters."),
    ({"pattern": "#(?P<id>"}, "Bad regular expression"),
    ({"pattern": "a)|(?P<id>b"}, "Bad regular expression"),
    ({"pattern": r"(?P<id>.)(?=x)"}, "Bad regular expression"),
    ({"pattern": "#(?P<no>.)"}, "Group 'id' in URL template is not present"),
    ({"url_template": "https://x.example/"}, "Group 'id' in linkifier pattern is not present"),
    ({"url_template": "https://x.example/{id"}, "Invalid URL template."),
    ({"url_template": "javascript:{id}"}, "Invalid URL template."),
    ({"url_template": "https://x.example/" + "a" * 2048}, "url_template is too long"),
    ({"example_input": "12"}, "Example input does not match"),
    ({"example_input": "see #12"}, "Example input does not match"),
    ({"reverse_template": "#{id}"}, "Example input is required"),
    ({"example_input": "#12", "reverse_template": "#{id"}, "Invalid reverse template"),
    ({"example_input": "#12", "reverse_template": "{x}"}, "Group 'x' in reverse template"),
    ({"example_input": "#12", "reverse_template": "{{{id}"}, "Reverse template does not reproduce"),
    ({"alternative_url_templates": ["https://x/{y}"]}, "Group 'y' in alternative URL template"),
    ({"alternative_url_templates": ["https://x/{"]}, "Invalid alternative URL template."),
    ({"alternative_url_templates": ["file:///{id}"]}, "Invalid alternative URL template."),
    ({"alternative_url_templates": ["https://x/\0"]}, "must not contain null bytes"),
    ({"alternative_url_templates": ["https://x"] * 101}, "alternative_url_templates is too long"),
    ({"alternative_url_templates": "x"}, "alternative_url_templates is not valid JSON"),
    ({"alternative_url_templates": [1]}, "alternative_url_templates[0] is not a string"),
]


async def test_what_cannot_work_is_refused_with_the_reason(tmp_path: Path) -> None:
    """Each mistake in a linkifier is named, and nothing is saved."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        for changed, reason in BAD:
            refused = await ann.post("realm/filters", **TICKET | changed)
            assert reason in refused["msg"], changed
            assert refused["status"] == 400
        assert (await ann.get("realm/linkifiers"))["linkifiers"] == []
        await ann.post("realm/filters", **TICKET)
        twice = await ann.post("realm/filters", **TICKET)
        assert twice["msg"] == "A linkifier with this pattern already exists."
        missing = await ann.patch("realm/filters/1", pattern="x")
        assert missing["var_name"] == "url_template"


async def test_there_is_room_for_fifty(tmp_path: Path) -> None:
    """Every message is searched for all of them, so their number has a limit."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        for number in range(50):
            made = await ann.post("realm/filters", pattern=f"t{number}", url_template="https://x")
            assert made["result"] == "success"
        refused = await ann.post("realm/filters", pattern="more", url_template="https://x")
        assert refused["msg"] == "An organization can have at most 50 linkifiers."


@pytest.mark.parametrize(
    ("example", "template"),
    [("{12}", "{{{id}}}"), ("{12", "{{{id}"), ("12}", "{id}}}"), ("a{}12", "a{{}}{id}")],
)
def test_double_braces_are_braces(example: str, template: str) -> None:
    """A text with braces of its own can be made again from a link."""
    check(r"a?\{?\}?(?P<id>[0-9]+)\}?", example, template)
