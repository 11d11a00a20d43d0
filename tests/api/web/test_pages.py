"""What the server answers outside the API: pictures, emoji, and who may administer."""

import re
import struct
import zlib
from pathlib import Path

import httpx
import pytest

from server_lite.web.identicons import pattern
from tests.live import live


@pytest.mark.parametrize("size", [100, 200, 500])
def test_a_drawn_picture_is_a_png_of_its_size(size: int) -> None:
    """Every account has a picture that viewers can open, mirrored and its own."""
    data = pattern("7", size)
    assert struct.unpack(">II", data[16:24]) == (size, size)
    start = data.index(b"IDAT") + 4
    pixels = zlib.decompress(data[start : data.index(b"IEND") - 8])
    lines = [pixels[n : n + size + 1] for n in range(0, len(pixels), size + 1)]
    assert len(lines) == size
    assert {line[0] for line in lines} == {0}
    assert data != pattern("8", size)


async def test_pages_are_open_and_the_rest_is_not_there(tmp_path: Path) -> None:
    """Pictures and the emoji table need no key; anything else says so in JSON."""
    async with live(tmp_path) as server, httpx.AsyncClient(base_url=server.url) as http:
        picture = await http.get("/avatar/2/medium?version=1")
        assert picture.headers["content-type"] == "image/png"
        names = (await http.get("/static/emoji.json")).json()["code_to_names"]
        assert names["1f375"][0] == "tea"
        for path in ("/avatar/x", "/avatar/1/huge", "/static/../x", "/nothing"):
            assert (await http.get(path)).json()["code"] == "NOT_FOUND"


async def test_the_api_can_be_read(tmp_path: Path) -> None:
    """A browser shows what each endpoint takes and answers, and every link on the page leads somewhere."""
    patient = httpx.AsyncClient(timeout=30)  # the first request makes the page: a second of CPU
    async with live(tmp_path) as server, patient as http:
        http.base_url = httpx.URL(server.url)
        answer = await http.get("/api/")
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "script" not in answer.headers["content-security-policy"]
        assert (await http.post("/api/")).status_code == 405
    drafts = answer.text.partition('<article id="get_drafts">')[2].partition("</article>")[0]
    assert "<code>GET /drafts</code>" in drafts
    assert '<a href="#DraftObject">DraftObject</a>' in drafts
    targets = set(re.findall(r'href="#([^"]+)"', answer.text))
    assert targets <= set(re.findall(r'id="([^"]+)"', answer.text))


async def test_administration_needs_the_secret(tmp_path: Path) -> None:
    """Being on the same machine is not enough: one must be able to read the note."""
    command = {"command": "user_list", "arguments": {}}
    async with live(tmp_path) as server, httpx.AsyncClient(base_url=server.url) as http:
        await server.person("Ann")
        for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer guess"}):
            refused = await http.post("/administration", json=command, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "PERMISSION_DENIED")
        right = {"Authorization": f"Bearer {server.app.context.secret}"}
        answer = await http.post("/administration", json=command, headers=right)
        assert [user["full_name"] for user in answer.json()["users"]] == ["Ann"]
        for body in (b"[]", b"{", b'{"command": "user_add", "arguments": {"role": 1}}'):
            bad = await http.post("/administration", content=body, headers=right)
            assert bad.status_code == 400
