"""Every error of the client, each with a sentence for people. No I/O, no Textual.

    TuiError                 an error that is shown to the user, in one sentence
    ├── ConfigError          a setting, an account file or an argument cannot be used
    ├── BadNarrow            the text of a search makes no sense
    │   └── DayInSearch      … it names days, by which servers do not search
    ├── NotAPicture          a file that cannot be shown as a picture
    └── ApiError             a request to the server got no usable answer
        ├── NetworkError     no answer; `kind` says why. Try again later
        ├── NotAServer       something else answered: a web site, a proxy, a network's sign-in page
        ├── ApiRefused       the server refuses: `code` for programs, `msg` for people
        │   ├── RateLimited  … for now: again after `retry_after` seconds
        │   └── NotSupported … for good: it is older than the feature
        ├── ServerFailed     the server failed while answering (5xx). Try again later
        └── MalformedResponse  an answer that cannot be read: a bug on one of the sides

`str(error)` is the sentence. No error holds a key, a password or the body of a request.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

NetworkErrorKind: TypeAlias = Literal[
    "refused",
    "dns",
    "unreachable",
    "connect_timeout",
    "timeout",
    "interrupted",
    "tls",
    "tls_expired",
    "tls_hostname",
    "tls_untrusted",
    "proxy",
    "other",
]

_NETWORK_SENTENCES: Mapping[NetworkErrorKind, str] = {
    "refused": "Could not reach {host}: connection refused. Is the server running?",
    "dns": "Could not find {host}. Check the name and your connection.",
    "unreachable": "{host} cannot be reached from this network.",
    "connect_timeout": "{host} timed out.",
    "timeout": "{host} did not answer in time.",
    "interrupted": "The connection to {host} was lost.",
    "tls": "No secure connection to {host}: the TLS handshake failed.",
    "tls_expired": "No secure connection to {host}: its certificate is not valid today.",
    "tls_hostname": "No secure connection to {host}: its certificate is for another name.",
    "tls_untrusted": "No secure connection to {host}: its certificate is not trusted.",
    "proxy": "The proxy cannot be used to reach {host}. Check HTTP_PROXY, HTTPS_PROXY and ALL_PROXY:"
    " password, name, port. SOCKS proxies need the package socksio.",
    "other": "The request to {host} did not get through.",
}

_PLAIN_SENTENCES: Final[Mapping[str, str]] = {
    "Invalid message(s)": "The message does not exist, or you have no access to it.",
    "Invalid channel ID": "The channel does not exist, or you have no access to it.",
}
"""For words of servers, chosen for programs, that people read here when something was just deleted."""

_NEVER_ARRIVED: frozenset[NetworkErrorKind] = frozenset(
    {
        "refused",
        "dns",
        "unreachable",
        "connect_timeout",
        "tls",
        "tls_expired",
        "tls_hostname",
        "tls_untrusted",
        "proxy",
    }
)


class TuiError(Exception):
    """An error that is shown to the user; never raised itself."""

    def __init__(self, sentence: str) -> None:
        assert type(self) not in (TuiError, ApiError), "raise the error that says what happened"
        super().__init__(sentence)


class ConfigError(TuiError):
    """A setting, an account file or an argument cannot be used."""


class BadNarrow(TuiError):
    """The text of a search is invalid."""


class DayInSearch(BadNarrow):
    """The text of a search names days, by which servers do not search."""


class NotAPicture(TuiError):
    """A file cannot be shown as a picture; the sentence says why."""


class ApiError(TuiError):
    """A request got no usable answer; `route` is its method and path, such as `GET /users`.

    `may_have_arrived` is True if the server may have carried out the request.
    """

    may_have_arrived: bool = True

    def __init__(self, route: str, sentence: str) -> None:
        super().__init__(sentence)
        self.route = route


class NetworkError(ApiError):
    """No answer."""

    def __init__(self, route: str, kind: NetworkErrorKind, host: str) -> None:
        super().__init__(route, _NETWORK_SENTENCES[kind].format(host=host))
        self.kind = kind
        self.host = host
        self.may_have_arrived = kind not in _NEVER_ARRIVED


PROXY_AUTHENTICATION = 407
CAPTIVE = 511
"""Never sent by the server: a network's sign-in page."""


class NotAServer(ApiError):
    """The answer is not from a chat server: a web site, a proxy, or a network's sign-in page.

    It decides nothing: the request is repeated later. `redirected_to` is the host it redirects to, if it
    does.
    """

    may_have_arrived = False

    def __init__(self, route: str, host: str, status: int, *, redirected_to: str | None) -> None:
        hint = f" It redirects to {redirected_to}." if redirected_to else ""
        if status == PROXY_AUTHENTICATION:
            hint = " Set its user name and password: HTTPS_PROXY=http://name:password@proxy:8080."
            sentence = "The proxy of this network asks for a password."
        elif route == "GET /server_settings" and status != CAPTIVE:
            sentence = f"{host} answers, but there is no chat server at that address."
        else:
            sentence = (
                f"A proxy or a network's sign-in page answered in place of {host} ({status})."
            )
        super().__init__(route, f"{sentence}{hint}")
        self.host = host
        self.status = status
        self.redirected_to = redirected_to


class ApiRefused(ApiError):
    """The server refuses, in its own words (`msg`); `data` is the rest of its answer."""

    may_have_arrived = False

    def __init__(
        self, route: str, msg: str, *, code: str, status: int, data: Mapping[str, object]
    ) -> None:
        sentence = _PLAIN_SENTENCES.get(msg, msg)
        super().__init__(route, sentence or f"The server refused {route} ({status}).")
        self.msg = msg
        self.code = code
        self.status = status
        self.data = data


class RateLimited(ApiRefused):
    """Too many requests: try again after `retry_after` seconds."""

    def __init__(
        self, route: str, msg: str, *, status: int, data: Mapping[str, object], retry_after: float
    ) -> None:
        msg = msg or "Too many requests. Try again in a while."  # a proxy limits them, too
        super().__init__(route, msg, code="RATE_LIMIT_HIT", status=status, data=data)
        self.retry_after = retry_after


class NotSupported(ApiRefused):
    """The server is older than the feature; `sentence` says which version has it."""

    def __init__(self, route: str, sentence: str, *, status: int) -> None:
        super().__init__(route, sentence, code="NOT_SUPPORTED", status=status, data={})


class ServerFailed(ApiError):
    """The server failed while answering; `retry_after` is in seconds, if it is sent."""

    def __init__(self, route: str, status: int, *, retry_after: float | None) -> None:
        super().__init__(route, f"The server failed ({status}). Trying again may help.")
        self.status = status
        self.retry_after = retry_after


class MalformedResponse(ApiError):
    """An answer that cannot be read; `reason` names the place in it, and no content."""

    def __init__(self, route: str, reason: str) -> None:
        super().__init__(route, f"The server's answer to {route} cannot be read: {reason}.")
        self.reason = reason


NO_VERDICT: Final = (NetworkError, NotAServer, ServerFailed, MalformedResponse)
"""Errors without a decision by the server: none says anything about a message, an edit or an account."""
