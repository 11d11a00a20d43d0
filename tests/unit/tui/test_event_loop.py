"""The loop asks the system for input when it has nothing else to do, or after some turns."""

import asyncio
import selectors

import pytest

from tui import event_loop
from tui.event_loop import MOST_TURNS


def test_input_is_not_looked_for_at_each_turn_but_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is several turns of the loop; work without end must not keep the next key from being read."""
    looked: list[float | None] = []
    select = selectors.DefaultSelector.select

    def selecting(
        self: selectors.DefaultSelector, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        looked.append(timeout)
        return select(self, timeout)

    async def program() -> int:
        await asyncio.sleep(0.001)
        looked.clear()
        for _ in range(4 * MOST_TURNS):
            await asyncio.sleep(0)
        return len(looked)

    monkeypatch.setattr(selectors.DefaultSelector, "select", selecting)
    assert 3 <= event_loop.run(program()) <= 4
