"""Typing notices. No state, no retries."""

from typing import Literal, TypeAlias

from tui.api.connection import Connection
from tui.api.destination import Destination, typing_parameters
from tui.api.model import MessageId

TypingOp: TypeAlias = Literal["start", "stop"]


async def set_status(connection: Connection, *, destination: Destination, op: TypingOp) -> None:
    """POST /typing."""
    await connection.post("/typing", {**typing_parameters(destination), "op": op})


async def set_edit_status(connection: Connection, *, message_id: MessageId, op: TypingOp) -> None:
    """POST /messages/{id}/typing: while editing (since level 351)."""
    await connection.post(f"/messages/{message_id}/typing", {"op": op})
