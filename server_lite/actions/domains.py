"""Changes the domains whose email addresses may join. Checks no permissions: callers did."""

from server_lite.access.channel_audience import everybody
from server_lite.actions.realm import set_settings
from server_lite.events.organization import DomainAdded, DomainChanged, DomainRemoved
from server_lite.objects.organization import domain_object
from server_lite.store import domains
from server_lite.store.database import Tx
from server_lite.store.domains import DomainRow


def add(tx: Tx, row: DomainRow) -> None:
    """Add an allowed domain."""
    domains.store(tx, row)
    tx.emit(DomainAdded(domain=domain_object(row)), to=everybody(tx))


def change(tx: Tx, row: DomainRow) -> None:
    """Change whether subdomains of the domain are allowed as well."""
    domains.store(tx, row)
    tx.emit(DomainChanged(domain=domain_object(row)), to=everybody(tx))


def remove(tx: Tx, row: DomainRow) -> None:
    """Remove an allowed domain. Removing the last one lifts the restriction, which nobody could meet."""
    domains.delete(tx, row.domain)
    tx.emit(DomainRemoved(domain=row.domain), to=everybody(tx))
    if not domains.everything(tx):
        set_settings(tx, {"emails_restricted_to_domains": False})
