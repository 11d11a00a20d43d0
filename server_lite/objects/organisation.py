"""Playgrounds and domains as the API's JSON. Reads only."""

from typing import Any

from server_lite.store import domains, playgrounds
from server_lite.store.connection import Db
from server_lite.store.domains import DomainRow


def playground_objects(db: Db) -> list[dict[str, Any]]:
    """All Playground objects."""
    return [
        {
            "id": one.id,
            "name": one.name,
            "pygments_language": one.pygments_language,
            "url_template": one.url_template,
        }
        for one in playgrounds.everything(db)
    ]


def domain_object(row: DomainRow) -> dict[str, Any]:
    """One domain."""
    return {"domain": row.domain, "allow_subdomains": row.allow_subdomains}


def domain_objects(db: Db) -> list[dict[str, Any]]:
    """All domains by name."""
    return [domain_object(row) for row in domains.everything(db)]
