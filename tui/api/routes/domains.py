"""Domains whose email addresses may join the organization. No state, no retries."""

from urllib.parse import quote

from tui.api.connection import Connection
from tui.api.organization import RealmDomain


async def fetch(connection: Connection) -> tuple[RealmDomain, ...]:
    """GET /realm/domains."""
    answer = await connection.get("/realm/domains", {})
    return answer.read("domains", tuple[RealmDomain, ...])


async def add(connection: Connection, *, domain: RealmDomain) -> RealmDomain:
    """POST /realm/domains: for owners; return the domain as it is stored (in lower case)."""
    answer = await connection.post(
        "/realm/domains",
        {"domain": domain.domain, "allow_subdomains": domain.allow_subdomains},
    )
    return answer.read("new_domain", RealmDomain)


async def update(connection: Connection, *, domain: RealmDomain) -> None:
    """PATCH /realm/domains/{domain}: whether subdomains count as well; for owners."""
    await connection.patch(
        f"/realm/domains/{quote(domain.domain, safe='')}",
        {"allow_subdomains": domain.allow_subdomains},
    )


async def remove(connection: Connection, *, name: str) -> None:
    """DELETE /realm/domains/{domain}: for owners; members who have joined stay."""
    await connection.delete(f"/realm/domains/{quote(name, safe='')}", {})
