"""Domains whose email addresses may join, changed by owners. Thin."""

from typing_extensions import TypedDict

from server_lite.access.domains import access_domain, check_new_domain
from server_lite.access.roles import check_owner
from server_lite.actions import domains as actions
from server_lite.api.answers import Done
from server_lite.objects.organization import DomainObject, domain_object, domain_objects
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.domains import DomainRow
from server_lite.store.users import UserRow


class Domains(TypedDict):
    """All allowed domains."""

    domains: list[DomainObject]


class Created(TypedDict):
    """The added domain."""

    new_domain: DomainObject


def listing(db: Db, user: UserRow) -> Domains:
    """Get all allowed domains."""
    return {"domains": domain_objects(db)}


def create(tx: Tx, user: UserRow, *, domain: str, allow_subdomains: bool) -> Created:
    """Add an allowed domain."""
    check_owner(user)
    row = DomainRow(check_new_domain(tx, domain), allow_subdomains)
    actions.add(tx, row)
    return {"new_domain": domain_object(row)}


def update(tx: Tx, user: UserRow, domain: str, *, allow_subdomains: bool) -> Done:
    """Change whether subdomains are allowed as well."""
    check_owner(user)
    row = access_domain(tx, domain)
    actions.change(tx, DomainRow(row.domain, allow_subdomains))
    return {}


def delete(tx: Tx, user: UserRow, domain: str) -> Done:
    """Remove an allowed domain."""
    check_owner(user)
    actions.remove(tx, access_domain(tx, domain))
    return {}
