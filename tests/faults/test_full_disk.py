"""The disk is full: nothing is promised that is not kept, and reading goes on."""

from pathlib import Path

from server_lite.store.users import Role
from tests.live import Live, live

UNLIMITED = 2**31 - 2


def _limit_pages(server: Live, count: int) -> None:
    """What SQLite is told about the room it has stands for what the disk has."""
    connection = server.app.database._writer
    used = connection.pragma("page_count")
    connection.pragma("max_page_count", used + count if count < UNLIMITED else count)


async def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """When the disk is full I am told that my message was not sent; when it is not, I can go on."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "general"}])
        queue = await ann.post("register", event_types=["message"])
        _limit_pages(server, 12)
        acknowledged, refused = [], 0
        text = "full " * 400
        while refused < 5:
            answer = await ann.post(
                "messages", type="stream", to="general", topic="t", content=text
            )
            if answer["result"] == "success":
                acknowledged.append(answer["id"])
            else:
                assert answer["status"] == 503, answer
                refused += 1
        assert acknowledged, "there was no room for a single one"
        assert (await ann.get("users/me"))["user_id"] == ann.id
        heard = [event["message"]["id"] for event in await ann.events(queue)]
        assert heard == acknowledged
        _limit_pages(server, UNLIMITED)
        after = await ann.post("messages", type="stream", to="general", topic="t", content="room")
        assert after["result"] == "success"
        page = await ann.get("messages", anchor="newest", num_before=100, num_after=0)
        assert [message["id"] for message in page["messages"]] == [*acknowledged, after["id"]]
        assert server.app.database.reader.value("PRAGMA integrity_check") == "ok"


async def test_a_full_disk_is_no_reason_to_restart(tmp_path: Path) -> None:
    """A monitor that restarts the server at each 503 of /healthz leaves people what they can still read."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "general"}])
        _limit_pages(server, 0)
        refused = False
        for _ in range(20):
            answer = await ann.post(
                "messages", type="stream", to="general", topic="t", content="full " * 400
            )
            refused = answer["result"] == "error"
        assert refused
        health = await server.client().get(server.url + "/healthz")
        assert (health.status_code, health.text) == (200, "ok\n")
