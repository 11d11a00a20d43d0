"""Counts the SQL statements of the most common requests, in an organization with thirty channels."""

from pathlib import Path
from unittest.mock import patch

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.store import users
from server_lite.store.database import Database, Tx
from server_lite.store.index_upkeep import IndexUpkeep
from server_lite.store.users import Role
from tests.call_counter import statements
from tests.live import live


def founded(tx: Tx) -> None:
    """Create thirty channels and subscribe all users."""
    people = users.everyone(tx)
    rows = [create_channel(tx, None, name=f"channel {number}") for number in range(30)]
    subscribe(tx, rows, people)


async def statements_of_requests(folder: Path) -> dict[str, int]:
    """Return the counts of a send, a poll, a page of a hundred and a register, with warm caches."""
    with patch.object(IndexUpkeep, "is_due", False):  # else a thread uses the connection
        return await _counted(folder)


async def _counted(folder: Path) -> dict[str, int]:
    async with live(folder) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        for name in ("Ben", "Cleo", "Dan"):
            await server.person(name)
        database: Database = server.app.database
        await database.write(founded)
        queue = await ann.post("register", event_types=["message"])

        async def send(number: int = 0) -> None:
            answer = await ann.post(
                "messages", type="stream", to="channel 7", topic="tea", content=f"Message {number}"
            )
            assert answer["result"] == "success"

        async def poll() -> None:
            await ann.events(queue)

        async def fetch() -> None:
            answer = await ann.get(
                "messages",
                anchor="newest",
                num_before=100,
                num_after=0,
                narrow=[["channel", "channel 7"]],
            )
            assert len(answer["messages"]) > 5

        async def register() -> None:
            assert len((await ann.post("register"))["streams"]) >= 30

        for number in range(5):
            await send(number)
        connections = [
            await database.write(lambda tx: tx.connection),
            database.reader.connection,
            await database.long_reads.read(lambda db: db.connection),
        ]
        counted: dict[str, int] = {}
        for name, ask in (("send", send), ("poll", poll), ("fetch", fetch), ("register", register)):
            await ask()  # fills the caches
            counts = []
            for _ in range(3):  # once a second the server checks for due work
                with statements(*connections) as sql:
                    await ask()
                counts.append(len(sql))
            counted[name] = min(counts)
        return counted
