"""Links that lead nowhere: a sentence for each, which says what to do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import orjson
import pytest

from tests.listening import listening
from tui.api.base_url import parse_base_url
from tui.api.routes.joining import OpenInvitation
from tui.commands import joining
from tui.commands.joining import Invitation, NotAccepted
from tui.errors import ConfigError

PAGE = b"<html><title>Welcome to the hotel</title></html>"
SETTINGS = orjson.dumps(
    {
        "result": "success",
        "msg": "",
        "zulip_version": "10.0",
        "zulip_feature_level": 371,
        "authentication_methods": {},
        "realm_url": "https://chat.example.com",
        "realm_name": "Tea",
    }
)
REVOKED = b'{"result":"error","msg":"This invitation is not valid.","code":"BAD_REQUEST"}'
OPEN = b'{"result":"success","msg":"","realm_name":"Tea","invited_as":400,"email":null}'


def answer(status: str, body: bytes, kind: str, *more: str) -> bytes:
    """A whole answer, after which the connection ends."""
    head = [f"HTTP/1.1 {status}", f"content-type: {kind}", f"content-length: {len(body)}"]
    return "\r\n".join([*head, "connection: close", *more, "", ""]).encode() + body


HTML, JSON = "text/html", "application/json"
CHAT = answer("200 OK", SETTINGS, JSON)


@asynccontextmanager
async def site(settings: bytes, page: bytes) -> AsyncIterator[str]:
    """Something that answers the API and the page of an invitation so; its link."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        writer.write(settings if b"/api/v1/server_settings" in request else page)
        await writer.drain()

    async with listening(serve) as place:
        yield f"http://{place}/join/abc"


PORTAL = answer("200 OK", PAGE, HTML)
ON = answer("302 Found", b"", HTML, "location: https://portal.example/login")
GONE = answer("404 Not Found", PAGE, HTML)
BROKEN = answer("502 Bad Gateway", PAGE, HTML)
RUBBISH = answer("200 OK", b'{"result":"success","realm_name":7}', JSON)


@pytest.mark.parametrize(
    ("settings", "page", "sentence"),
    [
        (PORTAL, PORTAL, "no chat server"),
        (ON, ON, "portal.example"),
        (GONE, GONE, "no chat server"),
        (BROKEN, BROKEN, "The server failed"),
        (b"", b"", "was lost"),
        (CHAT, PORTAL, "in a browser only"),
        (CHAT, GONE, "in a browser only"),
        (CHAT, ON, "in a browser only"),
        (CHAT, answer("400 Bad Request", REVOKED, JSON), "Ask for a new link."),
        (CHAT, RUBBISH, "cannot be read"),
        (CHAT, b"", "was lost"),
    ],
)
async def test_what_answers_oddly_is_told_in_a_sentence(
    settings: bytes, page: bytes, sentence: str
) -> None:
    """A network's sign-in page, a full server, a link that has ended, a server that breaks."""
    async with site(settings, page) as link:
        with pytest.raises(ConfigError, match=sentence):
            await joining.look(link, allow_http=False)


@pytest.mark.parametrize("around", ["{}", " '{}' ", "<{}>", "{}/", "{}?from=mail#top", "“{}”."])
async def test_a_link_is_known_as_it_is_pasted(around: str) -> None:
    """With the quotes of a mail, or broken over two lines."""
    async with site(CHAT, answer("200 OK", OPEN, JSON)) as link:
        for pasted in (link, link.replace("/join", "/jo\n in")):
            invitation = await joining.look(around.format(pasted), allow_http=False)
            assert (invitation.token, invitation.says.realm_name) == ("abc", "Tea")
            assert invitation.says.password_min_length == 0


@pytest.mark.parametrize("link", ["", "https://chat.example.com", "join/abc", "/join/", "a b c"])
async def test_what_is_no_link_is_told_before_anything_is_sent(link: str) -> None:
    """With the shape of one that is."""
    with pytest.raises(ConfigError, match="not an invitation link"):
        await joining.look(link, allow_http=False)


@pytest.mark.parametrize(
    ("data", "field"), [(b"password", "password"), (b"email", "email"), (b"shoe_size", None)]
)
async def test_a_refusal_names_the_field_to_change(data: bytes, field: str | None) -> None:
    """Only that one is asked for again."""
    no = b'{"result":"error","msg":"No.","code":"BAD_REQUEST","var_name":"%s"}' % data
    says = OpenInvitation(realm_name="Tea", invited_as=400, email=None, password_min_length=8)
    async with site(CHAT, answer("400 Bad Request", no, JSON)) as link:
        base_url = parse_base_url(link.removesuffix("/join/abc"), allow_http=False)
        invitation = Invitation(base_url=base_url, token="abc", says=says)
        with pytest.raises(NotAccepted, match=r"No\.") as caught:
            await joining.join(invitation, full_name="N", email="n@example.com", password="p" * 9)
    assert caught.value.field == field
