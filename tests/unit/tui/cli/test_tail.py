"""`tail -f`: what it asks for when it begins, and after the network was away."""

import argparse
import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from tests import eg
from tests.live import until
from tui.api.model import MessageId
from tui.api.routes import messages as routes
from tui.cli import tail
from tui.store import Store


@pytest.mark.parametrize(("limit", "first"), [(0, []), (10, [("newest", 10)])])
async def test_after_a_gap_every_new_message_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, limit: int, first: list[tuple[str, int]]
) -> None:
    """Also where nothing was shown so far: with `-n 0`, or in a conversation that was empty."""
    asked: list[tuple[object, int]] = []

    async def fetch(_: object, **options: Any) -> SimpleNamespace:
        asked.append((options["anchor"], options["num_before"] or options["num_after"]))
        return SimpleNamespace(messages=())

    monkeypatch.setattr(routes, "fetch", fetch)
    store = Store.from_snapshot(eg.snapshot(max_message_id=MessageId(50)))
    connection = SimpleNamespace(base_url=SimpleNamespace(text="https://chat.example.com"))
    sync: Any = SimpleNamespace(store=store, connection=connection)
    news = tail._News()
    arguments = argparse.Namespace(narrow="", limit=limit, json=False, ids=False)
    printing = asyncio.create_task(tail._print_news(sync, news, arguments))
    for _ in range(2):
        news.is_replaced = True
        news.event.set()
        await until(lambda: not news.is_replaced)
    printing.cancel()
    assert asked == [*first, (50, tail.MOST_MISSED)]
