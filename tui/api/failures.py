"""Turns unsuccessful answers into errors. No I/O, no httpx.

Only a JSON object with `"result": "error"` is a refusal by the server. A page, or JSON of another kind, comes
from a proxy on the way, whatever its status, and decides nothing: `NotAServer`.
"""

import contextlib
import math
from collections.abc import Mapping
from urllib.parse import urlsplit

from tui.api import decode
from tui.api.features import needed_for
from tui.errors import (
    CAPTIVE,
    ApiError,
    ApiRefused,
    MalformedResponse,
    NotAServer,
    NotSupported,
    RateLimited,
    ServerFailed,
)

_CODES = {
    401: "UNAUTHORIZED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "TOO_LARGE",
}
_FILES = "GET a file"
_UPLOADS = "POST /user_uploads"
MAX_WAIT_SECONDS = 3600.0


def refusal(
    status: int, headers: Mapping[str, str], body: bytes, route: str, host: str
) -> ApiError:
    """Return the error for an answer with this status; names of headers are in lower case."""
    data = _error_object(body)
    wait = _wait(data, headers)
    if status >= 500 and status != CAPTIVE:
        return ServerFailed(route, status, retry_after=wait)
    if 300 <= status < 400:
        return NotAServer(route, host, status, redirected_to=_target(headers))
    msg = str(data.pop("msg", ""))
    code = str(data.pop("code", _CODES.get(status, "BAD_REQUEST")))
    result = data.pop("result", None)
    if status == 429:
        return RateLimited(route, msg, status=status, data=data, retry_after=wait or 1.0)
    if status in (404, 405) and "code" not in _error_object(body):
        # Not an endpoint of the API: a missing object is refused with a code. A server that is too old for an
        # endpoint answers with a page.
        needed = needed_for(route)
        if needed is not None:
            return NotSupported(route, needed.sentence, status=status)
    if result != "error" and not _is_meant_as_a_page(route, status):
        return NotAServer(route, host, status, redirected_to=None)
    return ApiRefused(route, msg, code=code, status=status, data=data)


def _is_meant_as_a_page(route: str, status: int) -> bool:
    """Whether a page is a refusal: of files, and by a server's own proxy of files that are too large."""
    return route == _FILES or (route == _UPLOADS and status == 413)


def _target(headers: Mapping[str, str]) -> str | None:
    try:
        return urlsplit(headers.get("location", "")).hostname
    except ValueError:
        return None


def _error_object(body: bytes) -> dict[str, object]:
    try:
        return decode.json_object(body, "")
    except MalformedResponse:
        return {}


def _wait(data: Mapping[str, object], headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait, from the body or the header; servers send fractions. None if not set."""
    for header in (data.get("retry-after"), headers.get("retry-after")):
        with contextlib.suppress(ValueError, OverflowError):
            if isinstance(header, (int, float, str)) and math.isfinite(seconds := float(header)):
                return min(max(seconds, 0.0), MAX_WAIT_SECONDS)
    return None
