"""Lets httpx be imported without what this client has no use for: a command line, OpenSSL, cookies. No I/O.

Beside OpenSSL, which comes with the first server behind https, that is Python's own HTTP client with its
parsers of mail and cookies: 1.5 MB of memory. Where something asks for their names later, it gets them.
"""

import email
import sys
import urllib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from tui.late_imports import LateModule, standing_in

_CLIENT = "urllib.request"
_MAIL = "email.message"


class _Request:
    """The base of the requests that httpx shows to a jar of cookies, until one is looked at: then Python's."""

    def __init__(self, **named: object) -> None:
        self._named = named

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        from urllib.request import Request

        type(self).__bases__ = (Request,)
        Request.__init__(self, **self._named)  # type: ignore[arg-type]  # it is one now
        return getattr(self, name)


class NoCookies:
    """A jar that stays empty: servers know the user by the key."""

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def extract_cookies(self, _answer: object, _request: object) -> None:
        """Take none from an answer."""

    def add_cookie_header(self, _request: object) -> None:
        """Add none to a request."""


@contextmanager
def without_extras() -> Iterator[None]:
    """Let httpx be imported in the block without them; where it is imported already, nothing changes."""
    if "httpx" in sys.modules:
        yield
        return
    # It has a command line of its own, which takes more than a third of its import (rich, click, pygments) and
    # is skipped where it cannot be imported.
    sys.modules["httpx._main"] = None  # type: ignore[assignment]  # None: not to be imported
    client = LateModule(_CLIENT)
    vars(client)["Request"] = _Request
    mail = LateModule(_MAIL)
    with (
        standing_in([client, mail, *map(LateModule, ("hashlib", "http.cookiejar", "ssl"))]),
        _named(urllib, "request", client),
    ):
        if not hasattr(email, "message"):
            # Asked for when it is used; a real import takes its place.
            vars(email)["message"] = mail
        yield


@contextmanager
def _named(package: ModuleType, name: str, stand_in: ModuleType) -> Iterator[None]:
    """Let a package have a stand-in for its module, unless it has the module."""
    if hasattr(package, name):
        yield
        return
    setattr(package, name, stand_in)
    try:
        yield
    finally:
        if getattr(package, name) is stand_in:
            delattr(package, name)
