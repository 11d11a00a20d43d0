"""URLs outside the chat: joined, compared, and rewritten so that the shown URL is the opened one.

Browsers read URLs by rules of their own (WHATWG's URL standard), under which `\\` is `/`, `0x7f.1` is
127.0.0.1 and a fullwidth letter is a plain one. A URL that is opened is therefore rewritten: its host in
ASCII, as it is shown. A URL that those rules may read with another host is not opened. Pure, never raises.
"""

import re
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

WEB: Final = ("http", "https")
_NOWHERE: Final = SplitResult("", "", "", "", "")
_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://"
    r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[^/?#\\@%:\[\]\s]+))(?::(?P<port>[0-9]{0,5}))?"
    r"(?P<rest>[/?#].*)?",
    re.I,
)
_PORTS: Final = {"http": 80, "https": 443}
_MOST_PORTS: Final = 65_535
_NAME: Final = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_-]{1,63}\.?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")


def joined(site: str, href: str) -> str:
    """Return the absolute URL of one that may be relative to the server; unchanged if it is invalid."""
    try:
        return urljoin(f"{site.rstrip('/')}/", href)
    except ValueError:
        return href


def split(url: str) -> SplitResult:
    """Return the parts of a URL; all empty if it is invalid."""
    try:
        return urlsplit(url)
    except ValueError:
        return _NOWHERE


def is_at(site: str, href: str) -> bool:
    """Whether a URL, perhaps relative to the site, leads to the site itself."""
    there, own = split(joined(site, href)), split(site)
    return bool(own.netloc) and (there.scheme, there.netloc) == (own.scheme, own.netloc)


def browsable(url: str) -> str | None:
    """Return a web URL in the form for a browser; None for one that it may read differently."""
    parts = _ADDRESS.fullmatch(url)
    if parts is None or not url.isprintable() or "\\" in url:
        return None
    scheme = parts["scheme"].lower()
    port = int(parts["port"] or _PORTS[scheme])
    try:
        name = f"[{IPv6Address(parts['v6']).compressed}]" if parts["v6"] else _ascii(parts["name"])
    except (ValueError, UnicodeError):  # idna raises both kinds
        return None
    if not name or port > _MOST_PORTS:
        return None
    at = "" if port == _PORTS[scheme] else f":{port}"
    return f"{scheme}://{name}{at}{(parts['rest'] or '/').replace(' ', '%20')}"


def host(url: str) -> str:
    """Return the host of a URL, in ASCII so that letters of other scripts are seen; "" for none."""
    written = browsable(url)
    return "" if written is None else split(written).hostname or ""


def file_name(href: str) -> str:
    """Return the last part of a URL's path."""
    return unquote(split(href).path.rstrip("/").rpartition("/")[2])


def _ascii(name: str) -> str:
    """Return a host as browsers write it; "" for an ambiguous one. Raises ValueError for numbers written
    oddly.
    """
    name = name.lower()
    if not name.isascii():
        import idna  # 15 ms, for few URLs

        name = idna.encode(name, uts46=True, transitional=False).decode("ascii")
    if not _NAME.fullmatch(name):
        return ""
    if _NUMBER.fullmatch(name.rstrip(".").rpartition(".")[2]):
        return str(IPv4Address(name))
    return name
