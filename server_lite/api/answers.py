"""Common types of answers, beside those of each endpoint. No I/O.

An endpoint's answer is part of its contract, as its parameters are: the function returns a TypedDict
with the fields beside `result` and `msg`, and both the type checker and the description of the
API read it there. `NotRequired` marks fields that not every answer has. The objects in it are defined in
`objects/<noun>.py`, beside the functions that make them.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Final, Generic, TypeVar

from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.http.connections import Output

LINES: Final = "application/x-ndjson"


class Done(TypedDict):
    """The answer of requests that return nothing but success."""


@dataclass(frozen=True, slots=True)
class Lines:
    """An answer in lines of JSON, each sent as soon as it is made; the first line is a complete answer."""

    first: Mapping[str, object]
    rest: Callable[[Output | None], AsyncGenerator[bytes, None]]
    """Yields the next lines in turn, and may write further ones to the output while one is awaited."""


Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Later(Generic[Answer]):
    """An answer that may have to be waited for, without a task."""

    begin: Callable[[Callable[[Answer | Exception], object]], Callable[[], None]]
    """Calls its argument with the answer or an error, perhaps at once. Returns a function that gives it up."""


@dataclass(frozen=True, slots=True)
class EncodedFields:
    """An answer whose long part was encoded in the thread that read it, and is not copied again."""

    text: bytearray
    """The long part: a JSON object without its closing brace."""
    rest: Mapping[str, object]
    """The other fields."""
