"""Every endpoint says what it answers, and answers that."""

from typing import Any

import pytest
from typing_extensions import is_typeddict

from server_lite.api.answers import Done
from server_lite.api.openapi import answer_schema, document
from server_lite.api.params import Document
from server_lite.routes import TABLE
from tests import response_contract
from tests.response_contract import ContractViolation

CONTRACTS = {
    f"{verb} {route.pattern}": contract
    for route in TABLE.routes
    for verb, contract in route.contracts.items()
}


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_fields_of_every_answer_are_named(name: str) -> None:
    """Who reads the description of an endpoint learns what comes back, and not only that it worked."""
    contract = CONTRACTS[name]
    schema = answer_schema(contract, {})
    if schema is None or contract.answer in (Done, Document):
        return  # refuses everything; says nothing more; or is the description itself
    assert is_typeddict(contract.answer)
    _, own = schema["allOf"]
    assert own["properties"]
    assert own["description"]


def test_objects_of_the_api_are_described_once() -> None:
    """The message that is fetched alone is the same thing as those in a list."""
    paths = document(TABLE)["paths"]

    def answer(path: str) -> Any:
        content = paths[path]["get"]["responses"]["200"]["content"]
        return content["application/json"]["schema"]["allOf"][1]["properties"]

    one = {"$ref": "#/components/schemas/MessageObject"}
    assert answer("/messages/{message_id}")["message"] == one
    assert answer("/messages")["messages"] == {"type": "array", "items": one}


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (200, {"result": "success", "msg": "", "drafts": []}),
        (200, {"result": "success", "msg": "", "count": "0", "drafts": []}),
        (200, {"result": "success", "msg": "", "count": 0, "drafts": [], "more": 1}),
        (200, {"result": "success", "msg": "", "count": 1, "drafts": [{"id": 1}]}),
        (400, {"result": "error", "msg": "No."}),
    ],
)
def test_a_broken_promise_is_noticed(status: int, answer: dict[str, Any]) -> None:
    """A field that is missing, of another type, or not promised fails the test that got it."""
    with pytest.raises(ContractViolation):
        response_contract.check("GET", "drafts", status, answer)
