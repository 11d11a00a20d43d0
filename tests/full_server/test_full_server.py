"""The tests' full server says what full servers were seen to say, at the level where they said it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.full_server import full_server
from tests.live import Person, encoded, live

Asked = Callable[..., Any]


@asynccontextmanager
async def _asking(folder: Path, level: int) -> AsyncIterator[tuple[Person, Asked]]:
    """Ann at the server behind, and requests of hers to the full server: (status, JSON or None)."""
    async with live(folder) as server, full_server(server, level=level) as full:
        ann = await full.person(f"Ann{level}")

        async def ask(verb: str, path: str, **parameters: Any) -> tuple[int, Any]:
            sent = encoded(parameters)
            answer = await ann.http.request(
                verb,
                f"{full.url}/api/v1/{path}",
                params=sent if verb == "GET" else None,
                data=None if verb == "GET" else sent,
            )
            is_json = answer.headers["content-type"] == "application/json"
            return answer.status_code, orjson.loads(answer.content) if is_json else None

        ann.http.event_hooks = {}
        yield ann, ask


@pytest.fixture
def asking(
    tmp_path: Path,
) -> Callable[[int], AbstractAsyncContextManager[tuple[Person, Asked]]]:
    """A full server of a level, in this test's folder."""
    return lambda level: _asking(tmp_path, level)


async def test_what_came_later_is_not_there(asking: Any) -> None:
    """A page of status 404, not JSON; a verb that came later is a method that is not allowed."""
    async with asking(218) as (_, ask):
        assert await ask("GET", "navigation_views") == (404, None)
        assert await ask("POST", "channels/create", name="tea", subscribers=[]) == (404, None)
        assert (await ask("POST", "calls/jitsi/create")) == (404, None)
    async with asking(371) as (_, ask):
        assert (await ask("GET", "saved_snippets"))[0] == 200
        assert (await ask("GET", "reminders")) == (404, None)
    async with asking(496) as (_, ask):
        assert (await ask("GET", "navigation_views"))[0] == 200
        assert (await ask("POST", "calls/jitsi/create")) == (404, None)


async def test_what_it_does_not_understand_it_says(asking: Any) -> None:
    """Parameters are passed over and named; values are refused in its words."""
    newest = {"anchor": "newest", "num_before": 1, "num_after": 0}
    async with asking(218) as (_, ask):
        _, answer = await ask("GET", "messages", **newest, allow_empty_topic_name=True)
        assert answer["ignored_parameters_unsupported"] == ["allow_empty_topic_name"]
        by_id = await ask("GET", "messages", message_ids=[1])
        assert by_id[1]["msg"] == "Missing 'num_before' argument"
        assert (await ask("GET", "messages", **newest | {"anchor": "date"}))[0] == 400
        for operator, operand in (("is", "followed"), ("channel", "tea"), ("with", 1)):
            narrow = [{"operator": operator, "operand": operand}]
            assert (await ask("GET", "messages", **newest, narrow=narrow))[1][
                "code"
            ] == "BAD_NARROW"
    async with asking(371) as (_, ask):
        followed = [{"operator": "is", "operand": "followed"}]
        assert (await ask("GET", "messages", **newest, narrow=followed))[0] == 200
        assert (await ask("GET", "messages", message_ids=[1]))[0] == 200


async def test_what_is_written_is_stripped(asking: Any) -> None:
    """Drafts at every level; and nothing is kept under a key."""
    async with asking(496) as (ann, ask):
        draft = {"type": "", "to": [], "topic": "", "content": "abc \n\n"}
        await ask("POST", "drafts", drafts=[draft])
        (kept,) = (await ann.get("drafts"))["drafts"]
        assert kept["content"] == "abc"
        changed = draft | {"content": "  abcd\n"}
        await ask("PATCH", f"drafts/{kept['id']}", draft=changed)
        assert (await ann.get("drafts"))["drafts"][0]["content"] == "abcd"


async def test_what_it_tells_at_the_beginning(asking: Any) -> None:
    """Its version and the names of its time, and nothing that only Chinwag says."""
    async with asking(218) as (_, ask):
        _, said = await ask("POST", "register")
        assert said["zulip_feature_level"] == 218
        assert "realm_notifications_stream_id" in said
        assert "default_view" in said["user_settings"]
        later = {"service_feature_level", "saved_snippets", "realm_url", "realm_can_create_groups"}
        assert not later & said.keys()
        assert "can_manage_group" not in said["realm_user_groups"][0]
    async with asking(371) as (_, ask):
        _, said = await ask("POST", "register")
        assert {"saved_snippets", "realm_url", "realm_can_create_groups"} <= said.keys()
        assert "navigation_views" not in said


async def test_the_times_of_moves(asking: Any) -> None:
    """An old server gives the time of a move as that of an edit; what is told by event goes with it."""
    async with asking(218) as (ann, ask):
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "tea"}])
        sent = await ann.post("messages", type="stream", to="tea", topic="a", content="hi")
        _, queue = await ask("POST", "register", event_types=["update_message", "navigation_view"])
        await ann.post("navigation_views", fragment="narrow/is/starred", is_pinned=True)
        await ann.patch(f"messages/{sent['id']}", topic="b", propagate_mode="change_all")
        _, answer = await ask("GET", f"messages/{sent['id']}")
        assert answer["message"]["last_edit_timestamp"] > 0
        assert "last_moved_timestamp" not in answer["message"]
        _, told = await ask(
            "GET", "events", queue_id=queue["queue_id"], last_event_id=-1, dont_block=True
        )
        assert [event["type"] for event in told["events"]] == ["update_message"]


async def test_who_sends_has_not_read_it(asking: Any) -> None:
    """What marks one's own messages read came later than the server: it is passed over."""
    async with asking(218) as (ann, ask):
        note = {"type": "private", "to": [ann.id], "content": " hi ", "read_by_sender": True}
        _, sent = await ask("POST", "messages", **note)
        assert sent["ignored_parameters_unsupported"] == ["read_by_sender"]
        seen = (await ann.get(f"messages/{sent['id']}", apply_markdown=False))["message"]
        assert (seen["content"], seen["flags"]) == ("hi", [])
    async with asking(371) as (ann, ask):
        note = {"type": "private", "to": [ann.id], "content": "hi", "read_by_sender": True}
        _, sent = await ask("POST", "messages", **note)
        assert (await ann.get(f"messages/{sent['id']}"))["message"]["flags"] == ["read"]
