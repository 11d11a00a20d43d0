"""The page of an invitation link: GET shows it, POST creates the account. No API here.

Programs send JSON and get JSON with an API key. A browser gets a form; it runs no
scripts and loads nothing.
"""

import html
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, final

import orjson
from typing_extensions import TypedDict

from server_lite.access.accounts import (
    MAX_NAME,
    check_address,
    check_name,
    check_password,
    check_unique_name,
)
from server_lite.access.domains import check_allowed
from server_lite.access.invites import access_open_invite
from server_lite.actions import credentials
from server_lite.actions.credentials import SignedIn
from server_lite.actions.invites import Newcomer, accept, check_invited
from server_lite.api.request import Request, Send
from server_lite.config import MAX_PASSWORD, MIN_PASSWORD
from server_lite.context import Context
from server_lite.errors import AddressInUse, ApiError, MissingParameter
from server_lite.http.replies import reply
from server_lite.ids import UserId
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.web.layout import page, show
from server_lite.web.ways_in import ways_in

JSON: Final = "application/json"


@final
class Invitation(TypedDict):
    """The public details of an invitation."""

    result: str
    msg: str
    realm_name: str
    invited_as: int
    email: str | None
    password_min_length: int
    password_max_length: int


@final
class Joined(TypedDict):
    """The new account, and an API key for it."""

    result: str
    msg: str
    user_id: UserId
    email: str
    api_key: str


async def serve_join(context: Context, request: Request, send: Send) -> None:
    """Serve GET, HEAD or POST /join/{token}."""
    token = request.path.removeprefix("/join/")
    typed: dict[str, object] = {}
    if not _wants_page(request):
        body = orjson.dumps(await _answer(context, request, token, typed))
        referrer = (b"referrer-policy", b"no-referrer")
        await reply(request.headers, send, 200, JSON, body, referrer)
        return
    base_url = request.info().base_url
    signing_in = ways_in(context.settings, base_url)
    try:
        answer = await _answer(context, request, token, typed)
        ways = ways_in(context.settings, base_url, f"{base_url}{request.path}")
        status, text = (
            200,
            _welcome(answer, signing_in) if "api_key" in answer else _form(answer, typed, "", ways),
        )
    except ApiError as error:
        status, text = error.status, _again(context, token, typed, error)
    await show(request, send, status, text)


def _wants_page(request: Request) -> bool:
    kind = request.headers.get("content-type", "")
    return "text/html" in request.headers.get("accept", "") and not kind.startswith(JSON)


async def _answer(
    context: Context, request: Request, token: str, typed: dict[str, object]
) -> Invitation | Joined:
    """Return the answer for programs; `typed` is filled with the fields that were sent."""
    if request.method == "POST":
        typed |= await _fields(context, request)
        return await _join(context, request, token, typed)
    return context.read(lambda db: _invitation(context, db, token))


def _invitation(context: Context, db: Db, token: str) -> Invitation:
    """Return the public details of the invitation."""
    invite = access_open_invite(db, token, context.database.clock())
    return {
        "result": "success",
        "msg": "",
        "realm_name": realm.setting(db, "name"),
        "invited_as": invite.terms.role,
        "email": invite.email,
        "password_min_length": MIN_PASSWORD,
        "password_max_length": MAX_PASSWORD,
    }


async def _join(
    context: Context, request: Request, token: str, fields: Mapping[str, object]
) -> Joined:
    invitation = context.read(lambda db: _invitation(context, db, token))
    email = fields.get("email") or invitation["email"] or _text(fields, "email")
    if not isinstance(email, str):
        raise ApiError("email is not a string")
    with _blames("full_name"):
        name = check_name(_text(fields, "full_name"))
        context.read(lambda db: check_unique_name(db, name))
    with _blames("email"):
        check_invited(invitation["email"], email)
        context.read(lambda db: check_allowed(db, check_address(db, email)))
    with _blames("password"):
        password = check_password(_text(fields, "password"), dev=context.settings.dev)
    # Hashing is expensive, so it comes after the link has proved valid.
    hashed = await credentials.hash_off_loop(context.settings.passwords, password)

    def run(tx: Tx) -> SignedIn:
        who = Newcomer(full_name=name, email=email, password=hashed)
        user = accept(tx, token, who)
        return credentials.sign_in(tx, user, request.info().client)

    signed_in: SignedIn = await context.write(run)
    return {"result": "success", "msg": "", **signed_in}


@contextmanager
def _blames(field: str) -> Iterator[None]:
    """Add the field's name to errors raised in this block, so that only that one is asked for again."""
    try:
        yield
    except ApiError as error:
        error.data.setdefault("var_name", field)
        if isinstance(error, AddressInUse):
            error.data["is_in_use"] = True
        raise


async def _fields(context: Context, request: Request) -> Mapping[str, object]:
    limit = context.settings.limits.body_bytes
    if not request.headers.get("content-type", "").startswith(JSON):
        fields, _ = await request.form(body_bytes=limit)
        return fields
    try:
        value = orjson.loads(await request.body(limit))
    except orjson.JSONDecodeError as error:
        raise ApiError("The body is not JSON.") from error
    if not isinstance(value, dict):
        raise ApiError("The body is not a JSON object.")
    return value


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if value is None:
        raise MissingParameter(name)
    if not isinstance(value, str):
        raise ApiError(f"{name} is not a string")
    return value


# Pages


def _again(context: Context, token: str, typed: Mapping[str, object], error: ApiError) -> str:
    """Return the form with the values and the error, or only the error if the link is invalid."""
    try:
        invitation = context.read(lambda db: _invitation(context, db, token))
    except ApiError:
        return page("Chinwag", f"<p>{html.escape(error.msg)}</p>")
    return _form(invitation, typed, error.msg)


def _form(invitation: Invitation, typed: Mapping[str, object], wrong: str, ways: str = "") -> str:
    name = html.escape(str(typed.get("full_name", "")))
    email = html.escape(invitation["email"] or str(typed.get("email", "")))
    fixed = " readonly" if invitation["email"] else ""
    title = f"Join {invitation['realm_name']}"
    complaint = f'<p role="alert">{html.escape(wrong)}</p>' if wrong else ""
    return page(
        title,
        f"""{complaint}<form method="post">
<label>Your name<br><input name="full_name" required maxlength="{MAX_NAME}" value="{name}"></label>
<label>Email address<br><input name="email" type="email" required value="{email}"{fixed}></label>
<label>Password (at least {MIN_PASSWORD} characters)<br>
<input name="password" type="password" required minlength="{MIN_PASSWORD}"></label>
<button>Join</button></form>{ways}""",
    )


def _welcome(answer: Joined, ways: str) -> str:
    email = html.escape(answer["email"])
    paragraph = f"<p>Your account is ready. Sign in with {email} and your password.</p>"
    return page("Welcome", paragraph + ways)
