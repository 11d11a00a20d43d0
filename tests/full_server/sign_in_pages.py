"""The pages of a full server for signing in by a browser, on loopback. Nothing else of it."""

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

import orjson

from tests.listening import listening

KEY: Final = "abcdefghijklmnopqrstuvwxyz012345"
EMAIL: Final = "ann@example.com"
PAGE: Final = "/accounts/login/social/github"


@dataclass
class SignInPages:
    """Answers a client's requests before signing in, and the first one after it."""

    url: str = ""
    asked: list[str] = field(default_factory=list)
    """`VERB /path` of every request."""

    def answer(
        self, verb: str, target: str, headers: Mapping[str, str]
    ) -> tuple[int, str, dict[str, object]]:
        """Return status, redirect target, and JSON."""
        parts = urlsplit(target)
        self.asked.append(f"{verb} {parts.path}")
        match self.asked[-1]:
            case "GET /api/v1/server_settings":
                page = {"name": "github", "display_name": "GitHub", "login_url": PAGE}
                return 200, "", self._settings(page)
            case "GET /accounts/login/social/github":
                return 302, self._redirect(parse_qs(parts.query)["mobile_flow_otp"][0]), {}
            case "GET /api/v1/users/me":
                given = headers.get("authorization", "").removeprefix("Basic ")
                if base64.b64decode(given).decode() != f"{EMAIL}:{KEY}":
                    return 401, "", {"result": "error", "msg": "No.", "code": "UNAUTHORIZED"}
                me = {"user_id": 7, "email": EMAIL, "full_name": "Ann"}
                return 200, "", {"result": "success", "msg": "", **me}
            case _:  # a server with other problems: they sign nobody out
                return 503, "", {}

    def _settings(self, page: dict[str, str]) -> dict[str, object]:
        return {
            "result": "success",
            "msg": "",
            "zulip_feature_level": 400,
            "zulip_version": "11.0",
            "realm_name": "The Guild",
            "realm_url": self.url,
            "authentication_methods": {"password": False, "github": True},
            "external_authentication_methods": [page],
        }

    def _redirect(self, pad: str) -> str:
        combined = int(KEY.encode().hex(), 16) ^ int(pad, 16)
        said = {"realm": self.url, "email": EMAIL, "user_id": "7"}
        return f"zulip://login?{urlencode({**said, 'otp_encrypted_api_key': f'{combined:064x}'})}"


@asynccontextmanager
async def sign_in_pages() -> AsyncIterator[SignInPages]:
    """Run the pages on a free port."""
    server = SignInPages()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        verb, target, _ = head[0].split(" ")
        lines = (line.partition(": ") for line in head[1:] if line)
        status, location, body = server.answer(
            verb, target, {name.lower(): value for name, _, value in lines}
        )
        data = orjson.dumps(body)
        extra = f"Location: {location}\r\n" if location else ""
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n"
            f"Content-Length: {len(data)}\r\n{extra}\r\n".encode()
            + data
        )
        await writer.drain()

    async with listening(serve) as place:
        server.url = f"http://{place}"
        yield server
