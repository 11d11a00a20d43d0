"""Client of the video call provider that the operator configured. Stores nothing.

Only the provider's own addresses are called, without redirects. Answers have a maximum size, calls a timeout.
"""

from dataclasses import asdict
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

import orjson

from server_lite.config import CallProvider
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.http.answers import PLAIN, Unreadable, body_of

SECONDS: Final = 10.0
LONGEST: Final = 1024 * 1024
EARLY: Final = 60
"""Seconds before its expiry at which a token counts as expired."""


class TokenRefused(Exception):
    """Raised if the provider refuses the token, or the code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A user's token from the provider; times in UNIX seconds."""

    access: str
    refresh: str
    expires: float

    def dump(self) -> bytes:
        """Return the token as bytes, to be encrypted."""
        return orjson.dumps(asdict(self))

    @classmethod
    def load(cls, data: bytes) -> Self:
        """Return the token that `dump` returned these bytes of."""
        return cls(**orjson.loads(data))

    def is_fresh(self, now: float) -> bool:
        """Whether the token is still valid."""
        return now + EARLY < self.expires


def authorize_url(provider: CallProvider, state: str, redirect_uri: str) -> str:
    """Return the URL where a user authorizes this server at the provider."""
    query = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": redirect_uri,
        "state": state,
    }
    if provider.scope:
        query["scope"] = provider.scope
    address = urlsplit(provider.authorize_url)
    return address._replace(query=urlencode(dict(parse_qsl(address.query)) | query)).geturl()


async def exchange(provider: CallProvider, code: str, redirect_uri: str, now: float) -> Token:
    """Exchange the code that the provider gave the user's browser for a token."""
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
    return await _token(provider, form, now)


async def refresh(provider: CallProvider, token: Token, now: float) -> Token:
    """Return a fresh token for an expired one."""
    form = {"grant_type": "refresh_token", "refresh_token": token.refresh}
    fresh = await _token(provider, form, now)
    return fresh if fresh.refresh else Token(**{**asdict(fresh), "refresh": token.refresh})


async def _token(provider: CallProvider, form: dict[str, str], now: float) -> Token:
    auth = None
    if provider.secret_in_body:
        form |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
    else:
        auth = (provider.client_id, provider.client_secret)
    answer = await _post(provider.token_url, auth=auth, data=form)
    access, again = answer.get("access_token"), answer.get("refresh_token", "")
    seconds = answer.get("expires_in", 3600)
    if not (
        isinstance(access, str) and isinstance(again, str) and isinstance(seconds, (int, float))
    ):
        raise ApiError("The call provider returned no token.")
    return Token(access=access, refresh=again, expires=now + seconds)


async def create(provider: CallProvider, token: Token) -> str:
    """Create a meeting; returns its URL."""
    headers = {"authorization": f"Bearer {token.access}"}
    answer = await _post(provider.create_url, headers=headers, json={})
    url = answer.get(provider.url_field)
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise ApiError("The call provider returned no URL for the call.")
    return url


async def _post(url: str, **request: Any) -> dict[str, Any]:
    """Return the provider's answer as JSON; raises TokenRefused, ApiError."""
    import httpx  # loaded only for organizations with such a provider

    body = b""
    try:
        async with (
            httpx.AsyncClient(timeout=SECONDS, trust_env=False, headers=PLAIN) as http,
            http.stream("POST", url, **request) as response,
        ):
            body = await body_of(response, LONGEST)
    except Unreadable as error:
        raise ApiError(f"The call provider's answer is {error}.") from error
    except httpx.HTTPError as error:
        raise ApiError("The call provider cannot be reached.") from error
    except (httpx.InvalidURL, UnicodeError) as error:  # of a redirect, which httpx reads
        raise ApiError("The call provider's answer cannot be read.") from error
    if response.status_code in (400, 401, 403):
        raise TokenRefused
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ApiError("The call provider's answer cannot be read.") from error
    if not response.is_success or not isinstance(answer, dict):
        raise ApiError("The call provider refused the request.")
    return answer
