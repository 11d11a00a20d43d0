"""Messages sent later and reminders, over the wire, with a clock that the test turns."""

import time
from pathlib import Path

import pytest

from server_lite.actions.retention import forget_old_messages
from server_lite.config import Timing
from server_lite.store import scheduled_messages
from server_lite.store.connection import Db
from server_lite.store.users import Role
from server_lite.workers import scheduler
from server_lite.workers.scheduler import send_due
from tests.live import Live, live

LATER = 3600
NEVER = Timing(due=1e6)
"""The test says when to look."""


async def _an_hour_later(server: Live) -> None:
    server.app.database.clock = lambda: time.time() + LATER + 60
    await send_due(server.app.context)


async def test_a_message_goes_out_at_its_time(tmp_path: Path) -> None:
    """What I put off is sent when its hour has come, once, and is off my list."""
    async with live(tmp_path, timing=NEVER) as server:
        ann = await server.person("Ann")
        channel = (await ann.post("channels/create", name="tea", subscribers=[ann.id]))["id"]
        queue = await ann.post("register", event_types=["scheduled_messages", "message"])
        when = int(time.time()) + LATER
        asked = {"type": "stream", "to": channel, "topic": "t", "content": "*hi*"}
        made = await ann.post("scheduled_messages", **asked, scheduled_delivery_timestamp=when)
        (listed,) = (await ann.get("scheduled_messages"))["scheduled_messages"]
        assert listed == {
            "scheduled_message_id": made["scheduled_message_id"],
            **asked,
            "rendered_content": "<p><em>hi</em></p>",
            "scheduled_delivery_timestamp": when,
            "failed": False,
        }
        await send_due(server.app.context)
        assert (await ann.get("scheduled_messages"))["scheduled_messages"] == [listed]
        await _an_hour_later(server)
        await _an_hour_later(server)
        added, message, removed = await ann.events(queue)
        assert (added["op"], added["scheduled_messages"]) == ("add", [listed])
        assert message["message"]["content"] == "*hi*"
        assert removed["scheduled_message_id"] == made["scheduled_message_id"]


async def test_a_message_that_cannot_go_out_is_kept(tmp_path: Path) -> None:
    """If I may no longer post there, my text stays, marked as failed, until I say what to do."""
    async with live(tmp_path, timing=NEVER) as server:
        ann = await server.person("Ann")
        channel = (await ann.post("channels/create", name="tea", subscribers=[ann.id]))["id"]
        made = await ann.post(
            "scheduled_messages",
            type="channel",
            to=channel,
            topic="t",
            content="hi",
            scheduled_delivery_timestamp=int(time.time()) + LATER,
        )
        await ann.delete(f"streams/{channel}")
        await _an_hour_later(server)
        (kept,) = (await ann.get("scheduled_messages"))["scheduled_messages"]
        assert (kept["content"], kept["failed"]) == ("hi", True)
        path = f"scheduled_messages/{made['scheduled_message_id']}"
        late = await ann.patch(path, to=[ann.id], type="direct")
        assert late["msg"] == "Scheduled delivery time must be in the future."
        soon = int(time.time()) + 2 * LATER
        await ann.patch(path, to=[ann.id], type="direct", scheduled_delivery_timestamp=soon)
        (again,) = (await ann.get("scheduled_messages"))["scheduled_messages"]
        assert (again["to"], again["failed"]) == ([ann.id], False)
        assert (await ann.delete(path))["result"] == "success"
        assert (await ann.delete(path))["msg"] == "Scheduled message does not exist"


async def test_a_reminder_quotes_the_message(tmp_path: Path) -> None:
    """I am reminded of a message with its words and my note; others cannot touch my reminder."""
    async with live(tmp_path, timing=NEVER) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        sent = await ann.post("messages", type="direct", to=[ann.id], content="buy ``milk``")
        when = int(time.time()) + LATER
        hidden = await bob.post(
            "reminders", message_id=sent["id"], scheduled_delivery_timestamp=when
        )
        assert hidden["msg"] == "Invalid message(s)"
        made = await ann.post(
            "reminders", message_id=sent["id"], scheduled_delivery_timestamp=when, note="two"
        )
        gone = await bob.delete(f"reminders/{made['reminder_id']}")
        assert (gone["status"], gone["msg"]) == (404, "Reminder does not exist")
        queue = await ann.post("register", event_types=["reminders", "message"])
        assert queue["reminders"][0]["reminder_target_message_id"] == sent["id"]
        await _an_hour_later(server)
        message, removed = await ann.events(queue)
        assert "buy ``milk``" in message["message"]["content"]
        assert "two" in message["message"]["content"]
        assert removed["reminder_id"] == made["reminder_id"]


async def test_what_is_too_old_is_forgotten(tmp_path: Path) -> None:
    """A channel that keeps messages for a day forgets them after it; other places keep theirs."""
    async with live(tmp_path, timing=NEVER) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        made = await ann.post(
            "channels/create", name="tea", subscribers=[ann.id], message_retention_days=1
        )
        await ann.post("messages", type="stream", to="tea", topic="t", content="old")
        await ann.post("messages", type="direct", to=[ann.id], content="kept")
        queue = await ann.post("register", event_types=["delete_message"])
        database = server.app.database
        assert await database.write(forget_old_messages) == 0
        now = time.time()
        database.clock = lambda: now + 25 * LATER
        assert await database.write(forget_old_messages) == 1
        (event,) = await ann.events(queue)
        assert (event["stream_id"], event["topic"]) == (made["id"], "t")


async def test_what_was_missed_for_long_is_looked_up_in_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a day without a server thousands are due: no list of all of them is made, and each is sent once."""
    monkeypatch.setattr(scheduler, "PAGE", 3)
    pages: list[int] = []
    next_due = scheduled_messages.next_due

    def counted(db: Db, now: float, after: tuple[int, int], limit: int) -> list[tuple[int, int]]:
        page = next_due(db, now, after, limit)
        pages.append(len(page))
        return page

    monkeypatch.setattr(scheduled_messages, "next_due", counted)
    async with live(tmp_path, timing=NEVER) as server:
        ann = await server.person("Ann")
        when = int(time.time()) + LATER
        for number in range(7):
            await ann.post(
                "scheduled_messages",
                type="direct",
                to=[ann.id],
                content=f"{number}",
                scheduled_delivery_timestamp=when - number // 3,
            )
        pages.clear()
        await _an_hour_later(server)
        answer = await ann.get("messages", anchor="newest", num_before=9, num_after=0)
        assert [one["content"][3] for one in answer["messages"][-7:]] == list("6345012")
    assert pages == [3, 3, 1, 0]
