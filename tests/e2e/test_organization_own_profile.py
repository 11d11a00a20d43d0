"""One's own account: profile, password, picture, alert words, muted people, leaving."""

import io
from pathlib import Path

import pytest

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import (
    actions,
    choose_file,
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
from tui.host import hosted
from tui.screens.dialogs.listing import ListDialog

OLD, NEW = "very long and secret", "another long and secret"


@uses("PATCH /settings", "PATCH /users/me/profile_data", "DELETE /users/me/profile_data")
async def test_one_changes_what_others_see(server: Live, tmp_path: Path) -> None:
    """Name, time zone, the organization's questions of every kind; an answer is taken back."""
    ann, ben, _ = await team(server)
    note = await ann.post("realm/profile_fields", name="About", field_type=2)
    day = await ann.post("realm/profile_fields", name="Birthday", field_type=4)
    mentor = await ann.post("realm/profile_fields", name="Mentor", field_type=6)
    await ben.patch("users/me/profile_data", data=[{"id": note["id"], "value": "a\nb"}])
    async with playing(server, ben, tmp_path) as b:
        await page(b, "own_profile")
        await b.press("enter")
        await form(b)
        await fill(b, "full_name", "Benjamin")
        await fill(b, "timezone", "Asia/Tokyo")
        await fill(b, f"profile-{day['id']}", "yesterday")
        assert "Birthday" in await refused(b)
        await fill(b, f"profile-{day['id']}", "1990-12-31")
        await fill(b, f"profile-{note['id']}", "")
        await fill(b, f"profile-{mentor['id']}", "Ann")
        await save(b)
        await b.sees(lambda: "Asia/Tokyo" in line(b, "Time zone"))
        await b.sees(lambda: line(b, "Mentor").endswith("Ann"))
        await b.sees(lambda: line(b, "About").endswith("—"))
    me = await ben.get("users/me")
    assert (me["full_name"], me["timezone"]) == ("Benjamin", "Asia/Tokyo")
    said = {key: value["value"] for key, value in me["profile_data"].items()}
    assert said == {str(day["id"]): "1990-12-31", str(mentor["id"]): f"[{ann.id}]"}


@uses("PATCH /settings")
async def test_a_password_is_changed_with_the_one_before(server: Live, tmp_path: Path) -> None:
    """Typed wrong, the form says what is wrong and keeps the rest."""
    ann, _, _ = await team(server)
    await ann.post("users", email="cleo@example.com", full_name="Cleo", password=OLD)
    signed_in = {"username": "cleo@example.com", "password": OLD}
    anyone = server.client()
    key = (await anyone.post("fetch_api_key", data=signed_in)).json()["api_key"]
    cleo = type(ann)(0, "cleo@example.com", key, server.client(auth=("cleo@example.com", key)))
    async with playing(server, cleo, tmp_path) as c:
        await page(c, "own_profile")
        await c.press("p")
        await form(c)
        for name, text in (("old", "wrong"), ("new", NEW), ("again", OLD)):
            await fill(c, name, text)
        assert "do not match" in await refused(c)
        await fill(c, "again", NEW)
        assert "Wrong password" in await refused(c)
        await fill(c, "old", OLD)
        await save(c)
        # Over SSH whoever is at the keys may be somebody else: a password, too, changes how one signs in.
        c.app.host = hosted(site=server.url, command="ssh chat.example.com")
        await c.press("enter")
        await form(c)
        await fill(c, "email", "thief@example.com")
        assert "password" in await refused(c)
        await fill(c, "password", OLD)
        assert "password" in await refused(c)
        await fill(c, "email", "cleo@example.com")
        await save(c)
        await c.press("x")
        await yes(c)
        await form(c)
        await fill(c, "password", OLD)
        assert "password" in await refused(c)
        await c.press("escape", "enter")
        await form(c)
        await fill(c, "email", "cleo@example.org")
        await fill(c, "password", NEW)
        await save(c)
    signed_in["username"] = "cleo@example.org"
    answer = await anyone.post("fetch_api_key", data={**signed_in, "password": NEW})
    assert answer.json()["result"] == "success"


@uses("POST /users/me/avatar", "DELETE /users/me/avatar")
async def test_a_picture_is_uploaded_and_taken_away(server: Live, tmp_path: Path) -> None:
    """What is no picture is refused, in words, on the page."""
    pillow = pytest.importorskip("PIL.Image")
    drawn = io.BytesIO()
    pillow.new("RGB", (8, 8), "#cc8844").save(drawn, "PNG")
    (tmp_path / "me.png").write_bytes(drawn.getvalue())
    (tmp_path / "words.txt").write_text("no picture")
    ann, _, _ = await team(server)

    async def choose(player: AppDriver, name: str) -> None:
        await player.press("u")
        await choose_file(player, tmp_path / name)
        await player.sees(lambda: isinstance(player.app.screen, ListDialog))

    async with playing(server, ann, tmp_path) as a:
        await page(a, "own_profile")
        await choose(a, "words.txt")
        await a.sees(lambda: bool(trouble(a)))
        await choose(a, "me.png")
        await a.sees(lambda: line(a, "Picture").endswith("uploaded"))
        assert "/user_avatars/" in (await ann.get("users/me"))["avatar_url"]
        await a.press("d")
        assert "generated" in await yes(a)
        await a.sees(lambda: line(a, "Picture").endswith("generated"))
        assert "remove" not in actions(a)


@uses("GET /users/me/alert_words", "POST /users/me/alert_words", "DELETE /users/me/alert_words")
async def test_alert_words_are_added_and_removed(server: Live, tmp_path: Path) -> None:
    """The page is found by its name among the commands; what another client adds shows by itself."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.press("ctrl+p")
        await asked(a)
        await typed(a, "Alert words")
        await a.sees(lambda: isinstance(a.app.screen, ListDialog) and bool(lines(a)))
        await a.press("n")
        await form(a)
        await fill(a, "word", "kettle")
        await save(a)
        await a.sees(lambda: lines(a)[0].startswith("kettle"))
        await a.press("n")
        await form(a)
        await fill(a, "word", "Kettle ")
        assert await refused(a) == "“kettle” is an alert word already."
        await a.press("escape")
        await ann.post("users/me/alert_words", alert_words=["[b]biscuit"])
        await a.sees(lambda: [line.strip() for line in lines(a)] == ["[b]biscuit", "kettle"])
        await cursor_on(a, "kettle")
        await a.press("d")
        await a.sees(lambda: [line.strip() for line in lines(a)] == ["[b]biscuit"])


@uses("POST /users/me/muted_users/{muted_user_id}", "DELETE /users/me/muted_users/{muted_user_id}")
async def test_somebody_is_muted_and_heard_again(server: Live, tmp_path: Path) -> None:
    """By name, on one page."""
    ann, ben, _ = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "muted_users")
        assert "unmute" not in actions(a)
        await a.press("n")
        await asked(a)
        await typed(a, "Ben")
        await a.sees(lambda: lines(a)[0].startswith("Ben"))
        assert a.screen.account.session.store.muted_users == {ben.id}
        await a.press("d")
        await a.sees(lambda: lines(a)[0].startswith("No muted people"))


@uses("DELETE /users/me")
async def test_one_leaves_for_good_unless_nobody_would_own_it(server: Live, tmp_path: Path) -> None:
    """The last owner is told why not; anybody else is signed out."""
    ann, ben, _ = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "own_profile")
        await a.press("x")
        assert "Only an administrator" in await yes(a)
        await a.sees(lambda: bool(trouble(a)))
    async with playing(server, ben, tmp_path) as b:
        await page(b, "own_profile")
        await b.press("x")
        main = b.screen
        await yes(b)
        await b.sees(lambda: main not in b.app.screen_stack)
    assert (await ben.get("users/me"))["status"] == 401
