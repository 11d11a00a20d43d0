"""Every fault at the door is told with what to do about it. No sockets."""

import re

import pytest

from tui.commands.sign_in_errors import as_config_errors
from tui.errors import (
    ApiError,
    ApiRefused,
    ConfigError,
    MalformedResponse,
    NetworkError,
    NotAServer,
    RateLimited,
    ServerFailed,
)


def refused(code: str, route: str = "POST /fetch_api_key", status: int = 401) -> ApiRefused:
    """A server's no."""
    return ApiRefused(route, "The server's words.", code=code, status=status, data={})


def limited(seconds: float) -> RateLimited:
    """A server's not now."""
    return RateLimited("POST /x", "No.", status=429, data={}, retry_after=seconds)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NetworkError("GET /x", "dns", "chat.exmaple.com"), "Check the name"),
        (NetworkError("GET /x", "refused", "h"), "Is the port right"),
        (NetworkError("GET /x", "unreachable", "h"), "VPN"),
        (NetworkError("GET /x", "tls", "h"), "--http"),
        (NetworkError("GET /x", "tls_expired", "h"), "this machine's clock"),
        (NetworkError("GET /x", "tls_hostname", "h"), "the name that the certificate is for"),
        (NetworkError("GET /x", "tls_untrusted", "h"), "SSL_CERT_FILE"),
        (NetworkError("GET /x", "timeout", "h"), "did not answer in time"),
        (NotAServer("GET /x", "h", 200, redirected_to="login.h"), "redirects to login.h"),
        (
            NotAServer("GET /server_settings", "h", 200, redirected_to=None),
            "If this network has a sign-in page, sign in there first",
        ),
        (NotAServer("GET /x", "h", 407, redirected_to=None), "@proxy:8080."),
        (NotAServer("GET /server_settings", "h", 511, redirected_to=None), "in place of h (511)."),
        (limited(40), "again in 40 seconds"),
        (limited(600), "again in 10 minutes"),
        (refused("AUTHENTICATION_FAILED"), "Email address or password is wrong"),
        (refused("PASSWORD_AUTH_DISABLED"), "“Other ways”"),
        (refused("USER_DEACTIVATED"), "deactivated"),
        (refused("REALM_DEACTIVATED"), "deactivated"),
        (refused("UNAUTHORIZED", "GET /users/me"), "Copy both from your settings"),
        (refused("AUTHENTICATION_FAILED", "POST /jwt/fetch_api_key"), "not expired"),
        (refused("NOT_FOUND", "POST /jwt/fetch_api_key", 404), "too old for tokens"),
        (refused("BAD_REQUEST", status=400), "The server's words."),
        (ServerFailed("GET /x", 502, retry_after=None), "Trying again may help"),
        (MalformedResponse("GET /x", "no"), "cannot be read"),
    ],
)
def test_a_fault_says_what_to_do(error: ApiError, sentence: str) -> None:
    """Nobody stands before the door with an error's name."""
    with pytest.raises(ConfigError, match=re.escape(sentence)), as_config_errors():
        raise error
