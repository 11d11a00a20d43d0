"""The words of `chinwag api` become one request, or a sentence. No sockets."""

import io

import pytest

from tui.cli.api import request_of
from tui.errors import ConfigError


@pytest.mark.parametrize(
    ("words", "request_made"),
    [
        (["users/me"], ("GET", "/users/me", {})),
        (
            ["patch", "/api/v1/settings", "timezone=UTC"],
            ("PATCH", "/settings", {"timezone": "UTC"}),
        ),
        (["POST", "typing", 'to=["a=b"]', "op="], ("POST", "/typing", {"to": '["a=b"]', "op": ""})),
    ],
)
def test_a_request_is_written_as_it_is_documented(
    words: list[str], request_made: tuple[str, str, dict[str, str]]
) -> None:
    """The verb may be left out; everything after the first = is the value."""
    assert request_of(words) == request_made


def test_a_long_value_comes_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message may be longer than a command line."""
    monkeypatch.setattr("sys.stdin", io.StringIO("many\nwords"))
    assert request_of(["POST", "messages", "content=-"])[2] == {"content": "many\nwords"}


@pytest.mark.parametrize(
    "words", [["GET"], ["users", "me"], ["users/../x"], ["users?a=b"], ["users", "=x"]]
)
def test_what_makes_no_request_is_told(words: list[str]) -> None:
    """A slip is no request to some other place."""
    with pytest.raises(ConfigError):
        request_of(words)
