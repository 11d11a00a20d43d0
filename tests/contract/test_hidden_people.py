"""Guests who know some people only: endpoints and events, searched for the name of somebody hidden.

Asked about somebody hidden, an endpoint answers as about somebody who does not exist; and what it
answers or tells never has a name or an address in it that the guest did not send. Numbers are no
secret where somebody hidden acted in sight: they wrote a message, or reacted to one.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import pytest

from server_lite.api.params import EndpointSpec, Parameter
from server_lite.routes import TABLE
from tests.contract.in_memory_server import PIXEL, InMemoryServer, Person
from tests.contract.traced_server import Template, found_marked_town

ABSENT: Final = 53000900
"""Nobody's number, as long as the others."""
SELF_DESTRUCTIVE: Final = frozenset(
    {("DELETE", "users/me"), ("POST", "users/me/api_key/regenerate")}
)
"""After these the guest could ask nothing more."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Founded once."""
    return found_marked_town(tmp_path_factory.mktemp("town") / "template.db")


async def discreet(template: Template) -> InMemoryServer:
    """An organization in which guests know only whom they share a place with."""
    town = template.town()
    members = template.groups["role:members"]
    await town.people[0].patch("realm", can_access_all_users_group={"new": members})
    return town


@pytest.fixture
async def town(template: Template) -> AsyncIterator[InMemoryServer]:
    """One such organization."""
    town = await discreet(template)
    yield town
    town.close()


async def furnished(town: InMemoryServer) -> dict[str, int]:
    """Somebody hidden in all places where a guest may look; returns the numbers of those places."""
    olga, mary, adam, gina = (town.people[one] for one in (0, 3, 4, 5))
    made = await mary.post("channels/create", name="open", subscribers=[mary.id, gina.id])
    web = await adam.post("channels/create", name="web", subscribers=[adam.id], is_web_public=True)
    said = await mary.post("messages", type="stream", to=made["id"], topic="tea", content="hello")
    await adam.post(
        "messages", type="stream", to=made["id"], topic="tea", content="/poll Lunch?\nsoup"
    )
    group = await olga.post(
        "user_groups/create", name="cooks", description="", members=[adam.id, mary.id]
    )
    await adam.post("users/me/status", status_text="away")
    await adam.upload("users/me/avatar", "a.png", PIXEL)
    await adam.upload("realm/emoji/party", "a.png", PIXEL)
    await adam.post(f"messages/{said['id']}/reactions", emoji_name="wave")
    await adam.patch("settings", email_address_visibility=1)
    await olga.patch(f"users/{adam.id}", profile_data=[])
    return {
        "channel": made["id"],
        "web": web["id"],
        "message": said["id"],
        "group": group["group_id"],
    }


def _values(parameter: Parameter, who: Person | None, places: dict[str, int]) -> Iterator[Any]:
    """What a guest may send who asks about `who`; None is somebody who does not exist."""
    number = ABSENT if who is None else who.id
    email = "zqe99z@example.com" if who is None else who.email
    made_up = f"user{number}@localhost"
    name = parameter.name
    match name:
        case "narrow":
            for operator in ("sender", "dm", "dm-including", "group-pm-with"):
                for operand in (number, email, [number]):
                    yield [{"operator": operator, "operand": operand}]
        case "content":
            yield f"@_**|{number}** @**zqu0z|{number}**"
        case "drafts":
            yield [{"type": "private", "to": [number], "topic": "", "content": "x"}]
        case "draft":
            yield {"type": "private", "to": [number], "topic": "", "content": "x"}
        case "subscriptions" | "add_subscriptions":
            yield [{"name": "open"}]
        case "type":
            yield "direct"
        case "op":
            yield "start"
        case _ if "channel_id" in name or "stream_id" in name:
            yield places["channel"]
        case _ if "message_id" in name or name == "messages" or name == "anchor":
            yield places["message"]
        case _ if name in ("user_group_id", "group_id"):
            yield places["group"]
        case "num_before" | "num_after":
            yield 1
        case "topic" | "topic_name":
            yield "tea"
        case "emoji_name":
            yield "wave"
        case _ if name.endswith("email"):
            yield email
            yield made_up
        case "user_id_or_email":
            yield number
            yield email
            yield made_up
        case _:
            yield number
            yield [number]
            yield {"new": {"direct_members": [number], "direct_subgroups": []}}


def _requests(
    contract: EndpointSpec, pattern: str, who: Person | None, places: dict[str, int]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Requests that ask an endpoint about somebody: each value of each parameter once."""
    everything = [*contract.path, *contract.form]
    choices = {one.name: list(_values(one, who, places)) for one in everything}
    needed = {one.name: choices[one.name][0] for one in contract.form if one.required}
    widest = max((len(one) for one in choices.values()), default=1)
    for turn in range(widest):
        path = pattern
        for one in contract.path:
            value = choices[one.name][turn % len(choices[one.name])]
            path = path.replace(
                f"{{{one.name}}}", str(value if isinstance(value, (int, str)) else 1)
            )
        yield path, dict(needed)
        for one in contract.form:
            if turn < len(choices[one.name]):
                yield path, needed | {one.name: choices[one.name][turn]}


ENDPOINTS: Final = [
    (verb, contract, route.pattern)
    for route in TABLE.routes
    for verb, contract in route.contracts.items()
    if contract.auth != "none" and not contract.wants_body and contract.wants_upload is None
]


async def _everything(town: InMemoryServer, *, hidden: bool) -> list[tuple[str, dict[str, Any]]]:
    """What a guest is answered everywhere who asks about somebody hidden, or about nobody."""
    places = await furnished(town)
    who, gina = town.people[4] if hidden else None, town.people[5]
    answers = []
    for verb, contract, pattern in ENDPOINTS:
        for path, parameters in _requests(contract, pattern, who, places):
            if (verb, path) in SELF_DESTRUCTIVE:
                continue
            waiting = {"dont_block": True} if path == "events" else {}
            answer = await asyncio.wait_for(gina.ask(verb, path, parameters | waiting), 10)
            answers.append((f"{verb} {path} {json.dumps(parameters)}", answer))
    return answers


async def test_no_endpoint_names_somebody_hidden(template: Template) -> None:
    """Asked about somebody hidden, it answers as about nobody; and it never says their name."""
    answers, marks = [], list[str]()
    for hidden in (True, False):
        town = await discreet(template)
        try:
            answers.append(await _everything(town, hidden=hidden))
            marks = [town.people[4].name, town.people[4].email]
        finally:
            town.close()
    leaks: list[str] = []
    for (asked, one), (_, other) in zip(*answers, strict=True):
        text = json.dumps(one)
        leaks += [f"{asked}: {text}" for mark in marks if mark in text and mark not in asked]
        if one["status"] != other["status"] or _reason(one) != _reason(other):
            leaks.append(f"{asked}: {_reason(one)} | {_reason(other)}")
    assert leaks == []


def _reason(answer: dict[str, Any]) -> str:
    """Why it was refused, without the number that was sent."""
    text = str(answer["msg"]) if answer["status"] != 200 else "done"
    for mark in (str(ABSENT), "53000005", "zqe99z", "zqe4z"):
        text = text.replace(mark, "?")
    return text


OPERATIONS: Final[tuple[tuple[str, str, str, dict[str, Any]], ...]] = (
    ("mary", "POST", "messages", {"type": "direct", "to": "{gina}", "content": "hi"}),
    ("adam", "POST", "messages", {"type": "stream", "to": "open", "topic": "tea", "content": "so"}),
    ("adam", "POST", "messages/{message}/reactions", {"emoji_name": "tada"}),
    ("adam", "DELETE", "messages/{message}/reactions", {"emoji_name": "wave"}),
    ("adam", "PATCH", "messages/{message}", {"topic": "coffee"}),
    (
        "adam",
        "POST",
        "submessage",
        {
            "message_id": "{poll}",
            "msg_type": "widget",
            "content": '{"type": "vote", "key": "canned,0", "vote": 1}',
        },
    ),
    ("adam", "POST", "users/me/status", {"status_text": "back"}),
    ("adam", "POST", "users/me/presence", {"status": "active"}),
    ("adam", "PATCH", "settings", {"email_address_visibility": 5}),
    ("adam", "PATCH", "settings", {"email_address_visibility": 1}),
    ("adam", "DELETE", "users/me/avatar", {}),
    ("adam", "POST", "user_groups/create", {"name": "own", "description": "", "members": "{both}"}),
    ("olga", "POST", "user_groups/{group}/members", {"delete": "{adams}"}),
    ("olga", "POST", "user_groups/{group}/members", {"add": "{adams}"}),
    ("olga", "POST", "user_groups/{group}/deactivate", {}),
    ("olga", "PATCH", "user_groups/{group}", {"deactivated": False}),
    ("olga", "PATCH", "users/{adam}", {"role": 300}),
    ("olga", "PATCH", "users/{adam}", {"role": 400}),
    ("olga", "DELETE", "users/{adam}", {}),
    ("olga", "POST", "users/{adam}/reactivate", {}),
    ("olga", "PATCH", "messages/{message}", {"stream_id": "{web}"}),
    ("mary", "PATCH", "streams/{channel}", {"description": "new"}),
    ("olga", "PATCH", "realm", {"waiting_period_threshold": 3}),
)
READS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("register", {}),
    ("users", {}),
    ("users/me", {}),
    ("users/me/subscriptions", {"include_subscribers": True}),
    ("streams", {}),
    ("streams/{channel}/members", {}),
    ("streams/{web}/members", {}),
    ("messages", {"anchor": "newest", "num_before": 100, "num_after": 0, "narrow": []}),
    ("messages/{message}/history", {}),
    ("messages/{message}/read_receipts", {}),
    ("messages/{poll}", {}),
    ("realm/presence", {}),
    ("realm/emoji", {}),
    ("bots", {}),
    ("user_groups/{group}/members", {}),
)


async def test_no_event_names_somebody_hidden(town: InMemoryServer) -> None:
    """Whatever they do, and whatever is done to them, a guest is told no name of somebody hidden."""
    places = await furnished(town)
    olga, mary, adam, gina = (town.people[one] for one in (0, 3, 4, 5))
    poll = town.app.database.reader.value("SELECT max(id) FROM message")
    words = {
        **places,
        "poll": poll,
        "gina": [gina.id],
        "both": [adam.id, mary.id],
        "adams": [adam.id],
        "adam": adam.id,
    }
    queue = await gina.post("register", client_capabilities={"stream_typing_notifications": True})
    actors = {"olga": olga, "mary": mary, "adam": adam}
    refused = []
    for who, verb, path, parameters in OPERATIONS:
        filled = {name: _filled(value, words) for name, value in parameters.items()}
        answer = await actors[who].ask(verb, path.format(**words), filled)
        if answer["status"] != 200:
            refused.append((verb, path, answer))
    assert refused == []
    told = await gina.get("events", queue_id=queue["queue_id"], last_event_id=-1, dont_block=True)
    assert len(told["events"]) > 10
    leaks = [event for event in told["events"] if _names(event, adam)]
    for path, parameters in READS:
        verb = "POST" if path == "register" else "GET"
        answer = await gina.ask(verb, path.format(**words), parameters)
        assert answer["status"] == 200 or path in ("streams/{web}/members",), answer
        leaks += [{path: value} for value in answer.items() if _names(value, adam)]
    assert leaks == []


@pytest.mark.parametrize("kind", [{}, {"invite_only": True}, {"is_web_public": True}])
async def test_a_notice_names_no_channel_to_who_may_not_see_it(
    town: InMemoryServer, kind: dict[str, bool]
) -> None:
    """Where messages came from is named if all readers of the place they came to may see it."""
    mary, adam, gina = (town.people[one] for one in (3, 4, 5))
    secret = await mary.post(
        "channels/create", name="zqsecret", subscribers=[mary.id], invite_only=True
    )
    seen = await mary.post("channels/create", name="zqseen", subscribers=[mary.id, gina.id], **kind)
    for origin, target, shown in ((secret, seen, False), (seen, secret, True)):
        sent = await mary.post(
            "messages", type="stream", to=origin["id"], topic="tea", content="plans"
        )
        moved = await mary.patch(
            f"messages/{sent['id']}",
            stream_id=target["id"],
            topic="moved",
            send_notification_to_new_thread=True,
            send_notification_to_old_thread=True,
        )
        assert moved["status"] == 200
        for reader in (gina, adam):
            read = json.dumps(
                await reader.get("messages", anchor="newest", num_before=9, num_after=0, narrow=[])
            )
            assert "zqsecret" not in read
        newest = await mary.get(
            "messages", anchor="newest", num_before=1, num_after=0,
            narrow=[["channel", target["id"]], ["topic", "moved"]], apply_markdown=False,
        )  # fmt: skip
        notice = newest["messages"][-1]["content"]
        assert ("moved here from #**zqseen>tea**" in notice) == shown
        assert ("moved here from another channel" in notice) != shown


async def test_a_group_names_whom_a_guest_knows(town: InMemoryServer) -> None:
    """Numbers of hidden members are not told, by no way; whom one gets to know is told then."""
    places = await furnished(town)
    mary, adam, gina = (town.people[one] for one in (3, 4, 5))

    def members(snapshot: dict[str, Any]) -> list[int]:
        (group,) = (one for one in snapshot["realm_user_groups"] if one["id"] == places["group"])
        listed: list[int] = group["members"]
        return listed

    queue = await gina.post("register")
    assert members(queue) == [mary.id]
    assert (await gina.get(f"user_groups/{places['group']}/members"))["members"] == [mary.id]
    await adam.post("users/me/subscriptions", subscriptions=[{"name": "open"}])
    told = await gina.get("events", queue_id=queue["queue_id"], last_event_id=-1, dont_block=True)
    assert {
        "type": "user_group",
        "op": "add_members",
        "group_id": places["group"],
        "user_ids": [adam.id],
    } in [{k: v for k, v in event.items() if k != "id"} for event in told["events"]]
    assert members(await gina.post("register")) == [mary.id, adam.id]


def _filled(value: Any, words: dict[str, Any]) -> Any:
    return words.get(value[1:-1], value) if isinstance(value, str) else value


def _names(value: Any, person: Person) -> bool:
    text = json.dumps(value)
    return person.name in text or person.email in text
