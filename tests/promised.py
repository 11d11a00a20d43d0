"""What the server answers, compared with what its endpoints promise. Knows no noun of the product.

Stricter than what clients are told: a field that no type names is a mistake here, also where clients
would pass over it. Every request of `tests.live` and `tests.contract.town` comes by.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from server_lite.errors import ApiError
from server_lite.openapi import Schema, answer_schema, envelope
from server_lite.params import Contract
from server_lite.routes import TABLE


class BrokenPromise(AssertionError):
    """An answer that its endpoint does not promise."""


def check(verb: str, path: str, status: int, answer: Any) -> None:
    """Raise BrokenPromise unless the answer is what it has to be; `path` is below /api/v1/."""
    if status != 200:
        refused = _refusal()
    else:
        contract = _contract(verb, path)
        refused = _validator(contract.function, contract)
    error = next(refused.iter_errors(answer), None)
    if error is not None:
        place = "/".join(map(str, error.instance_path))
        raise BrokenPromise(f"{verb} {path} answered {status}: {place}: {error.message}"[:2000])


def _contract(verb: str, path: str) -> Contract:
    try:
        return TABLE.find(verb, path)[0]
    except ApiError as error:
        raise BrokenPromise(f"{verb} {path} is no endpoint, and succeeded") from error


@cache
def _refusal() -> Draft202012Validator:
    return Draft202012Validator(envelope()["Error"])


_VALIDATORS: dict[Callable[..., Any], Draft202012Validator] = {}


def _validator(function: Callable[..., Any], contract: Contract) -> Draft202012Validator:
    known = _VALIDATORS.get(function)
    if known is None:
        known = _VALIDATORS[function] = Draft202012Validator(closed(contract))
    return known


def closed(contract: Contract) -> Schema:
    """The schema of the endpoint's answer, in which nothing may be that it does not name."""
    schemas = envelope()
    answer = answer_schema(contract, schemas)
    if answer is None:
        return {"not": {}}
    if answer == {"type": "object"}:
        return answer
    components = {
        name: schema if name in envelope() or "properties" not in schema else _shut(schema)
        for name, schema in schemas.items()
    }
    return {**answer, "unevaluatedProperties": False, "components": {"schemas": components}}


def _shut(schema: Schema) -> Schema:
    return {"additionalProperties": False, **schema}
