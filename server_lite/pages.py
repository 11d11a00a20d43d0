"""What the server answers outside the API: administration from this machine, pictures. No API here."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import orjson

from server_lite import VERSION, administration
from server_lite.administration import House
from server_lite.avatar_images import picture_of, serve_avatar
from server_lite.call_page import serve_call_page
from server_lite.context import Context
from server_lite.emoji_images import EMOJI_FOLDER, serve_emoji
from server_lite.errors import ApiError, NotAllowed, NotFound, WrongMethod
from server_lite.files import serve_upload
from server_lite.joining import serve_join
from server_lite.markup import emoji
from server_lite.pictures import pattern
from server_lite.request import Request, Send

Page = Callable[[Context, Request, Send], Awaitable[None]]


async def serve(context: Context, request: Request, send: Send) -> None:
    """Answer a request for a path outside the API; raises NotFound."""
    page = PAGES.get(request.path.removeprefix("/").partition("/")[0])
    if page is None:
        raise NotFound("There is nothing here.")
    await page(context, request, send)


async def administer(context: Context, request: Request, send: Send) -> None:
    """POST /administration: a command of whoever can read the note beside the database.

    The body is JSON, `{"command": …, "arguments": {…}}`; the secret is a bearer token.
    """
    if request.method != "POST":
        raise WrongMethod("Method Not Allowed", allowed_methods=["POST"])
    given = request.headers.get("authorization", "")
    if not secrets.compare_digest(given.encode(), f"Bearer {context.secret}".encode()):
        raise NotAllowed("This needs the secret of the server's note.")
    asked = await _json(request, context.settings.limits.body_bytes)
    command, arguments = asked.get("command"), asked.get("arguments")
    if not isinstance(command, str) or not isinstance(arguments, dict):
        raise ApiError("A command has a name and arguments.")
    if command == "status":
        result: dict[str, Any] = {"version": VERSION}
    elif command == "stop":
        context.leaving.set()
        result = {}
    else:
        house = House(secret=context.file_secret, cut_off=context.queues.delete_all)
        run = partial(administration.perform, house=house, name=command, arguments=arguments)
        result = await context.write(run)
    await respond(send, 200, "application/json", orjson.dumps({"result": "success", **result}))


async def _json(request: Request, limit: int) -> dict[str, Any]:
    try:
        value = orjson.loads(await request.body(limit))
    except orjson.JSONDecodeError as error:
        raise ApiError("The body is not JSON.") from error
    if not isinstance(value, dict):
        raise ApiError("The body is not a JSON object.")
    return value


async def respond(
    send: Send, status: int, content_type: str, body: bytes, *headers: tuple[bytes, bytes]
) -> None:
    """Send a whole answer. Nothing a page shows is kept by a cache unless a header says so."""
    base = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
    ]
    if not any(name == b"cache-control" for name, _ in headers):
        base.append((b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": status, "headers": [*base, *headers]})
    await send({"type": "http.response.body", "body": body})


async def avatar(context: Context, request: Request, send: Send) -> None:
    """GET /avatar/ID and /avatar/ID/medium: the way to an uploaded picture, for who has signed in.

    Else the one that is drawn. It shows nothing of the person, not even whether there is one: any
    number has a picture.
    """
    number, _, size = request.path.removeprefix("/avatar/").partition("/")
    if not number.isdecimal() or len(number) > 18 or size not in ("", "medium"):
        raise NotFound("There is nothing here.")
    uploaded = picture_of(context, request, int(number), medium=bool(size))
    if uploaded is not None:
        await respond(send, 302, "text/plain", b"", (b"location", uploaded.encode()))
        return
    await respond(send, 200, "image/png", pattern(number, 500 if size else 100), KEPT_A_DAY)


async def user_avatars(context: Context, request: Request, send: Send) -> None:
    """GET /user_avatars/…: uploaded pictures, and the organisation's own emoji."""
    is_emoji = request.path.startswith(EMOJI_FOLDER)
    await (serve_emoji if is_emoji else serve_avatar)(context, request, send)


async def static(context: Context, request: Request, send: Send) -> None:
    """GET /static/…: the server's icon, and the table of emoji for clients that have none."""
    if request.path == "/static/icon.png":
        await respond(send, 200, "image/png", pattern("chinwag", 200), KEPT_A_DAY)
    elif request.path == "/static/emoji.json":
        await respond(send, 200, "application/json", _emoji(), KEPT_A_DAY)
    else:
        raise NotFound("There is nothing here.")


@cache
def _emoji() -> bytes:
    return orjson.dumps({"code_to_names": dict(emoji.code_to_names())})


KEPT_A_DAY: Final = (b"cache-control", b"public, max-age=86400")

PAGES: Final[Mapping[str, Page]] = {
    "administration": administer,
    "avatar": avatar,
    "static": static,
    "calls": serve_call_page,
    "join": serve_join,
    "user_avatars": user_avatars,
    "user_uploads": serve_upload,
}
"""By the first segment of the path."""
