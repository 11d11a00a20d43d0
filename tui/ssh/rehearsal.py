"""Loads and builds in advance what a session would need, before the first fork; with a fake server.

A session that draws messages for the first time makes decoders, parses style sheets, fills caches. Done here,
once, all of it is shared by the sessions that are forked: each opens in a third of the time, and takes less
memory.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import mimetypes
import pkgutil
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import tui
from tui.accounts import Account, write_zuliprc
from tui.config import Settings
from tui.host import hosted

MESSAGES: Final = 60
SECONDS: Final = 10.0
_LEFT_OUT: Final = (
    "tui.__main__",
    "tui.ssh",
    "tui.commands.picture_decoder",
    "tui.cli.completions",
)
_USED_LATER: Final = ("concurrent.futures.thread", "importlib.readers", "resource")
"""Modules of Python that a session imports by itself."""
_TEXTS: Final = (
    "<p>words and <strong>strong</strong> ones, <em>emphasis</em>, <code>code</code> :tada:</p>",
    '<p>a <a href="https://example.com/">link</a> and <span class="user-mention" data-user-id="2">@Ben</span></p>',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>print(7)\n</code></pre></div>',
    "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<blockquote>\n<p>said before</p>\n</blockquote>",
)


def load_everything() -> None:
    """Import all of the client: a session would import it at its first use, in memory of its own."""
    for each in pkgutil.walk_packages(tui.__path__, "tui."):
        if not each.name.startswith(_LEFT_OUT):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(each.name)
    for name in _USED_LATER:
        importlib.import_module(name)
    mimetypes.init()  # reads files of the system


def rehearse() -> None:
    """Run a session without a terminal, with a fake server that has one conversation."""
    base = Path(tempfile.mkdtemp(prefix="chinwag-rehearsal-"))
    logging.disable(logging.CRITICAL)  # errors of the fake server do not matter
    try:
        asyncio.run(_rehearse(base))
    finally:
        logging.disable(logging.NOTSET)
        shutil.rmtree(base, ignore_errors=True)


async def _rehearse(base: Path) -> None:
    from tui.ssh.app import HostedApp
    from tui.ssh.child import folders_at

    writers: list[asyncio.StreamWriter] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                length = head.lower().partition("content-length:")[2].partition("\r\n")[0]
                await reader.readexactly(int(length or 0))
                method, path, *_ = head.split(" ", 2)
                make_answer = _ANSWERS.get(
                    (method, path.partition("?")[0].removeprefix("/api/v1/"))
                )
                if make_answer is None and "/events" in path:
                    await reader.read()  # no events come
                    return
                body = json.dumps(
                    make_answer() if make_answer else {"result": "success", "msg": ""}
                ).encode()
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                    % len(body)
                    + body
                )
                await writer.drain()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    site = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    folders = folders_at(base)
    zuliprc = folders.config / "accounts" / "nobody.zuliprc"
    write_zuliprc(zuliprc, Account(site=site, email="ann@example.com", key="none"))
    try:
        for path in (None, zuliprc, zuliprc):  # the second time with the cache on disk
            app = HostedApp(
                folders=folders,
                settings=Settings(images="off"),
                zuliprc=path,
                host=hosted(site=site, command="ssh example.com"),
            )
            await _play(app, is_signed_in=path is not None)
    finally:
        server.close()
        for each in writers:
            each.transport.abort()


async def _play(app: Any, *, is_signed_in: bool) -> None:
    """Do what people do at first: look, scroll, write, ask for help."""
    from tui.screens.account_screen import AccountScreen

    async with app.run_test(size=(120, 32)) as pilot:
        if not is_signed_in:
            await pilot.pause()
            return

        def has_messages() -> bool:
            return isinstance(app.screen, AccountScreen) and bool(app.screen.panes.messages.items)

        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS):
                while not has_messages():
                    await pilot.pause(0.02)
        for key in ("up", "down", "pageup", "end", "n", "c", "h", "i", "backspace", "backspace"):
            await pilot.press(key)
        await pilot.press("escape", "f1", "escape", "ctrl+k", "escape")
        await pilot.pause()


def _user(number: int, name: str) -> dict[str, object]:
    return {
        "user_id": number, "email": f"{name.lower()}@example.com", "full_name": name, "is_active": True,
        "role": 400, "is_bot": False, "date_joined": "2026-01-01T00:00:00+00:00", "timezone": "",
        "avatar_url": None,
    }  # fmt: skip


def _register() -> dict[str, object]:
    channel = {
        "stream_id": 1, "name": "design", "description": "", "rendered_description": "", "date_created": 0,
        "creator_id": 1, "invite_only": False, "is_web_public": False,
        "history_public_to_subscribers": True, "first_message_id": 1, "color": "#76ce90",
        "is_muted": False, "pin_to_top": False, "subscribers": [1, 2],
    }  # fmt: skip
    unread = {
        "stream_id": 1, "topic": "tea", "unread_message_ids": [MESSAGES - 1, MESSAGES],
    }  # fmt: skip
    return {
        "result": "success", "msg": "", "queue_id": "q", "last_event_id": -1, "user_id": 1,
        "zulip_feature_level": 400, "zulip_version": "11.0", "realm_users": [_user(1, "Ann"), _user(2, "Ben")],
        "subscriptions": [channel], "max_message_id": MESSAGES, "user_settings": {}, "realm_name": "Tea",
        "unread_msgs": {"pms": [], "streams": [unread], "huddles": [], "mentions": [], "count": 2},
    }  # fmt: skip


def _messages() -> dict[str, object]:
    return {
        "result": "success", "msg": "", "anchor": MESSAGES, "found_anchor": True, "found_oldest": True,
        "found_newest": True, "history_limited": False,
        "messages": [
            {
                "id": number, "type": "stream", "stream_id": 1, "subject": "tea", "sender_id": 1 + number % 2,
                "sender_full_name": "Ben", "sender_email": "ben@example.com", "timestamp": 1_750_000_000 + number,
                "content": _TEXTS[number % len(_TEXTS)], "display_recipient": "design", "recipient_id": 1,
                "flags": [] if number > MESSAGES - 2 else ["read"], "reactions": [], "submessages": [],
                "client": "x", "avatar_url": None, "is_me_message": False, "topic_links": [],
                "content_type": "text/html",
            }
            for number in range(1, MESSAGES + 1)
        ],
    }  # fmt: skip


_ANSWERS: Final[dict[tuple[str, str], Callable[[], dict[str, object]]]] = {
    ("POST", "register"): _register,
    ("GET", "messages"): _messages,
    ("GET", "users/me/1/topics"): lambda: {
        "result": "success",
        "msg": "",
        "topics": [{"name": "tea", "max_id": MESSAGES}],
    },
}
