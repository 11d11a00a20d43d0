"""Linkifiers as administrators write them: tried while they are typed, put in order, deleted."""

from pathlib import Path

from server_lite.store.users import Role
from tests.e2e.client import playing
from tests.e2e.dialogs import (
    actions,
    cursor_on,
    fill,
    form,
    lines,
    page,
    preview,
    refused,
    save,
    yes,
)
from tests.e2e.endpoints import uses
from tests.live import Live


@uses("GET /realm/linkifiers", "POST /realm/filters", "PATCH /realm/filters/{filter_id}")
async def test_a_linkifier_is_tried_while_it_is_typed(server: Live, tmp_path: Path) -> None:
    """The link of the example and the way back are there before anything is saved."""
    ann = await server.person("Ann", role=Role.OWNER)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "linkifiers")
        await a.press("n")
        await form(a)
        await fill(a, "pattern", "#(?P<id>[0-9]+)")
        await fill(a, "url_template", "https://x.example/{id}")
        await fill(a, "example", "#12")
        await a.sees(lambda: preview(a) == "#12 → https://x.example/12")
        await fill(a, "reverse", "{id}")
        await a.sees(lambda: "reverse: 12, not the example" in preview(a))
        assert "reproduce the example" in await refused(a)
        await fill(a, "reverse", "#{id}")
        await fill(a, "alternatives", "https://old.example/{id}")
        await a.sees(lambda: "also from https://old.example/12\nreverse: #12 ✓" in preview(a))
        await save(a)
        await cursor_on(a, "#(?P<id>[0-9]+)  → https://x.example/{id}  ⇄")
        await a.press("enter")
        await form(a)
        await fill(a, "url_template", "https://y.example/{id}")
        await save(a)
        await cursor_on(a, "#(?P<id>[0-9]+)  → https://y.example/{id}")
        (made,) = (await ann.get("realm/linkifiers"))["linkifiers"]
        assert made["reverse_template"] == "#{id}"
        assert made["alternative_url_templates"] == ["https://old.example/{id}"]


@uses("PATCH /realm/linkifiers", "DELETE /realm/filters/{filter_id}")
async def test_linkifiers_are_put_in_order_and_deleted(server: Live, tmp_path: Path) -> None:
    """The one that is tried first is the first of the list; members look on."""
    ann, ben = await server.person("Ann", role=Role.OWNER), await server.person("Ben")
    for name in ("one", "two"):
        url = f"https://{name}.example/{{id}}"
        await ann.post("realm/filters", pattern=f"{name}(?P<id>[0-9]+)", url_template=url)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "linkifiers")
        await cursor_on(a, "two")
        await a.press("shift+up")
        await a.sees(lambda: [line[:3] for line in lines(a)] == ["two", "one"])
        await a.press("d")
        assert "keep the link" in await yes(a)
        await a.sees(lambda: [line[:3] for line in lines(a)] == ["one"])
    async with playing(server, ben, tmp_path) as b:
        await page(b, "linkifiers")
        assert [line[:3] for line in lines(b)] == ["one"]
        assert actions(b) == ""
