"""Polls and to-do lists: voting, ticking, adding. Raises ApiError; no Textual.

Nothing is shown before the server's event: the result depends on the order of all submessages.
"""

import json

from tui.api.model import MessageId
from tui.api.routes import submessages as routes
from tui.content.submessages import MessageWidget, Poll, message_widget, next_index
from tui.sync.machine import Sync


async def toggle(sync: Sync, message_id: MessageId, key: str) -> None:
    """Vote for an option, or remove the vote; tick or untick a task."""
    widget = _widget(sync, message_id)
    if not isinstance(widget, Poll):
        await _send(sync, message_id, {"type": "strike", "key": key})
        return
    voted = any(each.key == key and sync.store.self_id in each.voters for each in widget.options)
    await _send(sync, message_id, {"type": "vote", "key": key, "vote": -1 if voted else 1})


async def add(sync: Sync, message_id: MessageId, text: str, detail: str = "") -> None:
    """Add an option, or a task with a description."""
    widget = _widget(sync, message_id)
    if widget is None:
        return
    index = next_index(widget, sync.store.self_id)
    if isinstance(widget, Poll):
        await _send(sync, message_id, {"type": "new_option", "idx": index, "option": text})
        return
    task = {"type": "new_task", "key": index, "task": text, "desc": detail, "completed": False}
    await _send(sync, message_id, task)


async def rename(sync: Sync, message_id: MessageId, title: str) -> None:
    """Rename a poll or to-do list; its author only."""
    if isinstance(_widget(sync, message_id), Poll):
        await _send(sync, message_id, {"type": "question", "question": title})
    else:
        await _send(sync, message_id, {"type": "new_task_list_title", "title": title})


def _widget(sync: Sync, message_id: MessageId) -> MessageWidget | None:
    message = sync.store.message(message_id)
    return None if message is None else message_widget(message.submessages, message.sender_id)


async def _send(sync: Sync, message_id: MessageId, act: dict[str, object]) -> None:
    await routes.send(sync.connection, message_id=message_id, content=json.dumps(act))
