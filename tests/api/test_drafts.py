"""Drafts over the wire: what I begin on one client waits for me on the others."""

from pathlib import Path
from typing import Any

from tests.live import live

REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "stream", "to": []}, "Must specify exactly 1 channel ID for channel messages"),
    (
        {"type": "stream", "to": [1, 2]},
        "Must specify exactly 1 channel ID for channel messages",
    ),
    ({"type": "stream", "to": [77]}, "Invalid channel ID"),
    ({"type": "private", "to": [77]}, "Invalid user ID 77"),
    ({"type": "bogus"}, 'Invalid drafts[1]["type"]'),
    ({"to": "7"}, 'drafts[1]["to"] is not a list'),
    ({"content": "a\0b"}, "Content must not contain null bytes"),
    ({"topic": "a\0b"}, "Topic must not contain null bytes"),
    ({"content": "x" * 10_001}, "content is too long (limit: 10000 characters)"),
    ({"timestamp": -1}, "Timestamp must not be negative."),
)

UNADDRESSED: dict[str, Any] = {"type": "", "to": [], "topic": "", "content": "x"}


async def test_a_draft_follows_me(tmp_path: Path) -> None:
    """Begun, changed and sent on one client, it is the same on the other."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        channel = (await ann.post("channels/create", name="tea", subscribers=[ann.id]))["id"]
        mine = await ann.post("register", event_types=["drafts"])
        theirs = await bob.post("register", event_types=["drafts"])
        draft = {"type": "stream", "to": [channel], "topic": "green", "content": "hot?"}
        (draft_id,) = (await ann.post("drafts", drafts=[draft]))["ids"]
        await ann.patch(f"drafts/{draft_id}", draft={**UNADDRESSED, "timestamp": 5})
        await ann.delete(f"drafts/{draft_id}")
        added, updated, removed = await ann.events(mine)
        stored = added["drafts"][0]
        assert {**stored, "timestamp": 0} == {**draft, "id": draft_id, "timestamp": 0}
        assert updated["draft"] == {**UNADDRESSED, "id": draft_id, "timestamp": 5}
        assert removed["draft_id"] == draft_id
        assert await bob.events(theirs) == []
        assert (await ann.get("drafts"))["count"] == 0


async def test_a_draft_is_mine_alone(tmp_path: Path) -> None:
    """Nobody can change, delete or even notice the draft of somebody else."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        (draft_id,) = (await ann.post("drafts", drafts=[UNADDRESSED]))["ids"]
        for answer in (
            await bob.patch(f"drafts/{draft_id}", draft=UNADDRESSED),
            await bob.delete(f"drafts/{draft_id}"),
            await ann.delete("drafts/999"),
        ):
            assert (answer["status"], answer["msg"]) == (404, "Draft does not exist")
        assert (await ann.get("drafts"))["count"] == 1


async def test_what_no_draft_can_hold(tmp_path: Path) -> None:
    """A draft that cannot be kept is refused with a sentence, and nothing is stored."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        for changes, says in REFUSED:
            answer = await ann.post("drafts", drafts=[UNADDRESSED, {**UNADDRESSED, **changes}])
            assert (answer["status"], answer["msg"]) == (400, says)
        assert (await ann.get("drafts"))["count"] == 0
