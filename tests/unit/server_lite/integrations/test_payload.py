"""Bodies of services: as large as a service sends them, and refused unread if they are made to take long."""

import orjson
import pytest

from server_lite.errors import ApiError
from server_lite.integrations.payload import MOST_OBJECTS, read

MOST_SENT = 7_000
"""Alerts in 4 MB."""


@pytest.mark.parametrize(
    "unit", ["[],", "{},", '{"a":1},', '{"a" :1},'], ids=["lists", "objects", "named", "spaced"]
)
def test_a_body_of_nothing_but_structure_is_refused_unread(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million lists take a sixth of a second, with the interpreter's lock."""
    read_texts: list[bytes] = []
    monkeypatch.setattr(orjson, "loads", read_texts.append)
    with pytest.raises(ApiError, match="too many values"):
        read(f'{{"a":[{unit * MOST_OBJECTS}1]}}')
    assert read_texts == []


def test_the_alerts_of_a_whole_cluster_are_read() -> None:
    """When everything fails at once, the message about it comes."""
    labels = dict.fromkeys("abcdefgh", "some value")
    alert = {
        "status": "firing",
        "labels": labels,
        "annotations": {"x": "[]"},
        "startsAt": "10:12:13",
    }
    body = orjson.dumps({"alerts": [{**alert, "number": number} for number in range(MOST_SENT)]})
    assert read(body).count("alerts") == MOST_SENT
