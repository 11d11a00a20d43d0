"""Files that are too many, too large or too slow, over real sockets: each costs little, and there is a quota."""

import asyncio
import tracemalloc
from base64 import b64encode
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson

from server_lite.config import Timing
from server_lite.store.uploads import SLICE
from server_lite.web.identicons import pattern
from tests.live import UNLIMITED, Live, Person, live, until

MIB = 1024 * 1024
HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
TAIL = b"\r\n--x--\r\n"


class RawUpload:
    """A request with a file that is sent as the test wishes, on a socket of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def push(self, data: bytes) -> None:
        """Send this now."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> dict[str, Any]:
        """What the server says; it hangs up then."""
        async with asyncio.timeout(20):
            _, _, body = (await self.reader.read()).partition(b"\r\n\r\n")
        await self.hang_up()
        answer: dict[str, Any] = orjson.loads(body)
        return answer

    async def hang_up(self) -> None:
        """Be gone, whatever was still to be sent."""
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


async def begun(server: Live, person: Person, size: int, path: str = "user_uploads") -> RawUpload:
    """The head of a request for a file of `size` bytes."""
    parts = urlsplit(server.url)
    sending = RawUpload(*await asyncio.open_connection(parts.hostname, parts.port))
    key = b64encode(f"{person.email}:{person.key}".encode())
    await sending.push(
        b"POST /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Authorization: Basic %s\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (path.encode(), key, len(HEAD) + size + len(TAIL), HEAD)
    )
    return sending


async def upload(person: Person, data: bytes, **headers: str) -> dict[str, Any]:
    """One file, sent whole."""
    response = await person.http.post("user_uploads", files={"f": ("a", data)}, headers=headers)
    answer: dict[str, Any] = response.json()
    return answer


def unfinished(server: Live) -> int:
    """Files that are on their way."""
    count: int = server.app.database.reader.value(
        "SELECT count(*) FROM upload WHERE NOT is_complete"
    )
    return count


async def test_uploads_at_once_are_not_held_in_memory(tmp_path: Path) -> None:
    """Of twelve files that come at once, each holds a slice and what is on its way, not the file."""
    size, count = 4 * MIB, 12
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        sendings = [await begun(server, ann, size) for _ in range(count)]
        part = b"z" * 65_536
        with ExitStack() as stack:
            tracemalloc.start()
            stack.callback(tracemalloc.stop)
            for _ in range(size // len(part)):  # all of them together, part by part
                await asyncio.gather(*(sending.push(part) for sending in sendings))
            peak = tracemalloc.get_traced_memory()[1]
        await asyncio.gather(*(sending.push(TAIL) for sending in sendings))
        answers = await asyncio.gather(*(sending.answer() for sending in sendings))
        assert {answer["result"] for answer in answers} == {"success"}
        assert peak < count * 5 * SLICE
        assert (await ann.get("attachments"))["upload_space_used"] == count * size
        read = await ann.http.get(f"{server.url}{answers[3]['url']}")
        assert read.content == part * (size // len(part))


async def test_a_quota_holds_for_files_on_their_way(tmp_path: Path) -> None:
    """Room is taken when a file begins to come, and is free again when it fails."""
    limits = replace(UNLIMITED, uploads_together=2 * MIB)
    async with live(tmp_path, limits=limits) as server:
        ann, ben = await server.person("Ann"), await server.person("Ben")
        assert (await ann.post("register"))["realm_upload_quota_mib"] == 2
        coming = await begun(server, ann, MIB)
        await until(lambda: unfinished(server) == 1)
        refused = await upload(ben, b"b" * (MIB + 1))
        assert (refused["code"], refused["msg"]) == (
            "REALM_UPLOAD_QUOTA",
            "Upload would exceed your organization's upload quota.",
        )
        await coming.hang_up()
        await until(lambda: unfinished(server) == 0)
        assert (await upload(ben, b"b" * (MIB + 1)))["result"] == "success"


async def test_a_person_has_a_quota(tmp_path: Path) -> None:
    """One person does not use up what is there for all; what they delete is theirs again."""
    limits = replace(UNLIMITED, uploads_per_person=MIB)
    async with live(tmp_path, limits=limits) as server:
        ann, ben = await server.person("Ann"), await server.person("Ben")
        assert (await upload(ann, b"a" * 600_000))["result"] == "success"
        refused = await upload(ann, b"a" * 600_000)
        assert refused["msg"] == (
            "Upload would exceed your upload quota of 1 MiB. Delete files that you do not need."
        )
        assert (await upload(ben, b"a" * 600_000))["result"] == "success"
        (file,) = (await ann.get("attachments"))["attachments"]
        await ann.delete(f"attachments/{file['id']}")
        assert (await upload(ann, b"a" * 600_000))["result"] == "success"


async def test_a_file_sent_again_needs_no_room(tmp_path: Path) -> None:
    """Whose answer got lost is told it again, also when the file filled the quota; another is not."""
    limits = replace(UNLIMITED, uploads_per_person=MIB)
    async with live(tmp_path, limits=limits) as server:
        ann = await server.person("Ann")
        answers = [await upload(ann, b"a" * 600_000, **{"Idempotency-Key": "k"}) for _ in "12"]
        assert answers[0] == answers[1]
        other = await upload(ann, b"b" * 600_000, **{"Idempotency-Key": "k"})
        assert other["msg"] == "This Idempotency-Key was used for another request."


async def test_an_upload_that_ends_early_is_no_file(tmp_path: Path) -> None:
    """A body without its last line is refused, and nothing of it is kept."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        sending = await begun(server, ann, 100)
        await sending.push(b"z" * (100 + len(TAIL)))
        assert (await sending.answer())["msg"] == "The multipart body cannot be read."
        assert unfinished(server) == 0
        assert (await ann.get("attachments"))["attachments"] == []


async def test_a_picture_comes_in_its_time(tmp_path: Path) -> None:
    """Pictures are read whole, two at once: who dawdles is sent away, and the next one's turn comes."""
    async with live(tmp_path, timing=Timing(picture=0.2)) as server:
        ann, ben = await server.person("Ann"), await server.person("Ben")
        slow = [await begun(server, ann, 1000, "users/me/avatar") for _ in range(3)]
        answer = await ben.http.post("users/me/avatar", files={"f": ("a.png", pattern("ben", 20))})
        assert answer.status_code == 200
        assert {(await one.answer())["code"] for one in slow} == {"REQUEST_TIMEOUT"}


async def test_fields_behind_a_file_count(tmp_path: Path) -> None:
    """A form sends its fields in any order."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        fields = b"".join(
            b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\nrobot\r\n' % name
            for name in (b"full_name", b"short_name")
        )
        body = HEAD + pattern("robot", 20) + b"\r\n" + fields + b"--x--\r\n"
        made = await ann.http.post(
            "bots", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"}
        )
        assert made.json()["result"] == "success"
        assert "/user_avatars/" in made.json()["avatar_url"]
