"""Everything the server answers outside the API: local administration, images, pages. No API here."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from functools import cache, partial
from typing import Final

import orjson

from server_lite import VERSION, admin_commands
from server_lite.admin_commands import AdminEnvironment
from server_lite.api.request import Request, Send
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError, NotAllowed, NotFound, WrongMethod
from server_lite.http.compression import is_compressible
from server_lite.http.conditional import tag_of_bytes, weak
from server_lite.http.cross_origin import READABLE
from server_lite.http.replies import reply
from server_lite.ids import UserId
from server_lite.markup import emoji
from server_lite.web.avatars import picture_of, serve_avatar
from server_lite.web.custom_emoji import EMOJI_FOLDER, serve_emoji
from server_lite.web.front_page import serve_front_page
from server_lite.web.health import health
from server_lite.web.identicons import pattern
from server_lite.web.invitation import serve_join
from server_lite.web.uploads import serve_upload
from server_lite.web.video_call_account import serve_call_page

Serve = Callable[[Context, Request, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Page:
    """The handler for paths with a common first segment, and its verbs."""

    serve: Serve
    verbs: tuple[str, ...] = ("GET",)


async def serve(context: Context, request: Request, send: Send) -> None:
    """Answer a request for a path outside the API; raises NotFound and WrongMethod."""
    if request.path == "*":  # OPTIONS for the whole server
        raise WrongMethod(("GET", "POST", "PATCH", "PUT", "DELETE"))
    page = PAGES.get(request.path.removeprefix("/").partition("/")[0])
    if page is None:
        raise NotFound("There is nothing here.")
    if request.verb not in page.verbs:
        raise WrongMethod(page.verbs)
    await page.serve(context, request, send)


async def administer(context: Context, request: Request, send: Send) -> None:
    """Serve POST /administration: a command of a user who can read the note beside the database.

    The body is JSON, `{"command": …, "arguments": {…}}`; the secret is a bearer token.
    """
    given = request.headers.get("authorization", "")
    if not secrets.compare_digest(given.encode(), f"Bearer {context.secret}".encode()):
        raise NotAllowed("This needs the secret of the server's note.")
    posted = await _json(request, context.settings.limits.body_bytes)
    command, arguments = posted.get("command"), posted.get("arguments")
    if not isinstance(command, str) or not isinstance(arguments, dict):
        raise ApiError("A command has a name and arguments.")
    if command == "status":
        result: dict[str, object] = {"version": VERSION}
    elif command == "stop":
        context.leaving.set()
        result = {}
    else:
        environment = AdminEnvironment(secret=context.file_secret)
        run = partial(
            admin_commands.run_command, environment=environment, name=command, arguments=arguments
        )
        if command in admin_commands.PARTS:
            part = partial(admin_commands.run_part, name=command, arguments=arguments)
            await context.prepare_in_slices(part)
        text = context.read(
            partial(
                admin_commands.text_of,
                environment=environment,
                name=command,
                arguments=arguments,
            )
        )
        async with nullcontext() if text is None else context.rendering.ahead(*text):
            result = await context.write(run)
    body = orjson.dumps({"result": "success", **result})
    await reply(request.headers, send, 200, "application/json", body)


async def _json(request: Request, limit: int) -> dict[str, object]:
    try:
        value = orjson.loads(await request.body(limit))
    except orjson.JSONDecodeError as error:
        raise ApiError("The body is not JSON.") from error
    if not isinstance(value, dict):
        raise ApiError("The body is not a JSON object.")
    return value


async def avatar(context: Context, request: Request, send: Send) -> None:
    """Serve GET /avatar/ID and /avatar/ID/medium: redirect to an uploaded avatar, for signed-in users.

    Else draw one. It reveals nothing about the user, not even whether the account exists: every
    number has an image.
    """
    number, _, size = request.path.removeprefix("/avatar/").partition("/")
    if not number.isdecimal() or len(number) > 18 or size not in ("", "medium"):
        raise NotFound("There is nothing here.")
    uploaded = picture_of(context, request, UserId(int(number)), medium=bool(size))
    if uploaded is not None:
        location = (b"location", uploaded.encode())
        await reply(request.headers, send, 302, "text/plain", b"", location)
        return
    await _kept(request, send, "image/png", pattern(number, 500 if size else 100))


async def user_avatars(context: Context, request: Request, send: Send) -> None:
    """Serve GET /user_avatars/…: uploaded avatars, and custom emoji."""
    is_emoji = request.path.startswith(EMOJI_FOLDER)
    await (serve_emoji if is_emoji else serve_avatar)(context, request, send)


async def static(context: Context, request: Request, send: Send) -> None:
    """Serve GET /static/…: the server's icon, and the table of emoji for clients without one."""
    if request.path == "/static/icon.png":
        await icon(context, request, send)
    elif request.path == "/static/emoji.json":
        await _kept(request, send, "application/json", _emoji())
    else:
        raise NotFound("There is nothing here.")


async def icon(context: Context, request: Request, send: Send) -> None:
    """Serve GET /favicon.ico, which browsers request regardless of a page's own icon."""
    if request.path not in ("/favicon.ico", "/static/icon.png"):
        raise NotFound("There is nothing here.")
    await _kept(request, send, "image/png", pattern("chinwag", 200))


async def _kept(request: Request, send: Send, content_type: str, content: bytes) -> None:
    """Send public contents that may be cached for a day."""
    tag = tag_of_bytes(content)
    tag = weak(tag) if is_compressible(content_type) else tag
    kept = (b"cache-control", b"public, max-age=86400")
    headers = [(b"etag", tag.encode()), kept, *READABLE]
    await reply(request.headers, send, 200, content_type, content, *headers)


@cache
def _emoji() -> bytes:
    return orjson.dumps({"code_to_names": dict(emoji.code_to_names())})


PAGES: Final[Mapping[str, Page]] = {
    "": Page(serve_front_page),
    "administration": Page(administer, ("POST",)),
    "avatar": Page(avatar),
    "calls": Page(serve_call_page, ("GET", "POST")),
    "favicon.ico": Page(icon),
    "healthz": Page(health),
    "join": Page(serve_join, ("GET", "POST")),
    "static": Page(static),
    "user_avatars": Page(user_avatars),
    "user_uploads": Page(serve_upload),
}
"""Handlers by the first segment of the path."""
