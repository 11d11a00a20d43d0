"""Registering, files, and that every route is tried. No sockets."""

import importlib
import inspect
import io
import pkgutil
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import eg
from tests.unit.tui.api.wire_tap import WireTap, connection, success
from tui.api import routes
from tui.api.connection import Connection
from tui.api.encode import encode
from tui.api.routes import (
    avatars,
    custom_emoji,
    queues,
    uploads,
)
from tui.api.routes.queues import QueueFilter

Result = Coroutine[Any, Any, Any]


def _heard(_count: int) -> None:
    pass


async def test_registering_asks_for_everything_this_client_understands() -> None:
    """No event comes in a form of old that says less."""
    tap = WireTap(success(**_encoded_snapshot()))
    state = await queues.register(
        connection(tap),
        event_types=["message"],
        fetch_event_types=None,
        queue_filter=QueueFilter(narrow=(("stream", "x"),), all_public_channels=True),
        idle_queue_timeout_seconds=None,
        feature_level=412,
    )
    assert state == eg.snapshot()
    method, path, fields = tap.sent
    assert (method, path) == ("POST", "/register")
    assert "false" not in fields.pop("client_capabilities")
    assert fields == {
        "apply_markdown": "true",
        "client_gravatar": "true",
        "slim_presence": "true",
        "presence_history_limit_days": "365",
        "include_subscribers": "partial",
        "event_types": '["message"]',
        "narrow": '[["stream","x"]]',
        "all_public_streams": "true",
    }


def _encoded_snapshot() -> dict[str, object]:
    encoded = encode(eg.snapshot())
    assert isinstance(encoded, dict)
    return encoded


@pytest.mark.parametrize(
    ("call", "path", "data"),
    [
        (
            lambda c: uploads.upload(
                c, file=io.BytesIO(b"x"), filename="x.png", progress=_heard, idempotency_key="k"
            ),
            "/user_uploads",
            {"uri": "/user_uploads/1/x.png"},
        ),
        (
            lambda c: avatars.upload(c, file=io.BytesIO(b"x"), filename="x.png", progress=_heard),
            "/users/me/avatar",
            {"avatar_url": "/x"},
        ),
        (
            lambda c: custom_emoji.upload(
                c, name="cat", file=io.BytesIO(b"x"), filename="x.png", progress=_heard
            ),
            "/realm/emoji/cat",
            {},
        ),
    ],
)
async def test_files_go_where_they_belong(
    call: Callable[[Connection], Result], path: str, data: Mapping[str, object]
) -> None:
    """A picture becomes an attachment, a face or an emoji."""
    tap = WireTap(success(**data))
    await call(connection(tap))
    (request,) = tap.requests
    assert request.url.path == f"/api/v1{path}"
    assert b'filename="x.png"' in request.content


async def test_an_upload_is_opened_by_a_link_for_a_minute() -> None:
    """A shared file opens although the key goes to the API only."""
    tap = WireTap(success(url="/user_uploads/temporary/abc/x.png"))
    async with uploads.download(
        connection(tap), url="https://chat.example.com/user_uploads/1/x.png?a=b", max_bytes=999
    ) as file:
        assert await anext(file.chunks)
    assert [request.url.path for request in tap.requests] == [
        "/api/v1/user_uploads/1/x.png",
        "/user_uploads/temporary/abc/x.png",
    ]


def test_every_route_is_tried() -> None:
    """Nothing is sent to a server that no test has looked at."""
    here = Path(__file__).parent
    source = "".join(path.read_text() for path in [Path(__file__), *here.glob("routes/test_*.py")])
    untried = [
        f"{module.name}.{name}"
        for module in pkgutil.iter_modules(routes.__path__)
        for name, function in vars(
            importlib.import_module(f"{routes.__name__}.{module.name}")
        ).items()
        if inspect.isfunction(function)
        and function.__module__.endswith(f".{module.name}")
        and not name.startswith("_")
        and f"{module.name}.{name}(" not in source
    ]
    assert untried == []
