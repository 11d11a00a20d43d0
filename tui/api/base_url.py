"""Parses the address of a server, as people type it, into a base URL. No I/O."""

import ipaddress
from urllib.parse import SplitResult, urlsplit

from tui.dataclass import dataclass
from tui.errors import ConfigError

_API_SUFFIXES = ("/api/v1", "/api")


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseUrl:
    """`text` is scheme, host, port and path, without a slash at the end; `host` is it with a port that is unusual."""

    text: str
    host: str
    is_loopback: bool
    origin: tuple[str, str, int]
    """Scheme, host in lower case, and port."""
    path: str

    @property
    def api(self) -> str:
        """The URL of the API, without a slash at the end."""
        return f"{self.text}/api/v1"


def parse_base_url(typed: str, *, allow_http: bool) -> BaseUrl:
    """Parse a server's address: with or without scheme and `/api/v1`, https by default.

    Plain http would show the API key to everyone on the way, so it needs `allow_http` unless the server is on
    this machine; there it is the default. Raises ConfigError with the reason.
    """
    typed = typed.strip()
    if not typed:
        raise ConfigError("Enter a server address, e.g. chat.example.com.")
    try:
        parts = urlsplit(typed if "://" in typed else f"//{typed}")
        port = parts.port
    except ValueError:
        raise ConfigError(f"“{typed}” is not a server address.") from None
    host = parts.hostname or ""
    loopback = is_loopback(host)
    scheme = parts.scheme or ("http" if loopback else "https")
    _refuse_unusable(parts, scheme=scheme, typed=typed)
    if scheme == "http" and not (loopback or allow_http):
        raise ConfigError(f"{host} must be reached over https, because http is not encrypted.")
    netloc = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[scheme]
    if port is not None and port != usual:
        netloc = f"{netloc}:{port}"
    path = _path(parts)
    return BaseUrl(
        text=f"{scheme}://{netloc}{path}",
        host=netloc,
        is_loopback=loopback,
        origin=(scheme, host, usual if port is None else port),
        path=path,
    )


def is_loopback(host: str) -> bool:
    """Whether the name or address is this machine's own, without asking a name server."""
    host = host.lower().rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse_unusable(parts: SplitResult, *, scheme: str, typed: str) -> None:
    if scheme not in ("http", "https"):
        raise ConfigError(f"“{scheme}” is not supported; use https.")
    if parts.username is not None or parts.password is not None:
        raise ConfigError("Leave the name and the password out of the server's address.")
    host = parts.hostname or ""
    if not host or any(char.isspace() or not char.isprintable() for char in host + parts.path):
        raise ConfigError(f"“{typed}” is not a server address.")


def _path(parts: SplitResult) -> str:
    path = parts.path.rstrip("/")
    for suffix in _API_SUFFIXES:
        if path.endswith(suffix):
            return path.removesuffix(suffix).rstrip("/")
    return path
