"""Whom the SSH service beside this server speaks for. No other program is believed for it.

Any program on this machine, and whoever sits behind a proxy of it, can write X-Forwarded-For; the secret is known
to the two programs that `serve --ssh` started alone.
"""

import hmac
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server_lite.api.request import Receive, Scope, Send

HEADER: Final = b"x-chinwag-ssh"
Asgi: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


class Visitors:
    """The application, which takes requests with the secret for those of the address that they name."""

    def __init__(self, app: Asgi, secret: str) -> None:
        self._app = app
        self._named = ProxyHeadersMiddleware(app, trusted_hosts="*")  # type: ignore[arg-type]  # uvicorn's own types of the same
        self._secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        given = next((value for name, value in scope["headers"] if name == HEADER), b"")
        if hmac.compare_digest(given, self._secret):
            await self._named(scope, receive, send)  # type: ignore[arg-type]  # uvicorn's own types of the same
        else:
            await self._app(scope, receive, send)
