"""GET /healthz: whether this server can read and store now. Reveals nothing about the organization."""

from server_lite.api.request import Request, Send
from server_lite.context import Context
from server_lite.http.replies import reply
from server_lite.store import generation


async def health(context: Context, request: Request, send: Send) -> None:
    """Answer 200 `ok`, or 503 `read-only` if nothing can be stored until the operator acts.

    A disk error while reading becomes 503 as for every other request.
    """
    generation.current(context.database.reader)
    is_well = context.database.is_writable
    status, body = (200, b"ok\n") if is_well else (503, b"read-only\n")
    await reply(request.headers, send, status, "text/plain; charset=utf-8", body)
