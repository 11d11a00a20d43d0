"""Rows of the domains whose addresses may join, where the organization asks for them. SQL only."""

from server_lite.dataclass import dataclass
from server_lite.store.connection import Db


@dataclass(frozen=True, slots=True)
class DomainRow:
    """One row of `realm_domain`."""

    domain: str
    allow_subdomains: bool


def everything(db: Db) -> list[DomainRow]:
    """All domains by name."""
    rows = db.rows("SELECT domain, allow_subdomains FROM realm_domain ORDER BY domain")
    return [DomainRow(domain, bool(subdomains)) for domain, subdomains in rows]


def by_name(db: Db, domain: str) -> DomainRow | None:
    """One domain."""
    return next((row for row in everything(db) if row.domain == domain.lower()), None)


def store(db: Db, row: DomainRow) -> None:
    """Write a domain, whether it is new or not."""
    db.run(
        "INSERT OR REPLACE INTO realm_domain (domain, allow_subdomains) VALUES (?, ?)",
        row.domain,
        row.allow_subdomains,
    )


def delete(db: Db, domain: str) -> None:
    """Forget a domain."""
    db.run("DELETE FROM realm_domain WHERE domain = ?", domain)
