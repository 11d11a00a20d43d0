"""Signing in where something is wrong: one sentence that says what, and the way in stays open."""

import asyncio
import socket
from pathlib import Path

import pytest
from textual.content import Content
from textual.widgets import Input, Static, TabbedContent

from tests.e2e.client import folders
from tests.live import until
from tui.app import ChinwagApp
from tui.config import Settings
from tui.screens.sign_in import SignInScreen


def unused_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
    return port


async def sentence_for(folder: Path, site: str) -> str:
    """What the first screen says after trying to sign in at `site`."""
    app = ChinwagApp(folders=folders(folder, "home"), settings=Settings(), zuliprc=None)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: isinstance(app.screen, SignInScreen))
        app.screen.query_one(TabbedContent).active = "password"
        app.screen.query_one("#password-site", Input).value = site
        app.screen.query_one("#password-email", Input).value = "ann@example.com"
        password = app.screen.query_one("#password-password", Input)
        password.value = "correct horse"
        await pilot.pause()
        password.focus()
        await pilot.press("enter")
        trouble = app.screen.query_one("#trouble", Static)
        await until(lambda: str(trouble.content) != "")
        assert isinstance(app.screen, SignInScreen)
        assert isinstance(trouble.content, Content)
        assert password.value == "correct horse"
        return str(trouble.content)


@pytest.mark.parametrize(
    ("site", "sentence"),
    [
        ("", "A server's address is needed"),
        ("http://ex ample", "is not an address"),
        ("ftp://chat.example.com", "is not a way to reach a chat server"),
        ("http://chat.example.com", "only reached over https"),
    ],
)
async def test_an_address_that_cannot_be_one_is_told(
    tmp_path: Path, site: str, sentence: str
) -> None:
    """A slip in the address is told before anything is sent, and what was typed stays."""
    assert sentence in await sentence_for(tmp_path, site)


async def test_a_server_that_does_not_run_is_told(tmp_path: Path) -> None:
    """Nobody listening is told apart from a wrong password."""
    assert "Nothing listens" in await sentence_for(tmp_path, f"127.0.0.1:{unused_port()}")


async def test_a_web_site_is_no_chat_server(tmp_path: Path) -> None:
    """Something else that answers at the address is told as such."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = b"<html>Welcome to our shop</html>"
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: %d\r\n\r\n"
        writer.write(head % len(body) + body)
        await writer.drain()
        writer.close()

    site = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with site:
        port = site.sockets[0].getsockname()[1]
        assert "no chat server" in await sentence_for(tmp_path, f"127.0.0.1:{port}")
