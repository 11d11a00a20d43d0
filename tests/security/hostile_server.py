"""A malicious server: ours, with control sequences in every text."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import orjson

from server_lite.api.request import Receive, Scope, Send
from server_lite.app import App
from server_lite.config import Settings
from server_lite.server import Server, listen, url_of
from server_lite.store.database import Database
from tests.contract.in_memory_server import LIMITS

SEQUENCES: Final = (
    "\x1b]52;c;QQ==\x07"  # the clipboard
    "\x1b]0;owned\x1b\\"  # the title
    "\x1bPq\x1b\\\x1b_Ga=q\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\"  # strings for the terminal
    "\x1b[777m\x9b777m\x9d0;x\x9c\x90q\x9c"  # in 7 and in 8 bits
    "\u202e\u2066\U000e0041\x08"  # reverses or hides text
)
TOLD: Final = frozenset(
    {
        *("content", "rendered_content", "prev_content", "prev_rendered_content"),
        *("subject", "topic", "topic_name", "orig_subject", "prev_topic", "display_recipient"),
        *("name", "stream_name", "description", "rendered_description", "realm_name"),
        *("full_name", "sender_full_name", "status_text", "emoji_name", "title", "note"),
        *("hint", "value", "rendered_value", "msg", "example_input", "zulip_version"),
        *("realm_description", "realm_empty_topic_display_name", "pattern", "url_template"),
    }
)
"""All texts of the API for people."""


def spoilt(value: Any, key: str = "") -> Any:
    """Return the answer with the sequences before each text, and `~key~` to find it by."""
    if isinstance(value, dict):
        return {name: spoilt(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [spoilt(inner, key) for inner in value]
    return f"~{key}~{SEQUENCES}{value}" if isinstance(value, str) and key in TOLD else value


class HostileApp:
    """An application whose answers are modified on their way out."""

    def __init__(self, app: App, spoil: Callable[[Any, str], Any]) -> None:
        self._app = app
        self._spoil = spoil

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Relay the request."""
        start: MutableMapping[str, Any] = {}

        async def spoil(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body = message["body"]
            if not start:  # the rest of a file
                await send({**message})
                return
            with contextlib.suppress(ValueError):
                body = orjson.dumps(self._spoil(orjson.loads(body), scope["path"]))
            headers = list(start["headers"])
            if body != message["body"]:
                headers = [pair for pair in headers if pair[0] != b"content-length"]
                headers.append((b"content-length", str(len(body)).encode()))
            await send({**start, "headers": headers})
            start.clear()
            await send({**message, "body": body})

        readable = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
        await self._app({**scope, "headers": readable}, receive, spoil)


@asynccontextmanager
async def hostile(
    file: Path, spoil: Callable[[Any, str], Any] = lambda answer, _: spoilt(answer)
) -> AsyncIterator[str]:
    """Serve a file's organization with modified answers; yields the URL. `spoil` gets answer and path."""
    sock = listen("127.0.0.1", 0)
    database = Database(file)
    server = Server(App(Settings(db=file, limits=LIMITS), database), signals=False)
    server.config.app = HostileApp(server.app, spoil)
    server._guard.begin = None  # each answer is modified: no shortcut
    serving = asyncio.create_task(server.serve(sockets=[sock]))
    try:
        await server.answering.wait()
        yield url_of(sock)
    finally:
        server.leave()
        await serving
        database.close()
        sock.close()
