"""The narrow of an event queue: only operators that can be decided from a message event alone. Pure."""

from collections.abc import Iterable

from server_lite.errors import ApiError, BadNarrow
from server_lite.events.messages import NARROW_IS, NARROW_OPERATORS


def check_queue_narrow(narrow: Iterable[tuple[str, str]]) -> None:
    """Refuse operators that a queue's events cannot be filtered by."""
    for operator, operand in narrow:
        if operator not in NARROW_OPERATORS:
            raise ApiError(f"Operator {operator} not supported.")
        if operator == "is" and operand not in NARROW_IS:
            raise BadNarrow(f"unknown 'is' operand {operand}")
