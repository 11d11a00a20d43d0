"""Errors of signing in, as sentences that say what to do next. No I/O."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from tui.errors import (
    CAPTIVE,
    PROXY_AUTHENTICATION,
    ApiError,
    ApiRefused,
    ConfigError,
    NetworkError,
    NetworkErrorKind,
    NotAServer,
    RateLimited,
)

_NETWORK: Final[Mapping[NetworkErrorKind, str]] = {
    "refused": "Is the port right?",
    "unreachable": "Do you need a VPN?",
    "tls": "If the server has no encryption and you trust the network, tick"
    " “Connect without encryption” (on the command line: --http).",
    "tls_expired": "Is this machine's clock right? If so, the server's administrator must renew the certificate.",
    "tls_hostname": "Use the name that the certificate is for.",
    "tls_untrusted": "If it is your team's own, start chinwag with the environment variable"
    " SSL_CERT_FILE set to the file of the authority that signed it, or of the certificate itself.",
}
_REFUSED: Final[Mapping[str, str]] = {
    "PASSWORD_AUTH_DISABLED": "This server takes no passwords: sign in under “Other ways”, in the"
    " browser, or by an API key.",
    "USER_DEACTIVATED": "This account was deactivated. Contact an administrator of the organization.",
    "REALM_DEACTIVATED": "This organization was deactivated. Contact the server's administrator.",
}
_KEY: Final = (
    "Email address or API key is wrong. Copy both from your settings on the server, or sign in"
    " by password."
)
_BY_ROUTE: Final[Mapping[str, str]] = {
    "POST /fetch_api_key": "Email address or password is wrong. If you have never set a password there,"
    " sign in under “Other ways”, or have the server send you a new one.",
    "POST /jwt/fetch_api_key": "The server does not accept this token: is it complete, for this"
    " organization, and not expired?",
    "GET /users/me": _KEY,
}


@contextmanager
def as_config_errors() -> Iterator[None]:
    """Turn the errors of a request into a ConfigError whose sentence says what to do."""
    try:
        yield
    except ApiError as error:
        raise ConfigError(advice(error)) from error


def advice(error: ApiError) -> str:
    """Return a sentence about the error, and what to do about it."""
    match error:
        case NetworkError(kind=kind) if kind in _NETWORK:
            return f"{error} {_NETWORK[kind]}"
        case (
            ApiRefused(route="POST /jwt/fetch_api_key", status=404 | 405)
            | NotAServer(route="POST /jwt/fetch_api_key", status=404 | 405)
        ):
            return "This server is too old for tokens: sign in in another way."
        case NotAServer(status=status) if status not in (PROXY_AUTHENTICATION, CAPTIVE):
            return (
                f"{error} Use the address that you open in a browser to chat. If this network has a"
                " sign-in page, sign in there first."
            )
        case RateLimited(retry_after=seconds):
            return f"Too many attempts. Try again in {_span(seconds)}."
        case ApiRefused(code=code) if code in _REFUSED:
            return _REFUSED[code]
        case ApiRefused(route=route, code="UNAUTHORIZED" | "AUTHENTICATION_FAILED") if (
            route in _BY_ROUTE
        ):
            return _BY_ROUTE[route]
        case _:
            return str(error)


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    return f"{round(seconds / 60)} minutes"
