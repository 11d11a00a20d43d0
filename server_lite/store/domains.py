"""Rows of domains whose addresses may join a restricted organization. SQL only."""

from server_lite.dataclass import dataclass
from server_lite.store.connection import Db


@dataclass(frozen=True, slots=True)
class DomainRow:
    """A row of `realm_domain`."""

    domain: str
    allow_subdomains: bool


def everything(db: Db) -> list[DomainRow]:
    """Return all domains by name."""
    rows = db.rows("SELECT domain, allow_subdomains FROM realm_domain ORDER BY domain")
    return [DomainRow(domain, bool(subdomains)) for domain, subdomains in rows]


def by_name(db: Db, domain: str) -> DomainRow | None:
    """Return one domain."""
    return next((row for row in everything(db) if row.domain == domain.lower()), None)


def store(db: Db, row: DomainRow) -> None:
    """Store a domain, new or changed."""
    db.run(
        "INSERT OR REPLACE INTO realm_domain (domain, allow_subdomains) VALUES (?, ?)",
        row.domain,
        row.allow_subdomains,
    )


def delete(db: Db, domain: str) -> None:
    """Delete a domain."""
    db.run("DELETE FROM realm_domain WHERE domain = ?", domain)
