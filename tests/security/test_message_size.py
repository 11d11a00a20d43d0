"""What users add to one message, whose readers all fetch it: it has an end, for every way of adding to it."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from server_lite.ids import UserId
from server_lite.routes import TABLE
from server_lite.store import history
from server_lite.store.history import Entry
from server_lite.store.users import Role
from tests.live import Live, Person, live

ROUNDS: Final = 40
LIMITS: Final = {
    "server_lite.store.history.MAX_LENGTH": 3_000,
    "server_lite.actions.submessages.MAX_PER_PERSON": 3_000,
    "server_lite.actions.reactions.MAX_PER_PERSON": 10,
}
"""Small, so that a few requests reach them."""
MOST: Final = 6_000
"""Bytes of a message of a few words, with all that one user can add to it at these limits."""
EMOJI: Final = [
    *("tea", "coffee", "beer", "bear", "dog", "cat", "fox", "frog", "horse", "cow", "pig"),
    *("rabbit", "mouse", "lion", "tiger", "koala", "panda", "owl", "duck", "eagle", "bee"),
    *("ant", "snail", "bug", "whale", "fish", "crab", "snake", "turtle", "rose", "tulip"),
    *("apple", "lemon", "banana", "car", "bus", "taxi", "bike", "train", "rocket"),
]


@dataclass(frozen=True, slots=True)
class Addition:
    """A way to add to a message: the same request again and again, with another number."""

    route: str
    parameters: Callable[[int], dict[str, Any]]
    content: str = "hello"


def _widget(**fields: Any) -> dict[str, Any]:
    return {"msg_type": "widget", "content": orjson.dumps(fields).decode()}


ADDITIONS: Final = {
    "edit": Addition("PATCH messages/{message_id}", lambda n: {"content": f"{n} " + "<" * 100}),
    "move": Addition("PATCH messages/{message_id}", lambda n: {"topic": f"topic {n}"}),
    "both": Addition(
        "PATCH messages/{message_id}", lambda n: {"topic": f"t {n}", "content": f"{n} x"}
    ),
    "reaction": Addition(
        "POST messages/{message_id}/reactions", lambda n: {"emoji_name": EMOJI[n]}
    ),
    "vote": Addition(
        "POST submessage",
        lambda n: _widget(type="vote", key="canned,0", vote=(1, -1)[n % 2], pad="x" * 200),
        "/poll Lunch?\nsoup",
    ),
    "task": Addition(
        "POST submessage",
        lambda n: _widget(type="new_task", key=n, task=f"{n}", desc="x" * 200, completed=False),
        "/todo",
    ),
}
ADD_NOTHING: Final = {
    "DELETE messages/{message_id}",
    "DELETE messages/{message_id}/reactions",
    "POST messages/{message_id}/typing",  # told, not kept
    "POST messages/{message_id}/report",  # a message of its own, to moderators
    "POST reminders",  # fetched by its owner only
}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path) as running:
        yield running


async def _size(person: Person, message_id: int) -> int:
    answer = await person.get(f"messages/{message_id}")
    return len(orjson.dumps(answer["message"]))


@pytest.mark.parametrize("name", ADDITIONS)
async def test_a_message_does_not_grow_without_end(
    name: str, server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody makes a page of others slow by changing one message on it all day."""
    for limit, value in LIMITS.items():
        monkeypatch.setattr(limit, value)
    ann = await server.person("Ann", role=Role.OWNER)
    await ann.post("users/me/subscriptions", subscriptions=[{"name": "kitchen"}])
    addition = ADDITIONS[name]
    sent = await ann.post(
        "messages", type="stream", to="kitchen", topic="tea", content=addition.content
    )
    verb, _, path = addition.route.partition(" ")
    place = path.replace("{message_id}", str(sent["id"]))
    ids = {} if "{" in path else {"message_id": sent["id"]}
    sizes, refused = [await _size(ann, sent["id"])], []
    for number in range(ROUNDS):
        answer = await ann.ask(verb, place, **ids, **addition.parameters(number))
        refused.append(answer["result"] == "error")
        assert "at most" in answer["msg"] or "too often" in answer["msg"] or not refused[-1]
        sizes.append(await _size(ann, sent["id"]))
    assert not refused[0]
    assert sizes[0] < sizes[5] <= max(sizes) < MOST


def test_every_change_of_a_message_is_known_here() -> None:
    """A new way to add to a message is measured above, or adds nothing to it."""
    known = {addition.route for addition in ADDITIONS.values()} | ADD_NOTHING
    ways = {
        f"{verb} {route.pattern}"
        for route in TABLE.routes
        for verb, contract in route.contracts.items()
        if verb != "GET" and "message_id" in {one.name for one in (*contract.path, *contract.form)}
    }
    assert ways == known


async def test_the_first_text_and_the_newest_are_kept(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who edits a message a hundred times cannot hide what it said first."""
    monkeypatch.setattr(history, "MAX_LENGTH", 3_000)
    ann = await server.person("Ann")
    sent = await ann.post("messages", type="direct", to=[ann.id], content="the first")
    for number in range(20):
        await ann.patch(f"messages/{sent['id']}", content=f"edit {number}")
    states = (await ann.get(f"messages/{sent['id']}/history"))["message_history"]
    texts = [state["content"] for state in states]
    assert texts[0] == "the first"
    assert texts[1:] == [f"edit {number}" for number in range(21 - len(texts), 20)]
    assert 5 < len(texts) < 20
    assert [state.get("prev_content") for state in states[1:]] == texts[:-1]


def test_joined_entries_have_the_older_before_and_the_newer_after() -> None:
    """A text and a topic that were changed one after the other: the history of both goes on."""
    text = "x" * history.MAX_LENGTH
    ann = UserId(1)
    third: Entry = {"user_id": ann, "timestamp": 3, "prev_content": text, "topic": "c"}
    second: Entry = {"user_id": None, "timestamp": 2, "prev_topic": "b", "topic": "c"}
    first: Entry = {
        "user_id": ann,
        "timestamp": 1,
        "prev_topic": "a",
        "topic": "b",
        "prev_content": "first",
        "prev_rendered_content": "<p>first</p>",
    }
    joined = {**first, **second, "prev_topic": "a"}
    assert history.shortened([third, second, first]) == [third, joined]
    assert history.shortened([third, second]) == [third, second]


async def test_an_answer_has_an_end_and_the_next_goes_on(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of long messages come in several answers, from the anchor outward, none left out."""
    monkeypatch.setattr("server_lite.endpoints.messages.PAGE", 3)
    monkeypatch.setattr("server_lite.endpoints.messages.MAX_BYTES", 2_000)
    ann = await server.person("Ann")
    sizes = (10, 600, 10, 5_000, 600, 10, 600, 10, 10, 600, 10, 10)
    sent = [
        (await ann.post("messages", type="direct", to=[ann.id], content="x" * size))["id"]
        for size in sizes
    ]
    for anchor, forward in ((sent[-1], False), (sent[0], True)):
        counts = (
            {"num_before": 0, "num_after": 20} if forward else {"num_before": 20, "num_after": 0}
        )
        seen, pages, at, is_whole = [anchor], 0, anchor, False
        while not is_whole:
            page = await ann.get("messages", anchor=at, include_anchor=False, narrow=[], **counts)
            ids = [message["id"] for message in page["messages"]]
            text = sum(len(message["content"]) for message in page["messages"])
            assert len(ids) == 1 or text <= 2_000
            is_whole = page["found_newest" if forward else "found_oldest"]
            seen, pages, at = [*seen, *ids], pages + 1, ids[-1] if forward else ids[0]
        assert sorted(seen) == sent
        assert 2 < pages < len(sent)
    around = await ann.get("messages", anchor=sent[6], num_before=20, num_after=20, narrow=[])
    ids = [message["id"] for message in around["messages"]]
    assert ids == sent[sent.index(ids[0]) : sent.index(ids[-1]) + 1]
    assert around["found_anchor"]
    assert sent[6] in ids
    assert not around["found_oldest"]
    refused = await ann.get("messages", message_ids=sent)
    assert refused["msg"] == "These messages have too much text for one answer. Request fewer."
