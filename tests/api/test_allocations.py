"""How many objects the server keeps of a message that was sent and received: none, however many come."""

import asyncio
import gc
import sys
from pathlib import Path
from unittest.mock import patch

from server_lite import queues
from server_lite.store import event_log
from tests.contract.in_memory_server import InMemoryServer, copied, found_town

TAIL = 10
"""Events that are in memory for those who poll, instead of hundreds."""
MESSAGES = 8 * TAIL


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def test_messages_that_were_received_are_not_kept(tmp_path: Path) -> None:
    """Neither texts nor events nor what was remembered of a send; a queue is emptied by its next poll."""
    template = tmp_path / "template.db"
    people = found_town(template)
    town = copied(template, people, tmp_path / "town.db")
    try:
        with patch.object(event_log, "TAIL", TAIL), patch.object(queues, "ENCODED", TAIL):
            kept = asyncio.run(_kept(town))
    finally:
        town.close()
    assert kept <= 2, kept


async def _kept(town: InMemoryServer) -> float:
    """Return the objects that are left of each message."""
    olga, mary, *_ = town.people
    queue = await mary.post("register", event_types=["message"])
    last = queue["last_event_id"]

    async def talk(count: int) -> None:
        nonlocal last
        for number in range(count):
            text = f"Message {number} of many words."
            await olga.post("messages", type="stream", to="kitchen", topic="tea", content=text)
            if number % 10 == 9:
                told = await mary.get("events", queue_id=queue["queue_id"], last_event_id=last)
                assert len(told["events"]) == 10
                last = told["events"][-1]["id"]

    await talk(4 * MESSAGES)  # until what is remembered of senders and texts is full
    before = _blocks()
    await talk(MESSAGES)
    return (_blocks() - before) / MESSAGES
