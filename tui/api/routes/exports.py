"""Copies of all data of an organization, which full servers make. No state, no retries."""

from collections.abc import Mapping
from typing import Literal

from tui.api.connection import Connection
from tui.api.model import UserId
from tui.api.organization import Export
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportConsent:
    """Whether somebody's private data may be exported."""

    user_id: UserId
    consented: bool


async def fetch(connection: Connection) -> tuple[Export, ...]:
    """GET /export/realm: for administrators; those being made, ready and failed."""
    answer = await connection.get("/export/realm", {})
    return answer.read("exports", tuple[Export, ...])


async def create(
    connection: Connection,
    *,
    kind: Literal["public", "full_with_consent", "full_without_consent"],
) -> int:
    """POST /export/realm: begin one; its id. BAD_REQUEST: too large to be made on request."""
    answer = await connection.post("/export/realm", {"export_type": kind})
    return answer.read("id", int)


async def delete(connection: Connection, *, export_id: int) -> None:
    """DELETE /export/realm/{id}."""
    await connection.delete(f"/export/realm/{export_id}", {})


async def fetch_consents(connection: Connection) -> Mapping[UserId, bool]:
    """GET /export/realm/consents: who agrees to have private data exported."""
    answer = await connection.get("/export/realm/consents", {})
    consents = answer.read("export_consents", tuple[ExportConsent, ...])
    return {each.user_id: each.consented for each in consents}
