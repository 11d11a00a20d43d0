"""What requests that succeed are answered: their fields with `result` and `msg`, as JSON. Knows no endpoint."""

import time
from collections.abc import Mapping
from typing import cast

import orjson

from server_lite.api.answers import EncodedFields
from server_lite.api.params import Document
from server_lite.errors import Allowance
from server_lite.http.conditional import Header
from server_lite.objects.encoded import json_of


def success(answer: Mapping[str, object] | EncodedFields, ignored: list[str]) -> bytes:
    """Return the body of the answer; `ignored` are the names of parameters that the endpoint does not know."""
    if isinstance(answer, EncodedFields):
        text = answer.text
        text += b"," if len(text) > 1 else b""
        text += orjson.dumps(envelope(answer.rest, ignored))[1:]
        return cast(bytes, text)  # nothing asks for more than a buffer, and a copy takes long
    if isinstance(answer, Document):
        return orjson.dumps(dict(answer))
    return json_of(envelope(answer, ignored))


def envelope(answer: Mapping[str, object], ignored: list[str]) -> dict[str, object]:
    """Return the answer's fields with what all answers have."""
    if ignored:
        answer = {"ignored_parameters_unsupported": ignored, **answer}
    return {"result": "success", "msg": "", **answer}


def allowance_headers(allowance: Allowance) -> list[Header]:
    """Return what tells a client how many requests it has left."""
    reset = int(time.time() + allowance.reset_in)
    return [
        (b"x-ratelimit-remaining", str(allowance.remaining).encode()),
        (b"x-ratelimit-limit", str(allowance.limit).encode()),
        (b"x-ratelimit-reset", str(reset).encode()),
    ]
