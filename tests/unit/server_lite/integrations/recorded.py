"""Payloads of the services, in tests/data/webhooks: made from their documentation, with expected messages."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from server_lite.integrations.integration import Delivery
from server_lite.integrations.payload import Payload

FOLDER: Final = Path(__file__).parents[3] / "data" / "webhooks"


def recorded(*, without: frozenset[str] = frozenset()) -> list[Any]:
    """Return (service, payload and expected message) as parameters of a test."""
    return [
        pytest.param(path.stem, row, id=f"{path.stem}-{number}-{row['posted']['event']}")
        for path in sorted(FOLDER.glob("*.json"))
        if path.stem not in without
        for number, row in enumerate(json.loads(path.read_text("utf-8")))
    ]


def delivery(row: dict[str, Any], **config: str) -> Delivery:
    """Return the delivery that the server makes of the request."""
    headers = {name.lower(): value for name, value in row["headers"].items()}
    return Delivery(headers=headers, payload=Payload(row["body"]), config=config)
