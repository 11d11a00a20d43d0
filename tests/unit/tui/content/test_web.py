"""Addresses of strangers: what is shown is what a browser opens, and none of them ends the client."""

from random import Random
from typing import Final

import pytest

from tui.api.failures import refusal
from tui.commands import images, uploads
from tui.content import web
from tui.content.nodes import Link, Text
from tui.errors import NotAServer
from tui.screens.messages import links
from tui.view import invites

SITE: Final = "https://chat.example.com"

BROWSERS: Final = [
    ("https://evil.com\\@good.com/", "evil.com", None),
    ("https://good.com@evil.com/", "evil.com", None),
    ("https://evil.com%2f@good.com/", "good.com", None),
    ("https:\\\\evil.com/", "evil.com", None),
    ("https:/evil.com", "evil.com", None),
    ("https:evil.com", "evil.com", None),
    ("https:///evil.com", "evil.com", None),
    ("http://good.com\t.evil.com/", "good.com.evil.com", None),
    ("http://go\nod.com/", "good.com", None),
    ("https://good.com\uff0fevil.com/", None, None),
    ("http://[::::]/", None, None),
    ("http://0x7f.1/", "127.0.0.1", None),
    ("http://127.1/", "127.0.0.1", None),
    ("http://2130706433/", "127.0.0.1", None),
    ("http://0177.0.0.1/", "127.0.0.1", None),
    ("http://1.2.3.4", "1.2.3.4", "http://1.2.3.4/"),
    ("http://256.1.1.1/", None, None),
    ("http://\uff45vil.com/", "evil.com", "http://evil.com/"),
    ("http://evil\u3002com/x", "evil.com", "http://evil.com/x"),
    ("https://g\u043e\u043egle.com/", "xn--ggle-55da.com", "https://xn--ggle-55da.com/"),
    ("https://stra\xdfe.de/", "xn--strae-oqa.de", "https://xn--strae-oqa.de/"),
    ("http://fa\xdf.de:8080/p?q=1#f", "xn--fa-hia.de", "http://xn--fa-hia.de:8080/p?q=1#f"),
    ("http://EXAMPLE.com:80/A b", "example.com", "http://example.com/A%20b"),
    ("http://[::1]:9991/x", "[::1]", "http://[::1]:9991/x"),
    ("http://x[::1]", None, None),
    ("http://[::1]x/", None, None),
    ("http://a_b.example.com/", "a_b.example.com", "http://a_b.example.com/"),
    ("http://xn--maana-pta.com/", "xn--maana-pta.com", "http://xn--maana-pta.com/"),
    ("http://localhost:9991/#narrow", "localhost", "http://localhost:9991/#narrow"),
    ("http://good.com:99999/", None, None),
    ("ftp://good.com/", "good.com", None),
    ("javascript:alert(1)", None, None),
    ("good.com", None, None),
    ("http://good.com\u202egnp.moc", None, None),
    ("http://a..b/", "a..b", None),
    ("http://", None, None),
    ("http://%65vil.com/", "evil.com", None),
    ("http://good.com;evil.com/", "good.com;evil.com", None),
    ("http://\u2460.com/", "1.com", "http://1.com/"),
    ("http://good.com#@evil.com/", "good.com", "http://good.com#@evil.com/"),
    ("http://good.com?@evil.com/", "good.com", "http://good.com?@evil.com/"),
]
"""An address, the host that a parser of the WHATWG standard (Ada 4.0) finds in it, and what is opened."""

PIECES: Final = (
    *(
        "http",
        "https",
        ":",
        "/",
        "//",
        "\\",
        "@",
        ".",
        "%2f",
        "%00",
        "?",
        "#",
        "good.com",
        "0x7f",
        "1",
    ),
    *(
        "127.1",
        "0177.0.0.1",
        "2130706433",
        "1.2.3.4",
        "\uff10",
        "\u3002",
        "\uff0f",
        "\uff45vil",
        "\xdf",
    ),
    *(
        "\xad",
        "\u200b",
        "\t",
        "\n",
        " ",
        "[",
        "]",
        "::1",
        "[::1]",
        "[v1.x]",
        ":80",
        ":99999",
        "xn--",
        "-",
    ),
    *(
        "\u2044",
        "\u2100",
        "a" * 64,
        "..",
        "|",
        "<",
        "^",
        "\ufb00",
        "\u0130",
        "\u0301",
        "\u05d0",
        "\ud800",
    ),
)


def _hostile(chance: Random) -> str:
    tail = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 7)))
    return chance.choice(("http://", "https://", "//", "")) + tail


@pytest.mark.parametrize(("url", "theirs", "opened"), BROWSERS)
def test_what_is_shown_is_what_a_browser_opens(
    url: str, theirs: str | None, opened: str | None
) -> None:
    """Either the host that the question names is the browser's, or nothing is opened."""
    assert web.browsable(url) == opened
    if opened is not None:
        assert web.host(url) == (theirs or "").strip("[]")
        assert web.browsable(opened) == opened
        assert opened.isascii()


def test_no_address_ends_the_client() -> None:
    """Whatever somebody posts as a link, a picture, a file or a redirect: nothing is raised."""
    chance = Random(10)
    for _ in range(600):
        url = _hostile(chance)
        link = Link(href=url, children=(Text("x"),))
        address = links.address(link, SITE)
        assert links.opened(address) is None or links.opened(address) == web.browsable(address)
        links.inside(link, SITE, 7)  # type: ignore[arg-type]  # an id
        images.is_own(SITE, url)
        uploads.is_upload(SITE, url)
        uploads.file_name(url)
        invites.command(url)
        error = refusal(302, {"Location": url}, b"", "GET /users/me", "chat.example.com")
        assert isinstance(error, NotAServer)


@pytest.mark.parametrize(
    ("href", "is_at_home"),
    [
        ("/user_uploads/1/a.png", True),
        (f"{SITE}/x", True),
        ("//chat.example.com/x", True),
        ("//evil.com/x", False),
        ("https://chat.example.com@evil.com/", False),
        ("https://chat.example.com:444/", False),
        ("http://chat.example.com/", False),
        ("http://[::::]/", False),
        ("http://good.com\uff0fevil.com/", False),
    ],
)
def test_what_lies_on_the_own_server(href: str, is_at_home: bool) -> None:
    """Only that is fetched unasked."""
    assert web.is_at(SITE, href) == is_at_home
