"""The organization's own emoji over the wire: added, used, taken away."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from server_lite.access.emoji import BadImage, extension_of
from server_lite.store.users import Role
from server_lite.web.identicons import pattern
from tests.live import Live, Person, live
from tests.unit.server_lite.test_image_header import gif, jpeg

PNG = pattern("blob", 20)
EACH = {"individual_emoji_changes": True}


async def add(person: Person, name: str, image: bytes = PNG) -> dict[str, Any]:
    """Upload an emoji."""
    response = await person.http.post(f"realm/emoji/{name}", files={"f": ("a.svg", image)})
    answer: dict[str, Any] = response.json()
    return answer | {"status": response.status_code}


async def seen(person: Person) -> dict[str, Any]:
    """The emoji that a new client of this person knows."""
    state = await person.post("register", fetch_event_types=["realm_emoji"])
    emoji: dict[str, Any] = state["realm_emoji"]
    return emoji


async def test_an_emoji_comes_and_goes(tmp_path: Path) -> None:
    """New clients are told of the one emoji, old ones of all; both know the same in the end."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        old = await bob.post("register", event_types=["realm_emoji"])
        new = await bob.post("register", event_types=["realm_emoji"], client_capabilities=EACH)
        assert (await add(ann, "blob"))["result"] == "success"
        await add(ann, "blob2")
        await ann.delete("realm/emoji/blob")
        first, _, last = await bob.events(old)
        assert (first["op"], list(first["realm_emoji"])) == ("update", ["1"])
        assert last["realm_emoji"] == await seen(bob) == (await bob.get("realm/emoji"))["emoji"]
        known: dict[str, Any] = {}
        for event in await bob.events(new):
            if event["op"] == "add":
                known[event["emoji"]["id"]] = event["emoji"]
            else:
                assert event["op"] == "update_one"
                known[event["emoji_id"]] |= event["data"]
        assert known == await seen(bob)
        assert known["1"] == {
            "id": "1",
            "name": "blob",
            "source_url": "/user_avatars/1/emoji/images/1.png",
            "still_url": None,
            "deactivated": True,
            "author_id": ann.id,
        }


async def test_an_emoji_is_shown_and_used(tmp_path: Path) -> None:
    """Its image is in messages; it can be reacted with until it is taken away."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await add(ann, "blob")
        url = "/user_avatars/1/emoji/images/1.png"
        shown = await ann.post("messages/render", content=":blob:")
        assert f'src="{url}"' in shown["rendered"]
        image = await fetched(server, url)
        assert (image.content, image.headers["content-type"]) == (PNG, "image/png")
        assert image.headers["x-content-type-options"] == "nosniff"
        assert (await fetched(server, url.replace("png", "gif"))).status_code == 404
        assert (await fetched(server, "/user_avatars/1/emoji/images/9.png")).status_code == 404
        sent = await ann.post("messages", type="direct", to=[ann.id], content="hi")
        path = f"messages/{sent['id']}/reactions"
        assert (await ann.post(path, emoji_name="blob"))["result"] == "success"
        message = (await ann.get(f"messages/{sent['id']}"))["message"]
        (reaction,) = message["reactions"]
        assert (reaction["reaction_type"], reaction["emoji_code"]) == ("realm_emoji", "1")
        status = await ann.post("users/me/status", emoji_name="blob")
        assert status["result"] == "success"
        await ann.delete(path, emoji_name="blob")
        for asked, reason in (
            ({"emoji_name": "blob2", "emoji_code": "1"}, "Invalid custom emoji name."),
            ({"emoji_name": "blob", "emoji_code": "99"}, "Invalid emoji code"),
            ({"emoji_name": "blob", "emoji_code": "x" * 30}, "Invalid emoji code"),
        ):
            refused = await ann.post(path, **asked, reaction_type="realm_emoji")
            assert refused["msg"] == reason
        await ann.delete("realm/emoji/blob")
        refused = await ann.post(path, emoji_name="blob")
        assert refused["msg"] == "Emoji 'blob' does not exist"
        refused = await ann.post(
            path, emoji_name="blob", emoji_code="1", reaction_type="realm_emoji"
        )
        assert refused["msg"] == "This custom emoji has been deactivated."


async def fetched(server: Live, path: str) -> httpx.Response:
    """What somebody gets who is not signed in."""
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as http:
        return await http.get(path)


async def test_who_may_add_which_emoji(tmp_path: Path) -> None:
    """Guests add none, members replace no emoji that everybody knows, authors take theirs away."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        ann, bob = await server.person("Ann"), await server.person("Bob")
        gus = await server.person("Gus", role=Role.GUEST)
        assert (await add(gus, "x"))["msg"] == "Insufficient permission"
        refused = await add(ann, "smile")
        assert refused["msg"] == "Only administrators can override default emoji."
        assert (await add(root, "smile"))["result"] == "success"
        shown = await ann.post("messages/render", content=":smile:")
        assert "/user_avatars/" in shown["rendered"]
        await add(ann, "blob")
        refused = await bob.delete("realm/emoji/blob")
        assert refused["msg"] == "Must be an organization administrator or emoji author"
        assert (await root.delete("realm/emoji/blob"))["result"] == "success"
        gone = await ann.delete("realm/emoji/blob")
        assert (gone["status"], gone["code"], gone["msg"]) == (
            404,
            "BAD_REQUEST",
            "Emoji 'blob' does not exist",
        )


async def test_what_cannot_be_an_emoji_is_refused(tmp_path: Path) -> None:
    """Names that cannot be written, names in use, and files that are no images."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await add(ann, "blob")
        for name, image, reason in (
            ("blob", PNG, "A custom emoji with this name already exists."),
            ("-a", PNG, "Invalid characters in emoji name"),
            ("a:b", PNG, "Invalid characters in emoji name"),
            ("a" * 101, PNG, "emoji_name is too long"),
            ("big", PNG + bytes(1024 * 1024), "larger than the allowed limit of 1 MiB"),
        ):
            refused = await add(ann, name, image)
            assert (refused["status"], reason in refused["msg"]) == (400, True), refused
        assert (await ann.post("realm/emoji/none1"))["msg"] == "You must upload exactly one file."
        refused = await add(ann, "image1", b"<svg onload=alert(1)>")
        assert (refused["status"], refused["code"]) == (400, "BAD_IMAGE")
        assert list(await seen(ann)) == ["1"]


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (jpeg(9, 9), "jpg"),
        (gif(9, 9), "gif"),
        (b"RIFF\0\0\0\0WAVE", None),
        (b"", None),
    ],
)
def test_an_image_is_known_by_what_is_in_it(image: bytes, kind: str | None) -> None:
    """The name of a file says nothing about it."""
    if kind is None:
        with pytest.raises(BadImage):
            extension_of(image)
    else:
        assert extension_of(image) == kind
