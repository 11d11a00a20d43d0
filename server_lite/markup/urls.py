"""URLs: which are allowed as link targets, and those of channels, topics and messages. Pure.

A target is either http(s), ftp, mailto, tel, sms, or an absolute path or fragment of this server.
Everything else, above all `javascript:` and `//other.host`, is refused.
"""

import re
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from server_lite.ids import ChannelId, MessageId

SCHEMES: Final = frozenset({"http", "https", "ftp", "mailto", "tel", "sms"})
UPLOADS: Final = "/user_uploads/"
IMAGE_SUFFIXES: Final = (".bmp", ".gif", ".jpe", ".jpeg", ".jpg", ".png", ".webp", ".avif")

VIDEO_SUFFIXES: Final = (".mp4", ".webm")

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST: Final = re.compile(
    r"https?://(?:[^\s/?#@]*@)?(?:[^\s/?#@:\[\]]+|\[[0-9A-Fa-f:.]+\])(?::[0-9A-Za-z]*)?(?:[/?#]|$)",
    re.I,
)
_EMAIL: Final = re.compile(r"[^\s@/?#:]+@[^\s@/?#:.]+(?:\.[^\s@/?#:.]+)+")
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f-\x9f\\<>\"]")
_NOT_UPLOADS: Final = ("thumbnail/", "temporary/", "download/")


def safe_href(url: str, realm_url: str) -> str | None:
    """Return the target for a URL as typed, or None if it is not allowed as a link.

    A missing scheme is added (`example.com` → `http://…`, `a@b.com` → `mailto:…`); links into
    this organization become relative, so that they remain valid when the server moves.
    """
    if not url or len(url) > 8000 or _FORBIDDEN.search(url):
        return None
    if url.startswith("#") or (url.startswith("/") and not url.startswith("//")):
        return url
    scheme = _SCHEME.match(url)
    if scheme is None or _is_port(url, scheme.end()):
        if _EMAIL.fullmatch(url):
            return f"mailto:{url}"
        return _web(f"http://{url}")
    name = scheme[1].lower()
    if name in {"http", "https"}:
        return _web(_relative(url, realm_url))
    return url if name in SCHEMES and len(url) > scheme.end() else None


def _is_port(url: str, after_colon: int) -> bool:
    """Whether a number is a port, as in `localhost:9991/x`, and does not follow a scheme such as `tel:`."""
    name = url[: after_colon - 1].lower()
    return name not in SCHEMES and re.match(r"[0-9]{1,5}(?:[/?#]|$)", url[after_colon:]) is not None


def _web(url: str) -> str | None:
    if url.startswith(("/", "#")):
        return url
    try:
        has_host = bool(urlsplit(url).hostname)
    except ValueError:  # brackets without an IP address, characters that stand for a slash
        return None
    return url if has_host and _HOST.match(url) else None


def _relative(url: str, realm_url: str) -> str:
    path = url.removeprefix(realm_url) if realm_url else url
    if path.startswith("/#narrow/"):
        return path.removeprefix("/")
    return path if path.startswith(UPLOADS) else url


def path_id_of(href: str) -> str | None:
    """Return the ID of the uploaded file in a (relative) target."""
    if not href.startswith(UPLOADS):
        return None
    rest = urlsplit(href).path.removeprefix(UPLOADS)
    return unquote(rest) if rest and not rest.startswith(_NOT_UPLOADS) else None


def is_image(href: str) -> bool:
    """Whether the path of a web URL has an image's extension."""
    return _path(href).endswith(IMAGE_SUFFIXES)


def is_video(href: str) -> bool:
    """Whether the path of a web URL has the extension of a video that all browsers play."""
    return _path(href).endswith(VIDEO_SUFFIXES)


def _path(href: str) -> str:
    """Return the path of a web URL in lower case, empty for others."""
    if not href.startswith(("http://", "https://")):
        return ""
    try:
        return urlsplit(href).path.lower()
    except ValueError:  # a host in brackets that is not an IPv6 address
        return ""


def encode_part(name: str) -> str:
    """Return a name as part of a `#narrow` URL: percent-encoded, with `.` for `%`."""
    return quote(name, safe="", errors="replace").replace(".", "%2E").replace("%", ".")


def channel_path(channel_id: ChannelId, name: str) -> str:
    """Return the path of a channel: `/#narrow/channel/9-name`."""
    return f"/#narrow/channel/{channel_id}-{encode_part(name.replace(' ', '-'))}"


def topic_path(channel_id: ChannelId, name: str, topic: str, latest: int | None) -> str:
    """Return the path of a topic, by its latest message if it has one."""
    path = _topic_path(channel_id, name, topic)
    return path if latest is None else f"{path.removesuffix('/')}/with/{latest}"


def message_path(channel_id: ChannelId, name: str, topic: str, message_id: MessageId) -> str:
    """Return the path of one message in its topic."""
    path = _topic_path(channel_id, name, topic)
    return f"{path.removesuffix('/')}/near/{message_id}"


def _topic_path(channel_id: ChannelId, name: str, topic: str) -> str:
    return f"{channel_path(channel_id, name)}/topic/{encode_part(topic)}"
