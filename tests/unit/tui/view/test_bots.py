"""What bots' people are told: the address to which a service posts."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tui.view.bots import short_name, webhook_address

API = "https://chat.example.com/team/api/v1"


def test_names_of_any_letters_come_through_in_an_address() -> None:
    """A channel called `R&D #1` is that channel for the server."""
    address = webhook_address(API, "json", "k3y", channel="R&D #1", topic="a=b é")
    assert urlsplit(address).path == "/team/api/v1/external/json"
    assert parse_qs(urlsplit(address).query) == {
        "api_key": ["k3y"],
        "stream": ["R&D #1"],
        "topic": ["a=b é"],
    }
    assert address.isascii()


def test_without_a_channel_a_topic_means_nothing() -> None:
    """A direct message has none."""
    assert webhook_address(API, "json", "k", channel="", topic="x").endswith("/json?api_key=k")


@pytest.mark.parametrize(
    ("name", "taken", "short"),
    [
        ("GitHub", (), "github"),
        ("GitHub", ("github",), "github-2"),
        ("GitHub", ("github", "github-2"), "github-3"),
        ("Zoë's  Bot!", (), "zoe-s"),
        ("-bot", (), "bot"),
        ("工具", (), "webhook"),
        ("x" * 90, (), "x" * 40),
    ],
)
def test_a_bots_address_is_made_of_its_name(name: str, taken: tuple[str, ...], short: str) -> None:
    """Letters that an email address takes, and a number where another bot has them."""
    assert short_name(name, taken) == short
