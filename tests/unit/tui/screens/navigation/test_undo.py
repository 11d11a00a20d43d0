"""Undo takes back what was done last, also when the server has not answered yet."""

import asyncio

from tui.screens.navigation.undo import UndoStack


async def test_what_was_begun_is_undone_when_it_is_answered() -> None:
    """Ctrl+Z right after Ctrl+R waits for the answer, and does not say that there is nothing to undo."""
    undoing, undone = UndoStack(), []
    answer = asyncio.Event()

    async def back() -> None:
        undone.append("read")

    async def mark_read() -> None:
        with undoing.begun():
            await answer.wait()
            undoing.did("2 messages marked as read", back)

    marking = asyncio.ensure_future(mark_read())
    await asyncio.sleep(0)
    undo = asyncio.ensure_future(undoing.undo())
    await asyncio.sleep(0)
    answer.set()
    await marking
    assert await undo == "2 messages marked as read"
    assert undone == ["read"]
    assert await undoing.undo() is None
