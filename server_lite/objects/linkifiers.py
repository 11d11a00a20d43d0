"""Linkifiers as the API's JSON. Reads only."""

from typing_extensions import TypedDict

from server_lite.store import linkifiers
from server_lite.store.connection import Db


class LinkifierObject(TypedDict):
    """A pattern, and the addresses that what it matches becomes."""

    id: int
    pattern: str
    url_template: str
    example_input: str | None
    reverse_template: str | None
    alternative_url_templates: list[str]


def linkifier_objects(db: Db) -> list[LinkifierObject]:
    """All linkifiers in their order."""
    return [
        {
            "id": one.id,
            "pattern": one.pattern,
            "url_template": one.url_template,
            "example_input": one.example_input,
            "reverse_template": one.reverse_template,
            "alternative_url_templates": list(one.alternative_url_templates),
        }
        for one in linkifiers.everything(db)
    ]
