"""Files over the wire: uploaded, shared by a message, read by those who may, and by nobody else."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from server_lite.store.uploads import SLICE
from server_lite.web.identicons import pattern
from tests.live import Live, Person, live


async def _upload(person: Person, name: str, data: bytes, kind: str) -> dict[str, Any]:
    response = await person.http.post("user_uploads", files={"file": (name, data, kind)})
    answer: dict[str, Any] = response.json()
    return answer


def _address(server: Live, uploaded: dict[str, Any]) -> str:
    return f"{server.url}{uploaded['url']}"


async def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    """A file of several slices is read whole, in part, and from a minute's address without a key."""
    data = bytes(range(256)) * (SLICE // 256) * 2 + b"the end"
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        uploaded = await _upload(ann, "héllo wörld.bin", data, "application/x-thing")
        assert uploaded["url"].endswith("/héllo-wörld.bin")
        whole = await ann.http.get(_address(server, uploaded))
        assert whole.content == data
        assert whole.headers["content-disposition"].startswith("attachment")
        part = await ann.http.get(
            _address(server, uploaded), headers={"range": f"bytes={SLICE - 2}-{SLICE + 1}"}
        )
        assert (part.status_code, part.content) == (206, data[SLICE - 2 : SLICE + 2])
        tail = await ann.http.get(_address(server, uploaded), headers={"range": "bytes=-7"})
        assert tail.content == b"the end"
        beyond = await ann.http.get(_address(server, uploaded), headers={"range": "bytes=9999999-"})
        assert beyond.status_code == 416
        temporary = (await ann.get(uploaded["url"].removeprefix("/")))["url"]
        stranger = server.client()
        opened = await stranger.get(f"{server.url}{temporary}")
        assert opened.content == data
        forged = temporary.replace("temporary/", "temporary/A", 1)
        assert (await stranger.get(f"{server.url}{forged}")).status_code == 403


async def test_only_readers_of_the_message_open_the_file(tmp_path: Path) -> None:
    """A file in a private conversation is closed to others, and to me when the message is gone."""
    async with live(tmp_path) as server:
        ann, bob, eve = [await server.person(name) for name in ("Ann", "Bob", "Eve")]
        uploaded = await _upload(ann, "a.txt", b"secret", "text/plain")
        address = _address(server, uploaded)
        assert (await bob.http.get(address)).status_code == 404
        sent = await ann.post(
            "messages", type="direct", to=[bob.id], content=f"[a]({uploaded['url']})"
        )
        assert (await bob.http.get(address)).text == "secret"
        stolen = f"[mine]({uploaded['url']})"
        await eve.post("messages", type="direct", to=[eve.id], content=stolen)
        assert (await eve.http.get(address)).status_code == 404
        assert (await server.client().get(address)).status_code == 403
        assert (await server.client().get(f"{address}x")).status_code == 403
        await ann.delete(f"messages/{sent['id']}")
        assert (await bob.http.get(address)).status_code == 404


async def test_what_could_run_is_only_a_download(tmp_path: Path) -> None:
    """An uploaded page or drawing cannot run in the browser of who opens it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        for kind, shown in (
            ("text/html", False),
            ("image/svg+xml", False),
            ("image/png x", False),
            ("image/png", True),
        ):
            uploaded = await _upload(ann, "../../x.html", b"<script>", kind)
            assert ".." not in uploaded["url"]
            response = await ann.http.get(_address(server, uploaded))
            headers = response.headers
            assert headers["x-content-type-options"] == "nosniff"
            assert "sandbox" in headers["content-security-policy"]
            disposition = "inline" if shown else "attachment"
            assert headers["content-disposition"].startswith(disposition)
            assert headers["content-type"] == ("image/png" if shown else "application/octet-stream")


async def test_my_files_are_listed_and_deleted(tmp_path: Path) -> None:
    """I see which messages link my files, as it changes, and can take a file back."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await ann.post("register", event_types=["attachment"])
        uploaded = await _upload(ann, "a.txt", b"12345", "text/plain")
        sent = await ann.post(
            "messages", type="direct", to=[bob.id], content=f"[a]({uploaded['url']})"
        )
        listed = await ann.get("attachments")
        (mine,) = listed["attachments"]
        assert (mine["size"], mine["message_ids"]) == (5, [sent["id"]])
        assert listed["upload_space_used"] == 5
        refused = await bob.delete(f"attachments/{mine['id']}")
        assert refused["msg"] == "Invalid attachment"
        await ann.patch(f"messages/{sent['id']}", content="no link")
        await ann.delete(f"attachments/{mine['id']}")
        assert (await ann.http.get(_address(server, uploaded))).status_code == 404
        added, linked, unlinked, removed = await ann.events(queue)
        assert added["attachment"] == {**mine, "message_ids": []}
        assert linked["attachment"] == mine
        assert unlinked["attachment"]["message_ids"] == []
        assert (removed["attachment"], removed["upload_space_used"]) == ({"id": mine["id"]}, 0)


async def test_a_file_that_is_deleted_while_it_is_read_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Who reads it sees that something is missing, and the server logs no failure of its own."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        uploaded = await _upload(ann, "a.bin", bytes(SLICE + 1), "application/x-thing")
        await server.app.database.write(
            lambda tx: tx.run("DELETE FROM upload_slice WHERE number = 1")
        )
        with pytest.raises(httpx.RemoteProtocolError):
            await ann.http.get(_address(server, uploaded))
        assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_file_sent_again_is_there_once(tmp_path: Path) -> None:
    """When the answer to my upload got lost, sending it again gives the first one's address."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")

        async def send(data: bytes, key: str = "one") -> dict[str, Any]:
            response = await ann.http.post(
                "user_uploads",
                files={"file": ("a.txt", data, "text/plain")},
                headers={"idempotency-key": key},
            )
            answer: dict[str, Any] = response.json()
            return answer

        first, at_once = await asyncio.gather(send(b"hello"), send(b"hello"))
        again = await send(b"hello")
        assert first["url"] == at_once["url"] == again["url"]
        assert (await send(b"other"))["result"] == "error"
        assert (await send(b"hello", "two"))["url"] != first["url"]
        assert len((await ann.get("attachments"))["attachments"]) == 2
        assert server.app.database.reader.value("SELECT count(*) FROM upload") == 2


async def test_a_linked_image_has_its_size(tmp_path: Path) -> None:
    """My client knows how much room an image needs before it loads it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        image = await _upload(ann, "a.png", pattern("x", 120), "image/png")
        broken = await _upload(ann, "b.png", b"not one", "image/png")
        content = f"![a]({image['url']}) and [b]({broken['url']})"
        shown = (await ann.post("messages/render", content=content))["rendered"]
        assert 'data-original-dimensions="120x120"' in shown
        assert shown.count("data-original-dimensions") == 1
