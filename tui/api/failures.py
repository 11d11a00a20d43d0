"""Answers that are no success, as errors: who said no, and in what words. No I/O, no httpx."""

import contextlib
import math
from collections.abc import Mapping
from urllib.parse import urlsplit

from tui.api import decode
from tui.errors import (
    ApiError,
    ApiRefused,
    MalformedResponse,
    NotAServer,
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
MAX_WAIT_SECONDS = 3600.0


def refusal(
    status: int, headers: Mapping[str, str], body: bytes, route: str, host: str
) -> ApiError:
    """The error that an answer with this status stands for."""
    data = _said(body)
    wait = _wait(data, headers)
    if status >= 500:
        return ServerFailed(route, status, retry_after=wait)
    if 300 <= status < 400:
        target = urlsplit(headers.get("Location", "")).hostname
        return NotAServer(route, host, status, redirected_to=target)
    msg = str(data.pop("msg", ""))
    code = str(data.pop("code", _CODES.get(status, "BAD_REQUEST")))
    result = data.pop("result", None)
    if status == 429:
        return RateLimited(route, msg, status=status, data=data, retry_after=wait or 1.0)
    if result != "error" and route == "GET /server_settings":
        # Everywhere else a plain page may come from a chat server too old for the endpoint.
        return NotAServer(route, host, status, redirected_to=None)
    return ApiRefused(route, msg, code=code, status=status, data=data)


def _said(body: bytes) -> dict[str, object]:
    try:
        return decode.json_object(body, "")
    except MalformedResponse:
        return {}


def _wait(data: Mapping[str, object], headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from the body or the header; servers send fractions."""
    for said in (data.get("retry-after"), headers.get("Retry-After")):
        with contextlib.suppress(ValueError):
            if isinstance(said, (int, float, str)) and math.isfinite(seconds := float(said)):
                return min(max(seconds, 0.0), MAX_WAIT_SECONDS)
    return None
