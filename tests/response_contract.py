"""Compares the server's answers with its endpoints' contracts. Knows no noun of the product.

With CHINWAG_COUNT_ANSWERS=FILE each process appends to the file, when it ends, how many answers and events it
compared and how many of them violated their contract.

Stricter than the API's promise to clients: an undeclared field is an error here, even where clients
would ignore it. Every request of `tests.live` and `tests.contract.in_memory_server` is checked.
"""

import atexit
import json
import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from jsonschema_rs import Draft202012Validator

from server_lite.api.openapi import Schema, answer_schema, described, envelope
from server_lite.api.params import EndpointSpec
from server_lite.errors import ApiError
from server_lite.objects.events import EventObject
from server_lite.routes import TABLE

_COUNTED: Final[Counter[str]] = Counter()


class ContractViolation(AssertionError):
    """An answer that violates its endpoint's contract."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        _COUNTED["broken"] += 1


def _write_counts(path: str) -> None:
    with Path(path).open("a") as file:
        file.write(json.dumps(_COUNTED) + "\n")


if "CHINWAG_COUNT_ANSWERS" in os.environ:
    atexit.register(_write_counts, os.environ["CHINWAG_COUNT_ANSWERS"])


def check(verb: str, path: str, status: int, answer: Any) -> None:
    """Raise ContractViolation unless the answer is as declared; `path` is below /api/v1/."""
    _COUNTED["answers"] += 1
    if status == 405:
        # Not an endpoint's answer: it has the path's verbs instead of a code.
        if answer.keys() != {"result", "msg", "allowed_methods"}:
            raise ContractViolation(f"{verb} {path} answered {status}: {answer}"[:2000])
        return
    if status != 200:
        refused = _refusal()
    else:
        if (verb, path) == ("GET", "events"):
            for event in answer["events"]:
                check_event(event)
        contract = _contract(verb, path)
        refused = _validator(contract.function, contract)
    error = next(refused.iter_errors(answer), None)
    if error is not None:
        place = "/".join(map(str, error.instance_path))
        raise ContractViolation(f"{verb} {path} answered {status}: {place}: {error.message}"[:2000])


def check_event(event: Any) -> None:
    """Raise ContractViolation unless the event is as described, to the last field."""
    _COUNTED["events"] += 1
    kind = (event["type"], event.get("op"))
    validators = _event_validators(kind)
    if not validators:
        raise ContractViolation(f"no event is described as {kind}")
    errors = [next(validator.iter_errors(event), None) for validator in validators]
    if None not in errors:
        said = "; or: ".join(
            f"{'/'.join(map(str, error.instance_path))}: {error.message}"
            for error in errors
            if error is not None
        )
        raise ContractViolation(f"event {kind}: {said}"[:2000])


@cache
def events() -> tuple[type, ...]:
    """Return the types of all described events."""
    return tuple(
        each for of_noun in get_args(EventObject) for each in get_args(of_noun) or (of_noun,)
    )


@cache
def kinds_of(shape: type) -> frozenset[tuple[str, str | None]]:
    """Return the (type, op) pairs that the type describes."""
    hints = get_type_hints(shape)
    ops = get_args(hints["op"]) if "op" in hints else (None,)
    return frozenset((name, op) for name in get_args(hints["type"]) for op in ops)


@cache
def _event_validators(kind: tuple[str, str | None]) -> tuple[Draft202012Validator, ...]:
    return tuple(_event_validator(shape) for shape in events() if kind in kinds_of(shape))


@cache
def _event_validator(shape: type) -> Draft202012Validator:
    schemas: Schema = {}
    schema = described(shape, schemas, "serialization")
    components = {
        name: _shut(inner) if "properties" in inner else inner for name, inner in schemas.items()
    }
    return Draft202012Validator({**_shut(schema), "components": {"schemas": components}})


def _contract(verb: str, path: str) -> EndpointSpec:
    try:
        return TABLE.find(verb, path)[0]
    except ApiError as error:
        raise ContractViolation(f"{verb} {path} is no endpoint, and succeeded") from error


@cache
def _refusal() -> Draft202012Validator:
    return Draft202012Validator(envelope()["Error"])


_VALIDATORS: dict[Callable[..., Any], Draft202012Validator] = {}


def _validator(function: Callable[..., Any], contract: EndpointSpec) -> Draft202012Validator:
    known = _VALIDATORS.get(function)
    if known is None:
        known = _VALIDATORS[function] = Draft202012Validator(closed(contract))
    return known


def closed(contract: EndpointSpec) -> Schema:
    """Return the schema of the endpoint's answer, without undeclared fields."""
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
