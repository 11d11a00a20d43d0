"""Looking after people: new accounts, roles, profiles, closing an account and opening it again."""

from pathlib import Path

from server_lite.store.users import Role
from tests.e2e.client import playing
from tests.e2e.dialogs import (
    actions,
    card,
    cursor_on,
    fill,
    form,
    line,
    lines,
    page,
    refused,
    save,
    trouble,
    typed,
    yes,
)
from tests.e2e.endpoints import uses
from tests.e2e.team import asked, team
from tests.live import Live
from tui.screens.dialogs.card import Card
from tui.screens.dialogs.listing import ListDialog


@uses("POST /users", "PATCH /users/{user_id}")
async def test_an_owner_makes_an_account_and_gives_a_role(server: Live, tmp_path: Path) -> None:
    """A taken address is said in the form, with nothing lost; the last owner stays one."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "users")
        await a.press("n")
        await form(a)
        await fill(a, "name", "Cleo")
        await fill(a, "email", "ben@example.com")
        await fill(a, "password", "very long and secret")
        await fill(a, "role", "moderator")
        assert "already" in await refused(a)
        await fill(a, "email", "cleo@example.com")
        await save(a)
        await a.sees(lambda: line(a, "Cleo") == "Cleo moderator not seen lately cleo@example.com")
        await cursor_on(a, "Ann")
        await a.press("r")
        await asked(a)
        await typed(a, "member")
        await a.sees(lambda: "only organization owner" in trouble(a))
        assert line(a, "Ann").startswith("Ann owner")
    answer = await server.client().post(
        "fetch_api_key", data={"username": "cleo@example.com", "password": "very long and secret"}
    )
    assert answer.json()["email"] == "cleo@example.com"


@uses("PATCH /users/{user_id}", "POST /users/{user_id}/status", "GET /users/{user_id}/channels")
async def test_an_administrator_edits_somebodys_profile(server: Live, tmp_path: Path) -> None:
    """Name, status and the organization's own questions; then the card says so, channels too."""
    ann, ben, _ = await team(server)
    made = await ann.post("realm/profile_fields", name="Desk", field_type=1)
    choice = await ann.post(
        "realm/profile_fields",
        name="Team",
        field_type=3,
        field_data={"a": {"text": "Design", "order": "1"}, "b": {"text": "Sales", "order": "2"}},
    )
    async with playing(server, ann, tmp_path) as a:
        await page(a, "users")
        await cursor_on(a, "Ben")
        await a.press("e")
        await form(a)
        await fill(a, "name", "Benjamin")
        await fill(a, "status", "new here")
        await fill(a, f"profile-{made['id']}", "4th floor")
        await fill(a, f"profile-{choice['id']}", "Sales")
        await save(a)
        await a.sees(lambda: bool(line(a, "Benjamin")))
        known = a.screen.account.session.store
        await a.sees(lambda: ben.id in known.statuses.by_user)
        await cursor_on(a, "Benjamin")
        await a.press("enter")
        await a.sees(lambda: isinstance(a.app.screen, Card))

        await a.sees(lambda: "Sales" in card(a))
        await a.sees(lambda: "4th floor" in card(a) and "new here" in card(a))
        await a.press("right")
        await a.sees(lambda: "#design" in card(a))
        await a.press("d")
        await a.sees(lambda: a.app.screen is a.screen)
    profile = await ben.get("users/me")
    assert profile["profile_data"][str(choice["id"])]["value"] == "b"


@uses("DELETE /users/{user_id}", "POST /users/{user_id}/reactivate")
async def test_an_account_is_closed_after_a_question_and_opened_again(
    server: Live, tmp_path: Path
) -> None:
    """What happens is said before; closed accounts are hidden until they are asked for."""
    ann, ben, _ = await team(server)
    await ben.post("bots", full_name="Clock", short_name="clock", bot_type=1)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "users")
        await cursor_on(a, "Ben")
        await a.press("d")
        assert "Their bots are deactivated too: Clock." in await yes(a)
        await a.sees(lambda: not line(a, "Ben"))
        assert (await ben.get("users/me"))["status"] == 401
        await a.press("h")
        await a.sees(lambda: "deactivated" in line(a, "Ben"))
        await cursor_on(a, "Ben")
        await a.press("d")
        await a.sees(lambda: "deactivated" not in line(a, "Ben"))


async def test_a_member_sees_everybody_and_changes_nobody(server: Live, tmp_path: Path) -> None:
    """Only what one may do is offered; an administrator does not touch an owner."""
    ann, ben, _ = await team(server)
    dora = await server.person("Dora", role=Role.ADMINISTRATOR)
    async with playing(server, ben, tmp_path) as b:
        await page(b, "users")
        assert [line.split()[0] for line in lines(b)] == ["Ann", "Ben", "Dora"]
        await cursor_on(b, "Ann")
        offered = [words.replace("\xa0", " ").strip() for words in actions(b).split("   ") if words]
        assert offered == ["Enter open", "h show deactivated"]
        await b.press("n", "e", "r", "d")
        await b.pilot.pause()
        assert isinstance(b.app.screen, ListDialog)
    async with playing(server, dora, tmp_path) as d:
        await page(d, "users")
        await cursor_on(d, "Ann")
        assert "role" not in actions(d)
        await cursor_on(d, "Ben")
        assert "role" in actions(d)
    assert ann.id
