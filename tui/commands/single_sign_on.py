"""Signing in through a browser: the address to open, and the key in the address it redirects to.

A full server never shows the API key on a page: it gets a one-time pad in the address, and answers with the
key combined with it, in an address of a scheme that browsers do not know (`zulip://login?…`). Only the holder
of the pad can read it. No I/O.
"""

import os
import re
from dataclasses import field
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from tui.api.base_url import BaseUrl
from tui.content import web
from tui.dataclass import dataclass
from tui.errors import ConfigError

PAD_BYTES = 32
"""The length of a key, which is sent in hexadecimal: 64 digits."""
_HEX = re.compile(r"[0-9A-Fa-f]{64}")
_KEY = re.compile(rb"[A-Za-z0-9]{32}")
_PAD_PARAMETER = "mobile_flow_otp"
_KEY_PARAMETER = "otp_encrypted_api_key"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOn:
    """The user who signed in, and the API key, which is not shown where this is printed."""

    email: str
    api_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OneTimePad:
    """Random bytes for one sign-in, kept here until the browser is done; not shown where printed."""

    secret: bytes = field(repr=False)

    @classmethod
    def new(cls) -> "OneTimePad":
        """Return a new random pad."""
        return cls(os.urandom(PAD_BYTES))

    def address(self, base_url: BaseUrl, login_url: str) -> str:
        """Return the address to open in a browser; `login_url` is the server's, mostly a path on it.

        Raises ConfigError where the server's address is no web page.
        """
        page = web.browsable(web.joined(base_url.text, login_url))
        if page is None:
            raise ConfigError("The server's sign-in page is not a web address.")
        parts = web.split(page)
        pad = urlencode({_PAD_PARAMETER: self.secret.hex()})
        query = f"{parts.query}&{pad}" if parts.query else pad
        return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))

    def read(self, pasted: str, base_url: BaseUrl, realm_url: str | None) -> SignedOn:
        """Return the key in the address that the browser ended at; ConfigError says what is wrong with it.

        `realm_url` is the server's own address, where that differs from the one that was typed.
        """
        parameters = _parameters(pasted)
        _check_server(parameters.get("realm", ""), base_url, realm_url)
        combined = parameters.get(_KEY_PARAMETER, "")
        if not _HEX.fullmatch(combined):
            raise ConfigError(
                "The pasted address is incomplete: its key was cut off. Copy all of it."
            )
        key = self._combined(bytes.fromhex(combined))
        if not _KEY.fullmatch(key):
            raise ConfigError(
                "That address is from an earlier attempt. Open the page again, and paste the new"
                " address."
            )
        email = parameters.get("email", "").strip()
        if not email:
            raise ConfigError(
                "The pasted address is incomplete: it has no email address. Copy all of it."
            )
        return SignedOn(email=email, api_key=key.decode("ascii"))

    def _combined(self, other: bytes) -> bytes:
        return bytes(mine ^ theirs for mine, theirs in zip(self.secret, other, strict=True))


def _parameters(pasted: str) -> dict[str, str]:
    """Return the parameters of an address with any scheme: each server has its app's."""
    text = "".join(pasted.split())  # terminals and mails break long lines
    if not text:
        raise ConfigError("Paste the address that the browser is redirected to after signing in.")
    try:
        parts = urlsplit(text)
        parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
    except ValueError:
        parameters, parts = {}, urlsplit("")
    if _PAD_PARAMETER in parameters:
        raise ConfigError(
            "That is the address to open. Paste the one that the browser is redirected to at the end."
        )
    if parts.scheme in ("http", "https") or _KEY_PARAMETER not in parameters:
        raise ConfigError(
            "That is not the final address, which begins like zulip://login? and contains"
            f" {_KEY_PARAMETER}=."
        )
    return parameters


def _check_server(realm: str, base_url: BaseUrl, realm_url: str | None) -> None:
    try:
        there = urlsplit(realm).hostname
        own = {urlsplit(each).hostname for each in (base_url.text, realm_url or base_url.text)}
    except ValueError:
        there, own = None, set()
    if there is None or there not in own:
        raise ConfigError(
            f"That address is for {there or 'no server'}, and you are signing in to {base_url.host}."
        )
