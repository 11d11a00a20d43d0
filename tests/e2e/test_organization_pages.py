"""What administrators keep for everybody: emoji, profile fields, playgrounds, domains, defaults."""

from pathlib import Path

from textual.widgets import Input, Static, TextArea

from server_lite.store.users import Role
from server_lite.web.identicons import pattern
from tests.e2e.client import playing
from tests.e2e.dialogs import (
    actions,
    choose_file,
    cursor_on,
    fill,
    form,
    lines,
    page,
    preview,
    refused,
    save,
    typed,
    yes,
)
from tests.e2e.endpoints import uses
from tests.e2e.team import team
from tests.live import Live
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.question import Question


@uses("GET /realm/emoji", "POST /realm/emoji/{emoji_name}", "DELETE /realm/emoji/{emoji_name}")
async def test_an_emoji_is_added_from_a_file_and_taken_away(server: Live, tmp_path: Path) -> None:
    """A name that is taken is said at once; a member takes away their own emoji only."""
    ann, ben = await server.person("Ann", role=Role.OWNER), await server.person("Ben")
    image = tmp_path / "Party Blob.png"
    image.write_bytes(pattern("blob", 20))
    await ann.http.post("realm/emoji/anns", files={"f": ("a.png", image.read_bytes())})
    async with playing(server, ben, tmp_path) as b:
        await page(b, "custom_emoji")
        assert lines(b) == [":anns:  by Ann"]
        assert "away" not in actions(b)
        await b.press("n")
        await choose_file(b, image)
        shown = await form(b)
        assert shown.query_one("#field-name", Input).value == "party_blob"
        await fill(b, "name", "anns")
        await b.sees(lambda: "already has :anns:" in preview(b))
        assert await refused(b) == "A custom emoji with this name already exists."
        await fill(b, "name", "octopus")
        await b.sees(lambda: "only administrators" in preview(b))
        await fill(b, "name", "blob")
        await save(b)
        await cursor_on(b, ":blob:  by Ben")
        await b.press("d")
        await yes(b)
        await b.sees(lambda: lines(b)[1:] == [":blob:  by Ben · removed"])


@uses(
    "GET /realm/profile_fields",
    "POST /realm/profile_fields",
    "PATCH /realm/profile_fields",
    "PATCH /realm/profile_fields/{field_id}",
    "DELETE /realm/profile_fields/{field_id}",
)
async def test_profile_fields_are_written_and_put_in_order(server: Live, tmp_path: Path) -> None:
    """A list of options can be changed without losing what people chose."""
    ann = await server.person("Ann", role=Role.OWNER)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "profile_fields")
        await a.press("n")
        await a.sees(lambda: isinstance(a.app.screen, Chooser))
        await typed(a, "list of options")
        await form(a)
        await fill(a, "name", "Team")
        assert await refused(a) == "Field must have at least one choice."
        await fill(a, "data", "red\nblue")
        await fill(a, "summary", True)
        await save(a)
        await cursor_on(a, "Team  list of options: red, blue · in the profile summary")
        (team,) = (await ann.get("realm/profile_fields"))["custom_fields"]
        await ann.patch("users/me/profile_data", data=[{"id": team["id"], "value": "1"}])

        await a.press("enter")
        shown = await form(a)
        assert shown.query_one("#field-data", TextArea).text == "red\nblue"
        await fill(a, "data", "blue\ngreen")
        await a.sees(lambda: "People who chose red" in preview(a))
        await fill(a, "required", True)
        await fill(a, "editable", False)
        await save(a)
        words = "list of options: blue, green · required · in the profile summary · only administrators can edit"
        await cursor_on(a, f"Team  {words}")
        me = await ann.get("users/me", include_custom_profile_fields=True)
        assert me["profile_data"][str(team["id"])]["value"] == "1"

        await ann.post("realm/profile_fields", field_type=4, name="Birthday")
        await cursor_on(a, "Birthday")
        await a.press("shift+up")
        await a.sees(lambda: lines(a)[0].startswith("Birthday"))
        await a.press("d")
        assert "cannot be undone" in await yes(a)
        await a.sees(lambda: len(lines(a)) == 1)


async def test_an_account_elsewhere_and_people_can_be_asked_for(
    server: Live, tmp_path: Path
) -> None:
    """The address of an account is checked, and can be corrected."""
    ann, ben = await server.person("Ann", role=Role.OWNER), await server.person("Ben")
    async with playing(server, ann, tmp_path) as a:
        await page(a, "profile_fields")
        for kind, name in (("account elsewhere", "Forge"), ("people", "Mentor")):
            await a.press("n")
            await a.sees(lambda: isinstance(a.app.screen, Chooser))
            await typed(a, kind)
            await form(a)
            await fill(a, "name", name)
            if kind == "account elsewhere":
                await fill(a, "data", "https://forge.example/")
                assert "must contain '%(username)s'" in await refused(a)
                await fill(a, "data", "https://forge.example/%(username)s")
            await save(a)
        await a.sees(lambda: [line.split()[0] for line in lines(a)] == ["Forge", "Mentor"])
    async with playing(server, ben, tmp_path) as b:
        await page(b, "profile_fields")
        assert actions(b) == ""


@uses("POST /realm/playgrounds", "DELETE /realm/playgrounds/{playground_id}")
async def test_a_playground_is_named_and_dropped(server: Live, tmp_path: Path) -> None:
    """Where code would lead is shown before it is saved; then code blocks lead there."""
    ann, ben, tea = await team(server)
    code = "```py\nprint(1)\n```"
    await ben.post("messages", type="stream", to="design", topic="tea", content=code)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await page(a, "playgrounds")
        await a.press("n")
        await form(a)
        await fill(a, "name", "Play")
        await fill(a, "language", "Python")
        await fill(a, "url_template", "https://play.example/")
        await a.sees(lambda: "needs {code}" in preview(a))
        assert "code" in await refused(a)
        await fill(a, "url_template", "https://play.example/?c={code}")
        await a.sees(lambda: "https://play.example/?c=print%281%29" in preview(a))
        await save(a)
        await cursor_on(a, "Play  Python → https://play.example/?c={code}")
        await a.press("escape")
        await a.sees(lambda: a.app.screen is a.screen)
        a.screen.panes.messages.focus()
        await a.press("end", "o")
        await a.sees(lambda: isinstance(a.app.screen, Question))
        await a.pilot.pause()
        said = str(a.app.screen.query_one(".description", Static).content)
        assert said == "https://play.example/?c=print%281%29"
        await a.press("escape")
        await a.sees(lambda: a.app.screen is a.screen)

        await page(a, "playgrounds")
        await a.press("d")
        await yes(a)
        await a.sees(lambda: lines(a) == ["No playgrounds."])


@uses(
    "GET /realm/domains",
    "POST /realm/domains",
    "PATCH /realm/domains/{domain}",
    "DELETE /realm/domains/{domain}",
)
async def test_domains_are_for_owners(server: Live, tmp_path: Path) -> None:
    """An owner names them and lets subdomains in; an administrator looks on."""
    ann = await server.person("Ann", role=Role.OWNER)
    adam = await server.person("Adam", role=Role.ADMINISTRATOR)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "domains")
        await a.press("n")
        await form(a)
        await fill(a, "domain", "not one")
        assert await refused(a) == "Invalid domain."
        await fill(a, "domain", "Example.com")
        await save(a)
        await cursor_on(a, "example.com")
        await a.press("enter")
        await cursor_on(a, "example.com  and its subdomains")
        async with playing(server, adam, tmp_path) as b:
            await page(b, "domains")
            assert lines(b) == ["example.com  and its subdomains"]
            assert actions(b) == ""
        await a.press("d")
        assert "any address can join" in await yes(a)
        await a.sees(lambda: lines(a) == ["No domains."])


@uses("PATCH /realm/user_settings_defaults")
async def test_new_people_begin_with_what_administrators_chose(
    server: Live, tmp_path: Path
) -> None:
    """Who is here already keeps their own settings."""
    ann = await server.person("Ann", role=Role.OWNER)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "new_user_defaults")
        await cursor_on(a, "Privacy")
        await a.press("enter")
        shown = await form(a)
        assert not shown.query("#field-allow_private_data_export")
        await fill(a, "send_read_receipts", False)
        await save(a)
        now = a.screen.account.session.store.realm
        await a.sees(
            lambda: (
                now.new_user_settings is not None and not now.new_user_settings.send_read_receipts
            )
        )
        assert a.screen.account.session.store.settings.send_read_receipts
    cleo = await server.person("Cleo")
    hers = (await cleo.post("register", fetch_event_types=["user_settings"]))["user_settings"]
    assert hers["send_read_receipts"] is False
