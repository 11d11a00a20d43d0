"""What requests that fail are answered: errors of the API as they are, and all others as 5xx, which are logged."""

import logging
from typing import Final

import orjson

from server_lite.api.request import Request
from server_lite.api.routing import PREFIX
from server_lite.errors import ApiError, RateLimited, Unauthenticated, Unavailable, WrongMethod
from server_lite.http.conditional import Header
from server_lite.http.cross_origin import preflight
from server_lite.store.disk_errors import DISK_ERRORS

log: Final = logging.getLogger("chinwag.server")


def shown_path(path: str) -> str:
    """Return a path for the log: what follows /join/ and the like is as secret as a password."""
    return (
        path[:200]
        if path.startswith(PREFIX)
        else "/" + path.removeprefix("/").partition("/")[0][:40] + "/…"
    )


def failure(request: Request, error: BaseException) -> tuple[int, bytes, list[Header]]:
    """Return the status, body and headers of the answer to a request that failed."""
    if isinstance(error, WrongMethod):
        headers = [(b"allow", ", ".join(error.allowed).encode())]
        if request.method != "OPTIONS":
            return error.status, orjson.dumps(error.body()), headers
        if request.path.startswith(PREFIX):
            headers += preflight(request.headers, error.allowed)
        return 204, b"", headers
    if isinstance(error, ApiError):
        headers = []
        if isinstance(error, RateLimited):
            headers.append((b"retry-after", str(error.retry_after).encode()))
        elif isinstance(error, Unauthenticated) and not request.is_of_page:
            headers.append((b"www-authenticate", b'Basic realm="chinwag"'))
        return error.status, orjson.dumps(error.body()), headers
    # The path is escaped: line breaks and escapes in it would forge log lines.
    path = shown_path(request.path)
    if isinstance(error, DISK_ERRORS):  # while reading, so nothing was changed
        log.error("%s %r: %s", request.method, path, error)
        refused = Unavailable("The server could not read this from its disk. Try again.")
        return refused.status, orjson.dumps(refused.body()), []
    log.error("%s %r failed: %s", request.method, path, type(error).__name__, exc_info=error)
    failure = {
        "result": "error",
        "msg": "Internal server error",
        "code": "INTERNAL_SERVER_ERROR",
    }
    return 500, orjson.dumps(failure), []
