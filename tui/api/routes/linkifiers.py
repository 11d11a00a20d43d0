"""Linkifiers: patterns that become links in every message. No state, no retries."""

from collections.abc import Sequence
from dataclasses import asdict

from tui.api.connection import Connection
from tui.api.model import LinkifierId
from tui.api.organization import Linkifier
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLinkifier:
    """A linkifier to create, or the new values of one."""

    pattern: str
    url_template: str
    example_input: str | None
    reverse_template: str | None
    alternative_url_templates: tuple[str, ...]


async def fetch(connection: Connection) -> tuple[Linkifier, ...]:
    """GET /realm/linkifiers: return them in the order in which they apply."""
    answer = await connection.get("/realm/linkifiers", {})
    return answer.read("linkifiers", tuple[Linkifier, ...])


async def create(connection: Connection, *, linkifier: NewLinkifier) -> LinkifierId:
    """POST /realm/filters: for administrators. BAD_REQUEST: pattern or template is invalid."""
    parameters = asdict(linkifier)
    answer = await connection.post("/realm/filters", parameters)
    return answer.read("id", LinkifierId)


async def update(
    connection: Connection, *, linkifier_id: LinkifierId, linkifier: NewLinkifier
) -> None:
    """PATCH /realm/filters/{id}: replace all fields; example and reverse are reset by ""."""
    parameters = {
        **asdict(linkifier),
        "example_input": linkifier.example_input or "",
        "reverse_template": linkifier.reverse_template or "",
    }
    await connection.patch(f"/realm/filters/{linkifier_id}", parameters)


async def delete(connection: Connection, *, linkifier_id: LinkifierId) -> None:
    """DELETE /realm/filters/{id}."""
    await connection.delete(f"/realm/filters/{linkifier_id}", {})


async def reorder(connection: Connection, *, linkifier_ids: Sequence[LinkifierId]) -> None:
    """PATCH /realm/linkifiers: all of them in their new order."""
    await connection.patch("/realm/linkifiers", {"ordered_linkifier_ids": linkifier_ids})
