"""A newcomer's first minutes at a real terminal: the invitation, the questions, the first screen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server_lite.actions.organization import NewOrganization, set_up_organization
from server_lite.config import MIN_PASSWORD
from server_lite.store.users import Role
from tests.live import Live, Person
from tests.real_terminal import CHINWAG, RealTerminal, real_terminal

PASSWORD = "correct horse"
TOO_SHORT = "x" * (MIN_PASSWORD - 1)


@pytest.fixture
async def owner(server: Live) -> Person:
    """The owner of an organization with its tour."""
    new = NewOrganization(
        name="Tea Club", owner_email="founder@example.com", owner_name="Fay", password=None
    )
    await server.app.database.write(lambda tx: set_up_organization(tx, new))
    ann = await server.person("Ann", role=Role.OWNER)
    await ann.post("users/me/subscriptions", subscriptions=[{"name": "welcome"}])
    return ann


async def link_of(owner: Person, **terms: object) -> str:
    """An invitation with the default channels."""
    made = await owner.post("invites/multiuse", include_realm_default_subscriptions=True, **terms)
    return str(made["invite_link"])


@asynccontextmanager
async def joining(
    link: str, folder: Path, *options: str, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[RealTerminal]:
    """`chinwag join` on another machine."""
    home = {"CHINWAG_HOME": str(folder / "newcomer")}
    async with real_terminal([CHINWAG, "join", link, *options], home, size=size) as terminal:
        yield terminal


async def answer(terminal: RealTerminal, question: str, text: str) -> None:
    """Type an answer once the question is there."""
    await terminal.shows(question)
    terminal.send(f"{text}\r".encode())


async def test_what_is_refused_is_asked_for_again(
    server: Live, owner: Person, tmp_path: Path
) -> None:
    """Too short, not the same twice, an address in use: only that is typed again."""
    async with joining(await link_of(owner), tmp_path) as terminal:
        await terminal.shows("You are invited to")
        await answer(terminal, "Your name:", "Nea")
        await answer(terminal, "Your email address:", "nea at example")
        await answer(terminal, f"Password (at least {MIN_PASSWORD} characters):", TOO_SHORT)
        await answer(terminal, f"of at least {MIN_PASSWORD} characters.\nPassword", PASSWORD)
        await answer(terminal, "Repeat the password:", PASSWORD + "?")
        await answer(terminal, "The passwords do not match.\nPassword", PASSWORD)
        await answer(terminal, "match.\nPassword (at least 8 characters):\nRepeat", PASSWORD)
        refused = "Creating your account…\nEnter a valid email address.\nYour email address:"
        await answer(terminal, refused, owner.email)
        await terminal.shows(
            "Creating your account…\nEmail is already in use.\nIf that account is yours, run:",
            f"chinwag login {server.url}",
        )
        await answer(terminal, f"{server.url}\nYour email address:", "nea@example.com")
        await terminal.shows("1. start here", "Welcome! This is a chat for teams.")
        assert PASSWORD.encode() not in terminal.written
    signed_in = await owner.post("fetch_api_key", username="nea@example.com", password=PASSWORD)
    assert signed_in["result"] == "success"
    names = [one["full_name"] for one in (await owner.get("users"))["members"]]
    assert "Nea" in names


async def test_the_first_screen_is_not_empty(owner: Person, tmp_path: Path) -> None:
    """The tour is open, the inbox says what is going on, and the feed has a history."""
    for text in ("the kettle is on", "who has milk?"):
        await owner.post("messages", type="stream", to="welcome", topic="tea", content=text)
    link = await link_of(owner)
    async with joining(link, tmp_path, "--name", "Nea", "--email", "nea@example.com") as terminal:
        await answer(terminal, "Password", PASSWORD)
        await answer(terminal, "Repeat", PASSWORD)
        await terminal.shows("1. start here", "Ctrl+K")
        terminal.press("f4")
        await terminal.shows("Inbox", "4. make it yours", "tea")
        terminal.press("f5")
        await terminal.shows("all messages in your channels", "Every command has a key")


async def test_a_question_ends_with_ctrl_c_and_ctrl_d(owner: Person, tmp_path: Path) -> None:
    """At once, without a traceback, and the terminal shows what is typed again."""
    link = await link_of(owner)
    for key in (b"\x03", b"\x04"):
        async with joining(link, tmp_path, "--name", "Nea") as terminal:
            await terminal.shows("Your email address:")
            terminal.send(key)
            assert await terminal.exits() == 130
            assert "Traceback" not in terminal.text
    async with joining(link, tmp_path, "--name", "N", "--email", "n@example.com") as terminal:
        await terminal.shows("Password")
        terminal.send(b"\x03")
        assert await terminal.exits() == 130
        assert "Traceback" not in terminal.text
