"""Pictures over the wire: uploaded, shown, told of, taken away."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from server_lite.store.uploads import SLICE
from server_lite.store.users import Role
from server_lite.web.identicons import pattern
from tests.live import Live, Person, live
from tests.unit.server_lite.test_image_header import png

PICTURE = pattern("me", 100)


async def upload(person: Person, data: bytes, path: str = "users/me/avatar") -> dict[str, Any]:
    """A new picture; the answer with its HTTP status."""
    response = await person.http.post(path, files={"file": ("me.gif", data, "text/html")})
    answer: dict[str, Any] = response.json()
    return {"status": response.status_code, **answer}


async def fetched(server: Live, url: str) -> httpx.Response:
    """What a browser that has not signed in gets."""
    return await server.client().get(f"{server.url}{url}")


async def test_a_new_picture_is_seen_by_everybody(tmp_path: Path) -> None:
    """I upload a picture of several slices; others are told where it is, and take it away again."""
    large = PICTURE + bytes(2 * SLICE)
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        queue = await bob.post("register")
        answer = await upload(ann, large)
        (event,) = await bob.events(queue)
        url, version = answer["avatar_url"], event["person"]["avatar_version"]
        assert event["person"] == {
            "user_id": ann.id,
            "avatar_source": "U",
            "avatar_url": url,
            "avatar_url_medium": url.replace(".png", "-medium.png"),
            "avatar_version": 2,
        }
        for shown in (url, event["person"]["avatar_url_medium"]):
            picture = await fetched(server, shown)
            assert (picture.content, picture.headers["content-type"]) == (large, "image/png")
        shown = (await bob.get(f"users/{ann.id}"))["user"]
        assert (shown["avatar_url"], shown["avatar_version"]) == (url, version)
        me = await ann.post("register")
        assert (me["avatar_source"], me["avatar_url"]) == ("U", url)
        gone = await ann.delete("users/me/avatar")
        (event,) = await bob.events(queue)
        assert event["person"]["avatar_source"] == "G"
        assert gone["avatar_url"] == event["person"]["avatar_url"] == f"/avatar/{ann.id}?version=3"
        assert (await fetched(server, url)).status_code == 404
        await ann.delete("users/me/avatar")
        assert not await bob.events(queue)


async def test_a_second_picture_replaces_the_first(tmp_path: Path) -> None:
    """A picture has a new address each time, and nothing is left of the old one."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        first = (await upload(ann, PICTURE))["avatar_url"]
        second = (await upload(ann, PICTURE))["avatar_url"]
        assert first != second
        assert (await fetched(server, first)).status_code == 404
        assert (await fetched(server, second)).content == PICTURE
        stored = server.app.database.reader
        assert stored.value("SELECT count(*) FROM avatar") == 1
        assert stored.value("SELECT count(*) FROM avatar_slice") == 1


async def test_the_address_by_number_wants_a_key(tmp_path: Path) -> None:
    """Who has a key is led from my number to my picture; a stranger sees what is drawn."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        url = (await upload(ann, PICTURE))["avatar_url"]
        here = f"{server.url}/avatar/{ann.id}"
        led = await bob.http.get(f"{here}/medium")
        assert (led.status_code, led.headers["location"]) == (
            302,
            url.replace(".png", "-medium.png"),
        )
        drawn = await server.client().get(here)
        assert (drawn.status_code, drawn.content) == (200, pattern(str(ann.id), 100))
        wrong = await server.client(auth=(bob.email, "x" * 32)).get(here)
        assert wrong.status_code == 401


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<html>", "Could not decode image"),
        (png(20_000, 20_000), "Image size exceeds limit"),
        (PICTURE + bytes(5 * 1024 * 1024), "larger than the allowed limit of 5 MiB"),
    ],
    ids=["a page", "many pixels", "many bytes"],
)
async def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    """A page, a picture that fills the memory, a huge file: one sentence, and nothing changed."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        answer = await upload(ann, data)
        assert (answer["status"], said in answer["msg"]) == (400, True), answer
        nothing = await ann.post("users/me/avatar")
        assert (nothing["status"], nothing["msg"]) == (400, "You must upload exactly one avatar.")
        assert (await ann.get("users/me"))["avatar_version"] == 1


async def test_pictures_stay_where_the_organization_says_so(tmp_path: Path) -> None:
    """Where pictures may not be changed, only administrators change theirs."""
    async with live(tmp_path) as server:
        root, ann = await server.person("Root", role=Role.OWNER), await server.person("Ann")
        await upload(ann, PICTURE)
        await root.patch("realm", avatar_changes_disabled=True)
        refused = [await upload(ann, PICTURE), await ann.delete("users/me/avatar")]
        for answer in refused:
            assert (answer["status"], answer["msg"]) == (
                400,
                "Avatar changes are disabled in this organization.",
            )
        assert (await upload(root, PICTURE))["status"] == 200


async def test_a_bot_is_made_with_its_picture(tmp_path: Path) -> None:
    """A bot's picture comes with it, or later from who looks after it; it stays when it is closed."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        made = await ann.http.post(
            "bots",
            data={"full_name": "Bot", "short_name": "bot"},
            files={"file": ("b.png", PICTURE, "image/png")},
        )
        bot, url = made.json()["user_id"], made.json()["avatar_url"]
        assert (await fetched(server, url)).content == PICTURE
        other = pattern("other", 100)
        file = {"file": ("b.png", other, "image/png")}
        assert (await bob.http.patch(f"bots/{bot}", files=file)).status_code == 400
        changed = (await ann.http.patch(f"bots/{bot}", files=file)).json()["avatar_url"]
        await ann.delete(f"bots/{bot}")
        assert (await bob.get(f"users/{bot}"))["user"]["avatar_url"] == changed
        assert (await fetched(server, changed)).content == other


async def test_a_guest_does_not_see_the_picture_of_a_stranger(tmp_path: Path) -> None:
    """Whom a guest does not know has a drawn picture, by their messages and by their number."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann = await server.person("Ann")
        gus = await server.person("Gus", role=Role.GUEST)
        made = await root.post("channels/create", name="open", subscribers=[root.id, gus.id])
        groups = (await root.get("user_groups"))["user_groups"]
        members = next(one["id"] for one in groups if one["name"] == "role:members")
        await root.patch("realm", can_access_all_users_group={"new": members})
        await upload(ann, PICTURE)
        sent = await ann.post("messages", type="stream", to=made["id"], topic="t", content="hi")
        message = (await gus.get(f"messages/{sent['id']}"))["message"]
        assert message["avatar_url"] == f"/avatar/{ann.id}?version=1"
        assert (await gus.http.get(f"{server.url}/avatar/{ann.id}")).status_code == 200
