"""Saved snippets and views of the sidebar, over the wire."""

from pathlib import Path

from tests.live import live


async def test_a_snippet_is_kept_changed_and_thrown_away(tmp_path: Path) -> None:
    """Texts to use again follow me to my other clients, and are mine alone."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await ann.post("register", event_types=["saved_snippets"])
        made = await ann.post("saved_snippets", title=" hi ", content="hello")
        path = f"saved_snippets/{made['saved_snippet_id']}"
        await ann.patch(path, content="hello all")
        (listed,) = (await ann.get("saved_snippets"))["saved_snippets"]
        assert (listed["title"], listed["content"]) == ("hi", "hello all")
        refused = await bob.patch(path, title="x")
        assert (refused["status"], refused["msg"]) == (404, "Saved snippet does not exist.")
        assert (await ann.post("saved_snippets", title=" ", content="x"))["msg"] == (
            "Title cannot be empty."
        )
        await ann.delete(path)
        added, updated, removed = await ann.events(queue)
        assert added["saved_snippet"] == {**listed, "content": "hello"}
        assert updated["saved_snippet"] == listed
        assert removed["saved_snippet_id"] == listed["id"]


async def test_a_view_is_pinned_and_unpinned(tmp_path: Path) -> None:
    """My sidebar is the same everywhere; a narrow needs a name, a built-in view keeps its own."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        queue = await ann.post("register", event_types=["navigation_view"])
        narrow = "narrow/is/dm"
        assert "code" in await ann.post("navigation_views", fragment=narrow, is_pinned=True)
        await ann.post("navigation_views", fragment=narrow, is_pinned=True, name="mine")
        await ann.post("navigation_views", fragment="inbox", is_pinned=True)
        await ann.patch(f"navigation_views/{narrow}", is_pinned=False)
        refused = await ann.patch("navigation_views/inbox", name="x")
        assert refused["msg"] == "Built-in views cannot have a custom name"
        listed = (await ann.get("navigation_views"))["navigation_views"]
        assert listed == [
            {"fragment": "inbox", "is_pinned": True},
            {"fragment": narrow, "is_pinned": False, "name": "mine"},
        ]
        await ann.delete("navigation_views/inbox")
        assert (await ann.delete("navigation_views/inbox"))["status"] == 404
        events = await ann.events(queue)
        assert [event["op"] for event in events] == ["add", "add", "update", "remove"]
        assert events[2]["data"] == {"is_pinned": False}
