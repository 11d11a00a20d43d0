"""Video calls at whatever provider the organization chose, on Chinwag's server and on full ones."""

from dataclasses import replace

import httpx
import pytest

from tests import eg
from tests.unit.tui.sync.script import Audience, FakeEnvironment, Script, success
from tui.api.snapshot import VideoProvider
from tui.commands import calls
from tui.errors import ApiRefused, ConfigError
from tui.store import Store
from tui.sync.machine import Sync

PROVIDERS = {
    "disabled": VideoProvider(id=0, name="None"),
    "zoom": VideoProvider(id=3, name="Zoom"),
    "tin_cans": VideoProvider(id=42, name="Tin Cans"),
}


async def _call(script: Script, provider: int, answer: httpx.Response, *paths: str) -> str:
    snapshot = eg.snapshot(video_providers=PROVIDERS, jitsi_server_url="https://meet.example")
    realm = replace(snapshot.realm, video_chat_provider=provider, jitsi_server_url=None)
    for path in paths:
        script.on(f"POST /calls/{path}/create", lambda _: answer)
    sync = Sync(script.connection, Audience(), environment=FakeEnvironment().environment())
    sync.store_if_any = Store.from_snapshot(replace(snapshot, realm=realm))
    return await calls.create(sync, "tea")


MISSING = httpx.Response(404, html="<title>Page not found</title>")


async def test_a_room_of_the_servers_own_jitsi() -> None:
    """A full server has no endpoint for it: the room's name is made up here."""
    script = Script(eg.snapshot())
    assert (await _call(script, 1, MISSING, "jitsi")).startswith("https://meet.example/")


async def test_a_provider_is_asked_under_the_name_that_the_server_lists() -> None:
    """Also one that this client never heard of; where there is no way, that is said in words."""
    script = Script(eg.snapshot())
    assert await _call(script, 42, success(url="https://x"), "tin_cans") == "https://x"
    with pytest.raises(ConfigError, match="cannot start calls with Tin Cans from here"):
        await _call(script, 42, MISSING, "tin_cans")
    with pytest.raises(ConfigError, match="Video calls are turned off"):
        await _call(script, 0, MISSING)


async def test_an_account_has_to_be_connected_first() -> None:
    """A full server says only that there is none: the page for it is the server's."""
    no = {
        "result": "error",
        "msg": "Invalid Zoom access token",
        "code": "INVALID_ZOOM_ACCESS_TOKEN",
    }
    script = Script(eg.snapshot())
    with pytest.raises(ApiRefused) as caught:
        await _call(script, 3, httpx.Response(400, json=no), "zoom")
    page = caught.value.data["authorize_url"]
    assert page == f"{script.connection.base_url.text}/calls/zoom/register"
