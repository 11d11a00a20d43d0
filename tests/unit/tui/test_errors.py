"""Every error is a sentence for people. No I/O."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from tui import errors
from tui.errors import ApiError, ApiRefused, NetworkError, NetworkErrorKind, TuiError


def _tree(cls: type[TuiError], depth: int = 0) -> Iterator[tuple[int, str]]:
    yield depth, cls.__name__
    for child in cls.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _tree(child, depth + 1)


def test_the_tree_is_drawn_as_it_is() -> None:
    """Whoever reads the first page of the errors sees all of them, in their places."""
    drawn = re.findall(r"^    ([│├└─ ]*)(\w+) ", errors.__doc__ or "", re.MULTILINE)
    assert [(len(lines) // 4, name) for lines, name in drawn] == list(_tree(TuiError))


@pytest.mark.parametrize("kind", get_args(NetworkErrorKind))
def test_every_network_fault_is_told_in_a_sentence(kind: NetworkErrorKind) -> None:
    """Someone who is offline reads what is wrong, with the server's name."""
    sentence = str(NetworkError("GET /users", kind, "chat.example.com"))
    assert "chat.example.com" in sentence
    assert sentence.endswith((".", "?"))


def test_what_never_left_is_not_perhaps_sent() -> None:
    """A message that could not be sent at all is sent again without a question."""
    assert not NetworkError("POST /messages", "refused", "x").may_have_arrived
    assert NetworkError("POST /messages", "timeout", "x").may_have_arrived
    assert NetworkError("POST /messages", "interrupted", "x").may_have_arrived


def test_a_refusal_without_words_still_says_something() -> None:
    """An empty answer of a server does not become an empty notice."""
    assert str(ApiRefused("GET /users", "", code="X", status=400, data={}))


@pytest.mark.parametrize("base", [TuiError, ApiError])
def test_only_errors_that_say_what_happened_are_raised(base: type[TuiError]) -> None:
    """Nobody reads "an error occurred"."""
    with pytest.raises(AssertionError):
        base(*["x"] * (2 if base is ApiError else 1))
