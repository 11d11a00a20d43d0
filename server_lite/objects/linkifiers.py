"""Linkifiers as the API's JSON. Reads only."""

from typing import Any

from server_lite.store import linkifiers
from server_lite.store.connection import Db


def linkifier_objects(db: Db) -> list[dict[str, Any]]:
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
