"""The server is restored from a backup under clients that know more than it does."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from server_lite.cli.arguments import run
from server_lite.store.users import Role
from tests.faults.laptop import general, laptop
from tests.live import Live, Person, live, until
from tui.commands.outbox import RESTORED

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "drafts": ("drafts", {"drafts": [{"type": "", "to": [], "topic": "", "content": "d"}]}),
    "snippets": ("saved_snippets", {"title": "t", "content": "c"}),
    "groups": (
        "user_groups/create",
        {"name": "cooks", "description": "", "members": []},
    ),
    "folders": ("channel_folders/create", {"name": "folder", "description": ""}),
    "linkifiers": (
        "realm/filters",
        {"pattern": "#(?P<id>[0-9]+)", "url_template": "https://x/{id}"},
    ),
}
ID_NAMES = ("ids", "saved_snippet_id", "group_id", "channel_folder_id", "id")


async def restored(kept: Path, db: Path) -> None:
    """Put the backup in place of what is there."""
    words = ["restore", str(kept), "--db", str(db), "--force"]
    assert await asyncio.to_thread(run, words) == 0


async def backed_up(server: Live, kept: Path) -> None:
    words = ["backup", "--db", str(server.settings.db), str(kept)]
    assert await asyncio.to_thread(run, words) == 0


def again(ann: Person, server: Live) -> Person:
    """The same person with a connection to the server as it is now."""
    return replace(ann, http=server.client(auth=(ann.email, ann.key)))


async def numbers(ann: Person) -> dict[str, int]:
    """The number that the next thing of each kind is given."""
    number_by_kind: dict[str, int] = {}
    for kind, (path, parameters) in KINDS.items():
        answer = await ann.post(path, **parameters)
        value = next(answer[name] for name in ID_NAMES if name in answer)
        number_by_kind[kind] = value[0] if isinstance(value, list) else value
    tea = await general(ann)
    number_by_kind["channel"] = tea.channel_id
    sent = await ann.post("messages", type="stream", to="general", topic="t", content="hi")
    number_by_kind["message"] = sent["id"]
    return number_by_kind


async def test_no_number_is_given_twice(tmp_path: Path) -> None:
    """What I remember by its number is never somebody else's after the server was restored, twice over."""
    kept = tmp_path / "kept.db"
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await backed_up(server, kept)
        seen = [await numbers(ann) | {"person": (await server.person("Bob")).id}]
    for _ in range(2):
        await restored(kept, server.settings.db)
        async with live(tmp_path) as server:
            bob = await server.person("Bob")
            seen.append(await numbers(again(ann, server)) | {"person": bob.id})
    for kind in seen[0]:
        first, second, third = (each[kind] for each in seen)
        assert first + 999_000 < second, kind
        assert second + 999_000 < third, kind


async def test_what_was_queued_for_a_channel_waits_for_me_to_look(tmp_path: Path) -> None:
    """Messages that I wrote offline are not sent to whatever the restored server has by now."""
    kept = tmp_path / "kept.db"
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await general(ann)
        await backed_up(server, kept)
        there = laptop(server.url, ann, tmp_path / "laptop")
        client = await there.__aenter__()
    try:
        for text in ("one", "two", "three"):
            client.sending.send(tea, text)
    finally:
        await there.__aexit__(None, None, None)
    await restored(kept, server.settings.db)
    async with live(tmp_path) as server:
        ann = again(ann, server)
        async with laptop(server.url, ann, tmp_path / "laptop") as client:
            held = client.store.outbox.by_id
            await until(lambda: len(held) == 3 and not client.waiting)
            assert {each.error for each in held.values()} == {RESTORED}
            assert not (await ann.get("messages", anchor="newest", num_before=9, num_after=0))[
                "messages"
            ]
            for each in list(held.values()):
                client.sending.retry(each.local_id)
            await until(lambda: not held)
        page = await ann.get("messages", anchor="newest", num_before=9, num_after=0)
        assert [each["content"] for each in page["messages"]] == [
            f"<p>{text}</p>" for text in ("one", "two", "three")
        ]


async def test_a_draft_outlives_a_restore(tmp_path: Path) -> None:
    """A draft that the backup does not have yet is kept here, and the server gets it again."""
    kept = tmp_path / "kept.db"
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        tea = await general(ann)
        await backed_up(server, kept)
        async with laptop(server.url, ann, tmp_path / "laptop") as client:
            client.drafts.write(None, tea, "half a thought")
            await until(lambda: [d.synced for d in client.store.drafts.local.values()] != [None])
    await restored(kept, server.settings.db)
    async with live(tmp_path) as server:
        ann = again(ann, server)

        async def has_it() -> bool:
            return [d["content"] for d in (await ann.get("drafts"))["drafts"]] == ["half a thought"]

        async with laptop(server.url, ann, tmp_path / "laptop") as client:
            await until(has_it)
            (local,) = client.store.drafts.local.values()
            assert local.content == "half a thought"


async def test_a_send_for_another_generation_is_refused(tmp_path: Path) -> None:
    """A program that says which generation it knows is told when it is another one by now."""
    kept = tmp_path / "kept.db"
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await general(ann)
        known = (await ann.post("register"))["organization_generation"]
        await backed_up(server, kept)
    async with live(tmp_path) as server:
        ann = again(ann, server)
        assert (await ann.post("register"))["organization_generation"] == known
    await restored(kept, server.settings.db)
    async with live(tmp_path) as server:
        ann = again(ann, server)
        now = (await ann.post("register"))["organization_generation"]
        assert now not in ("", known)
        message = {"type": "stream", "to": "general", "topic": "t", "content": "hi"}
        outcomes = []
        for generation in (known, now):
            headers = {"Organization-Generation": generation}
            answer = await ann.http.post("messages", data=message, headers=headers)
            outcomes.append((answer.status_code, answer.json().get("code")))
        assert outcomes == [(409, "ORGANIZATION_GENERATION_CHANGED"), (200, None)]
