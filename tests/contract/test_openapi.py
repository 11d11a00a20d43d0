"""The generated description of the API: served to everybody, and well formed."""

from pathlib import Path

from server_lite.api.openapi import document
from server_lite.routes import TABLE
from tests.live import live


async def test_the_description_is_served(tmp_path: Path) -> None:
    """Whoever writes a client gets the whole API from the server itself, without an account."""
    async with live(tmp_path) as server, server.client() as http:
        served = (await http.get("openapi.json")).json()
        assert served["openapi"] == "3.1.0"
        send = served["paths"]["/messages"]["post"]
        assert send["security"] == [{"key": []}]
        form = send["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"]
        assert set(form["required"]) == {"type", "content"}
        assert form["properties"]["content"]["type"] == "string"
        assert served["paths"]["/fetch_api_key"]["post"]["security"] == []
        emoji = served["paths"]["/realm/emoji/{emoji_name}"]["post"]
        assert list(emoji["requestBody"]["content"]) == ["multipart/form-data"]


def test_the_description_is_well_formed() -> None:
    """Every reference leads somewhere, and every operation has a name of its own."""
    import schemathesis  # takes half a second of each worker of the suite

    described = document(TABLE)
    schemathesis.openapi.from_dict(described).validate()
    ids = [
        operation["operationId"]
        for verbs in described["paths"].values()
        for operation in verbs.values()
    ]
    assert len(ids) == len(set(ids))
