"""Signing in where something is wrong: one sentence that says what, and the way in stays open."""

import asyncio
import socket
import ssl
from pathlib import Path

import pytest
from textual.content import Content
from textual.widgets import Checkbox, Input, Static, TabbedContent

from tests.e2e.client import folders
from tests.listening import listening
from tests.live import live, until
from tui.app import ChinwagApp
from tui.config import Settings
from tui.screens.accounts.sign_in import SignInScreen


def unused_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
    return port


async def sentence_for(
    folder: Path, site: str, *, way: str = "password", size: tuple[int, int] = (80, 24)
) -> str:
    """What the first screen says, all of it in sight, after trying to sign in at `site`."""
    app = ChinwagApp(folders=folders(folder, "home"), settings=Settings(), zuliprc=None)
    async with app.run_test(size=size) as pilot:
        await until(lambda: isinstance(app.screen, SignInScreen))
        app.screen.query_one(TabbedContent).active = way
        app.screen.query_one(f"#{way}-site", Input).value = site
        app.screen.query_one(f"#{way}-email", Input).value = "ann@example.com"
        secret = app.screen.query_one(f"#{way}-{way}", Input)
        secret.value = "correct horse"
        await pilot.pause()
        secret.focus()
        await pilot.press("enter")
        trouble = app.screen.query_one("#trouble", Static)
        await until(lambda: str(trouble.content) != "")
        assert isinstance(app.screen, SignInScreen)
        assert isinstance(trouble.content, Content)
        assert secret.value == "correct horse"
        await until(
            lambda: app.screen.region.contains_region(trouble.region) and trouble.size.height > 0
        )
        return str(trouble.content)


@pytest.mark.parametrize(
    ("site", "sentence"),
    [
        ("", "Enter a server address"),
        ("http://ex ample", "is not a server address"),
        ("ftp://chat.example.com", "is not supported"),
        ("http://chat.example.com", "must be reached over https"),
    ],
)
async def test_an_address_that_cannot_be_one_is_told(
    tmp_path: Path, site: str, sentence: str
) -> None:
    """A slip in the address is told before anything is sent, and what was typed stays."""
    assert sentence in await sentence_for(tmp_path, site)


async def test_a_server_that_does_not_run_is_told(tmp_path: Path) -> None:
    """Nobody listening is told apart from a wrong password."""
    assert "connection refused" in await sentence_for(tmp_path, f"127.0.0.1:{unused_port()}")


async def test_a_sentence_is_seen_in_a_small_terminal(tmp_path: Path) -> None:
    """It stands below the fields, which fill the screen."""
    site = f"127.0.0.1:{unused_port()}"
    assert "connection refused" in await sentence_for(tmp_path, site, size=(50, 14))


async def test_the_arrows_go_through_all_methods(tmp_path: Path) -> None:
    """As the first page says; fields do not keep them while they are empty, and what was typed comes along."""
    app = ChinwagApp(folders=folders(tmp_path, "home"), settings=Settings(), zuliprc=None)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: isinstance(app.screen, SignInScreen) and bool(app.focused))
        methods = app.screen.query_one(TabbedContent)
        for method in ("password", "key", "zuliprc", "others", "local", "password"):
            await pilot.press("right")
            await until(lambda method=method: methods.active == method)
        await pilot.press(*"chat", "left", "left", "X")
        assert methods.active == "password"
        assert app.screen.query_one("#password-site", Input).value == "chXat"
        await pilot.press("tab", "right")
        await until(lambda: methods.active == "key")
        await until(lambda: app.screen.query_one("#key-site", Input).value == "chXat")


async def test_a_box_that_is_off_does_not_look_ticked(tmp_path: Path) -> None:
    """In plain text, so without colors too."""
    app = ChinwagApp(folders=folders(tmp_path, "home"), settings=Settings(), zuliprc=None)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: isinstance(app.screen, SignInScreen))
        box = app.screen.query_one("#password-http", Checkbox)
        assert str(box.render()) == "[ ] Connect without encryption (http://) "
        app.screen.query_one(TabbedContent).active = "password"
        await pilot.pause()
        box.focus()
        await pilot.press("space")
        assert str(box.render()) == "[x] Connect without encryption (http://) "


async def test_a_web_site_is_no_chat_server(tmp_path: Path) -> None:
    """Something else that answers at the address is told as such."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = b"<html>Welcome to our shop</html>"
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: %d\r\n\r\n"
        writer.write(head % len(body) + body)
        await writer.drain()

    async with listening(answer) as place:
        assert "no chat server" in await sentence_for(tmp_path, place)


async def test_a_wrong_password_or_key_is_told(tmp_path: Path) -> None:
    """What was wrong, and where to go on."""
    async with live(tmp_path) as server:
        await server.person("Ann")
        assert "Email address or password is wrong" in await sentence_for(tmp_path, server.url)
        told = await sentence_for(tmp_path, server.url, way="key")
        assert "address or API key is wrong" in told


async def test_a_server_without_encryption_is_told(tmp_path: Path) -> None:
    """https to a port that speaks http only: what to tick, if one trusts the network."""
    async with live(tmp_path) as server:
        site = server.url.replace("http://", "https://")
        assert "tick “Connect without encryption”" in await sentence_for(tmp_path, site)


async def test_a_certificate_that_vouches_for_itself_is_told(tmp_path: Path) -> None:
    """Nothing is sent there, and one hears how a certificate of one's own is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("self_signed.pem"))

    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise AssertionError("somebody came in")

    async with listening(never, certificate=context) as place:
        told = await sentence_for(tmp_path, f"https://{place}")
    assert "its certificate is not trusted" in told
    assert "SSL_CERT_FILE" in told
