"""The client addresses of users of the SSH service beside this server. No other program is trusted with them.

Any program on this machine, and anyone behind a proxy on it, can write X-Forwarded-For; the secret is known
only to the two programs that `serve --ssh` started.
"""

import hmac
from typing import Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server_lite.api.request import Asgi, Receive, Scope, Send

HEADER: Final = b"x-chinwag-ssh"


class Visitors:
    """The application; requests with the secret get the client address that they name."""

    def __init__(self, app: Asgi, secret: str) -> None:
        self._app = app
        self._named = ProxyHeadersMiddleware(app, trusted_hosts="*")  # type: ignore[arg-type]  # uvicorn's own types of the same
        self._secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        given = next((value for name, value in scope["headers"] if name == HEADER), b"")
        if hmac.compare_digest(given, self._secret):
            await self._named(scope, receive, send)  # type: ignore[arg-type]  # uvicorn's own types of the same
        else:
            await self._app(scope, receive, send)
