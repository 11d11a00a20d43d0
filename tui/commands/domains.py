"""Domains whose addresses may join: named, changed, dropped. Raises ApiError; no Textual."""

from collections.abc import Mapping

from tui.api.organization import RealmDomain
from tui.api.routes import domains as routes
from tui.sync.machine import Sync


async def fetch(sync: Sync) -> Mapping[str, RealmDomain]:
    """All of them, by name."""
    return {each.domain: each for each in await routes.fetch(sync.connection)}


async def add(sync: Sync, domain: RealmDomain) -> None:
    """Another one."""
    await routes.add(sync.connection, domain=domain)


async def change(sync: Sync, domain: RealmDomain) -> None:
    """Whether its subdomains count as well."""
    await routes.update(sync.connection, domain=domain)


async def remove(sync: Sync, name: str) -> None:
    """Drop it; who has joined stays."""
    await routes.remove(sync.connection, name=name)
