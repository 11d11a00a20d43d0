"""Addresses of servers as people type them. No I/O."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.api.base_url import parse_base_url
from tui.errors import ConfigError


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("chat.example.com", "https://chat.example.com"),
        ("  chat.example.com/ ", "https://chat.example.com"),
        ("https://Chat.Example.com/api/v1/", "https://chat.example.com"),
        ("https://chat.example.com/api", "https://chat.example.com"),
        ("https://example.com/chat/api/v1", "https://example.com/chat"),
        ("chat.example.com:8443", "https://chat.example.com:8443"),
        ("https://chat.example.com:443", "https://chat.example.com"),
        ("https://chat.example.com/?x=1#narrow/dm", "https://chat.example.com"),
        ("localhost:9991", "http://localhost:9991"),
        ("127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:9991", "http://[::1]:9991"),
        ("chat.localhost", "http://chat.localhost"),
    ],
)
def test_an_address_is_taken_as_people_type_it(typed: str, expected: str) -> None:
    """Nobody has to know about schemes or API paths to connect."""
    assert parse_base_url(typed, allow_http=False).text == expected


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "http://chat.example.com",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "ftp://chat.example.com",
        "https://",
        "https://iris:secret@chat.example.com",
        "chat.example.com:99999",
        "https://[::1",
        "chat example.com",
        "https://chat.example.com\x1b/",
    ],
)
def test_an_unusable_address_is_refused_with_a_reason(typed: str) -> None:
    """A typing mistake, or a connection that others can read, is said before anything is sent."""
    with pytest.raises(ConfigError) as caught:
        parse_base_url(typed, allow_http=False)
    assert "secret" not in str(caught.value)


def test_plain_http_is_a_decision() -> None:
    """In one's own network someone may choose to go without encryption."""
    url = parse_base_url("http://chat.lan", allow_http=True)
    assert (url.text, url.is_loopback) == ("http://chat.lan", False)


@given(st.text(max_size=30))
def test_whatever_is_typed_is_an_address_or_explained(typed: str) -> None:
    """The first-run screen survives every key."""
    try:
        url = parse_base_url(typed, allow_http=True)
    except ConfigError:
        return
    assert parse_base_url(url.text, allow_http=True) == url
