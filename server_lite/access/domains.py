"""Which addresses may join, and which domains can be allowed. Reads only; raises ApiError with the reason."""

import re
from typing import Final

from server_lite.errors import ApiError
from server_lite.store import domains, realm
from server_lite.store.connection import Db
from server_lite.store.domains import DomainRow

_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
MAX_DOMAINS: Final = 200


def checked_domain(domain: str) -> str:
    """Return the validated domain in lower case."""
    domain = domain.strip().lower()
    if not domain:
        raise ApiError("Domain can't be empty.")
    if len(domain) > 80 or not _DOMAIN.fullmatch(domain):
        raise ApiError("Invalid domain.")
    return domain


def check_new_domain(db: Db, domain: str) -> str:
    """Return the validated domain in lower case; raises ApiError if it is already allowed."""
    domain = checked_domain(domain)
    if domains.by_name(db, domain) is not None:
        raise ApiError(f"The domain {domain} is already a part of your organization.")
    if len(domains.everything(db)) >= MAX_DOMAINS:
        raise ApiError(f"An organization can have at most {MAX_DOMAINS} domains.")
    return domain


def access_domain(db: Db, domain: str) -> DomainRow:
    """Return an allowed domain; raises ApiError."""
    row = domains.by_name(db, domain)
    if row is None:
        raise ApiError(f"No entry found for domain {domain}.")
    return row


def check_allowed(db: Db, email: str) -> None:
    """Raise if the organization restricts email domains and this address is in none of them."""
    if not realm.setting(db, "emails_restricted_to_domains"):
        return
    host = email.rpartition("@")[2].lower()
    for row in domains.everything(db):
        if host == row.domain or (row.allow_subdomains and host.endswith(f".{row.domain}")):
            return
    raise ApiError("Your email address does not belong to an allowed domain.")
