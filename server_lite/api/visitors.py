"""The client addresses of requests that a proxy passes on, or the SSH service beside this server.

Any program on this machine can write X-Forwarded-For: it is believed if the operator has a proxy here. The SSH
service is believed in any case: it sends a secret that only the two programs know that `serve --ssh` started.
"""

import hmac
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server_lite.api.request import Scope

HEADER: Final = b"x-chinwag-ssh"
_HERE: Final = ["127.0.0.1", "::1"]


def naming_visitors(*, behind_proxy: bool, ssh_secret: str) -> Callable[[Scope], None] | None:
    """Return a function that sets who a request is from, before it is answered; None if that needs no help.

    Without it, all of them would have the same address, and one who guesses passwords would lock out all.
    """
    if not behind_proxy and not ssh_secret:
        return None
    proxy, anyone = _naming(_HERE), _naming("*")
    secret = ssh_secret.encode()

    def name(scope: Scope) -> None:
        if behind_proxy:
            proxy(scope)
        if secret:
            given = next((value for name, value in scope["headers"] if name == HEADER), b"")
            if hmac.compare_digest(given, secret):
                anyone(scope)

    return name


def _naming(trusted: list[str] | str) -> Callable[[Scope], None]:
    """Return uvicorn's middleware as a function: it awaits nothing but the application behind it, here none."""

    async def nothing(*_request: object) -> None:
        """Answer nothing."""

    middleware = ProxyHeadersMiddleware(nothing, trusted_hosts=trusted)

    def name(scope: Scope) -> None:
        with suppress(StopIteration):
            middleware(scope, None, None).send(None)  # type: ignore[arg-type]  # they reach nothing

    return name
