"""Groups of people: made, filled, given permissions, joined and left, closed and opened again."""

from pathlib import Path
from typing import Any

from textual.widgets import Input

from tests.e2e.client import playing
from tests.e2e.dialogs import (
    actions,
    card,
    cursor_on,
    fill,
    form,
    line,
    page,
    refused,
    save,
    trouble,
    yes,
)
from tests.e2e.endpoints import uses
from tests.e2e.team import asked, team
from tests.live import Live, Person
from tui.screens.dialogs.card import Card
from tui.screens.dialogs.multi_select import MultiSelect


async def _group(person: Person, name: str) -> dict[str, Any]:
    answer = await person.get("user_groups", include_deactivated_groups=True)
    group: dict[str, Any] = next(each for each in answer["user_groups"] if each["name"] == name)
    return group


@uses("POST /user_groups/create")
async def test_a_group_is_made(server: Live, tmp_path: Path) -> None:
    """A taken name is said in the form, and nothing typed is lost."""
    ann, ben, _ = await team(server)
    await ann.post("user_groups/create", name="board", description="", members=[ben.id])
    async with playing(server, ann, tmp_path) as a:
        await page(a, "user_groups")
        await a.press("n")
        await form(a)
        await fill(a, "name", "board")
        assert "already exists" in await refused(a)
        await fill(a, "name", "testers")
        await fill(a, "description", "They [b]test")
        a.app.screen.query_one("#field-members").focus()
        await a.press(*"ben")
        await a.sees(lambda: isinstance(a.app.screen, MultiSelect))
        await a.sees(lambda: a.app.screen.query_one(Input).value == "ben")
        await a.press("escape")
        await save(a)
        await a.sees(
            lambda: line(a, "testers").endswith("1 person · you are a member · They [b]test")
        )
    made = await _group(ann, "testers")
    assert (made["members"], made["description"]) == ([ann.id], "They [b]test")


@uses(
    "POST /user_groups/{user_group_id}/subgroups",
    "GET /user_groups/{user_group_id}/members",
    "GET /user_groups/{user_group_id}/subgroups",
)
async def test_everybody_of_another_group_is_in_a_group(server: Live, tmp_path: Path) -> None:
    """The card says who is in it, and through what."""
    ann, ben, _ = await team(server)
    await ann.post("user_groups/create", name="board", description="", members=[ben.id])
    await ann.post("user_groups/create", name="testers", description="", members=[ann.id])
    async with playing(server, ann, tmp_path) as a:
        await page(a, "user_groups")
        await cursor_on(a, "testers")
        await a.press("m")
        await form(a)
        await fill(a, "parts", "board")
        await save(a)
        await a.sees(lambda: "1 person and board" in line(a, "testers"))
        await a.press("enter")
        await a.sees(lambda: isinstance(a.app.screen, Card) and "Through board" in card(a))
        assert "Ben" in card(a)


@uses("POST /user_groups/{user_group_id}/members")
async def test_people_and_groups_of_a_group_change_together(server: Live, tmp_path: Path) -> None:
    """Ben comes and a group goes, in one request."""
    ann, ben, _ = await team(server)
    board = await ann.post("user_groups/create", name="board", description="", members=[ben.id])
    parts = [board["group_id"]]
    await ann.post(
        "user_groups/create", name="testers", description="", members=[ann.id], subgroups=parts
    )
    async with playing(server, ann, tmp_path) as a:
        await page(a, "user_groups")
        await cursor_on(a, "testers")
        await a.press("m")
        await form(a)
        await fill(a, "members", "Ben")
        await fill(a, "parts", "board")
        await save(a)
        await a.sees(lambda: "2 people · you" in line(a, "testers"))
    made = await _group(ann, "testers")
    assert (set(made["members"]), made["direct_subgroup_ids"]) == ({ann.id, ben.id}, [])


@uses("PATCH /user_groups/{user_group_id}")
async def test_a_group_gets_another_name_and_permissions(server: Live, tmp_path: Path) -> None:
    """Who may mention it is chosen among the groups there are; the rest stays as it was."""
    ann, _, _ = await team(server)
    await ann.post("user_groups/create", name="testers", description="", members=[ann.id])
    async with playing(server, ann, tmp_path) as a:
        await page(a, "user_groups")
        await cursor_on(a, "testers")
        await a.press("e")
        await form(a)
        await fill(a, "name", "checkers")
        await fill(a, "can_mention_group", "moderators")
        await save(a)
        await a.sees(lambda: bool(line(a, "checkers")))
        now = await _group(ann, "checkers")
        moderators = await _group(ann, "role:moderators")
        assert now["can_mention_group"] == moderators["id"]


@uses("PATCH /user_groups/{user_group_id}", "POST /user_groups/{user_group_id}/deactivate")
async def test_a_group_is_closed_after_a_question_and_opened_again(
    server: Live, tmp_path: Path
) -> None:
    """One that is in use stays, and the page says so."""
    ann, _, _ = await team(server)
    made = await ann.post("user_groups/create", name="testers", description="", members=[ann.id])
    moderators = await _group(ann, "role:moderators")
    async with playing(server, ann, tmp_path) as a:
        await page(a, "user_groups")
        await cursor_on(a, "testers")
        await ann.patch("realm", can_create_groups={"new": made["group_id"]})
        await a.press("d")
        assert "can be reactivated" in await yes(a)
        await a.sees(lambda: "in use" in trouble(a))
        await ann.patch("realm", can_create_groups={"new": moderators["id"]})
        await a.press("d")
        await yes(a)
        await a.sees(lambda: not line(a, "testers"))
        await a.press("h")
        await cursor_on(a, "testers")
        assert line(a, "testers").startswith("testers deactivated")
        await a.press("d")
        await a.sees(lambda: not line(a, "testers").startswith("testers deactivated"))


async def test_a_member_joins_and_leaves_where_they_may(server: Live, tmp_path: Path) -> None:
    """Only what one may do is offered, and follows what others change meanwhile."""
    ann, ben, _ = await team(server)
    made = await ann.post("user_groups/create", name="testers", description="", members=[ann.id])
    path = f"user_groups/{made['group_id']}"
    async with playing(server, ben, tmp_path) as b:
        await page(b, "user_groups")
        await cursor_on(b, "testers")
        for act in ("join", "edit", "members", "deactivate "):
            assert act not in actions(b)
        nobody = await _group(ann, "role:nobody")
        members = await _group(ann, "role:members")
        await ann.patch(path, can_join_group={"new": members["id"]})
        await b.sees(lambda: "join" in actions(b))
        await b.press("j")
        await b.sees(lambda: "you are a member" in line(b, "testers"))
        assert "leave" in actions(b)
        await b.press("j")
        await b.sees(lambda: "you are a member" not in line(b, "testers"))
        await ann.patch(path, can_join_group={"new": nobody["id"]})
        await b.sees(lambda: "join" not in actions(b))
        await cursor_on(b, "moderators")
        await b.press("enter")
        await asked(b)
        await b.sees(lambda: isinstance(b.app.screen, Card))
