"""Playgrounds and domains as the API's JSON. Reads only."""

from typing_extensions import TypedDict

from server_lite.store import domains, playgrounds
from server_lite.store.connection import Db
from server_lite.store.domains import DomainRow


class PlaygroundObject(TypedDict):
    """A place where code of a language can be tried."""

    id: int
    name: str
    pygments_language: str
    url_template: str


class DomainObject(TypedDict):
    """A domain whose addresses may join."""

    domain: str
    allow_subdomains: bool


def playground_objects(db: Db) -> list[PlaygroundObject]:
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


def domain_object(row: DomainRow) -> DomainObject:
    """One domain."""
    return {"domain": row.domain, "allow_subdomains": row.allow_subdomains}


def domain_objects(db: Db) -> list[DomainObject]:
    """All domains by name."""
    return [domain_object(row) for row in domains.everything(db)]
