"""Which endpoints a story makes the real client use: said beside the story, and seen at the server.

    @uses("POST /drafts", "DELETE /drafts/{draft_id}")
    async def test_a_draft_comes_along(...) -> None: ...

The names are those of docs/api-tiers.csv. What counts is an answered request of the client itself
(the screens or the command line), not one of the test's own. Makes no requests.
"""

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from server_lite.api.routing import PREFIX
from server_lite.app import App
from tests.shape.sources import ROOT

uses: Final = pytest.mark.uses
"""Names of endpoints that the client requests successfully during the test."""

_PLACE: Final = re.compile(r"\{(\w+)\}")


def _pattern(path: str) -> re.Pattern[str]:
    """Return a pattern for requests to a path of the list."""
    kinds = {"fragment": ".+", "filename": ".+"}
    parts = _PLACE.split(path.removeprefix("/"))
    texts = [
        re.escape(part)
        if at % 2 == 0
        else kinds.get(part, r"\d+" if part[-3:] == "_id" else "[^/]+")
        for at, part in enumerate(parts)
    ]
    return re.compile("".join(texts))


def _rows() -> list[tuple[str, str]]:
    with (ROOT / "docs" / "api-tiers.csv").open(encoding="utf-8", newline="") as file:
        return [(row["verb"], row["path"]) for row in csv.DictReader(file)]


ENDPOINTS: Final = tuple(f"{verb} {path}" for verb, path in _rows())
"""All endpoints of the API, most needed first."""

_PATTERNS: Final = [
    (verb, _pattern(path), f"{verb} {path}")
    # Literals take precedence over placeholders.
    for verb, path in sorted(_rows(), key=lambda row: (row[1].count("{"), "{email}" in row[1]))
]


def endpoint_of(verb: str, path: str) -> str | None:
    """Return the endpoint's name for a path below /api/v1/; None if it is not on the list."""
    for each, pattern, name in _PATTERNS:
        if each == verb and pattern.fullmatch(path):
            return name
    return None


@contextmanager
def seen(patch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Collect the endpoints that the client requested successfully from servers of this process."""
    endpoints: set[str] = set()
    serve = App.__call__

    async def watched(app: App, scope: Any, receive: Any, send: Any) -> None:
        async def noted(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                endpoints.add(
                    endpoint_of(scope["method"], scope["path"].removeprefix(PREFIX)) or ""
                )
            await send(message)

        ours = b"Chinwag/" in dict(scope.get("headers", ())).get(b"user-agent", b"")
        await serve(app, scope, receive, noted if ours else send)

    def no_shortcut(app: App, *_request: object) -> App:
        return app

    with patch.context() as patched:
        patched.setattr(App, "__call__", watched)
        patched.setattr(App, "begin", no_shortcut)
        yield endpoints
