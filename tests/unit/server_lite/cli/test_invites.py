"""`chinwag-server invite` as its user sees it."""

from pathlib import Path

import pytest

from server_lite.actions.invites import Newcomer, accept
from server_lite.errors import ApiError
from server_lite.store.database import Database
from server_lite.store.users import Role
from tests.unit.server_lite.cli.conftest import Command


def join(db: Path, link: str, name: str) -> int:
    """Come by a link; the role of the new account."""
    database = Database(db)
    who = Newcomer(full_name=name, email=f"{name}@x.org", password="hash")
    token = link.strip().rpartition("/join/")[2]
    try:
        return database.write_now(lambda tx: accept(tx, token, who)).role
    finally:
        database.close()


def test_a_link_made_at_the_terminal_lets_one_person_in(team: Path, command: Command) -> None:
    """The owner of the machine passes one line on, and whoever gets it first has an account."""
    made = command(
        *("invite", "--db", team, "--role", "moderator", "--url", "https://chat.example/")
    )
    assert made.code == 0
    assert made.out.startswith("https://chat.example/join/")
    assert join(team, made.out, "nea") == Role.MODERATOR
    with pytest.raises(ApiError, match="not valid"):
        join(team, made.out, "eve")


def test_a_link_for_many_is_for_many(team: Path, command: Command) -> None:
    """One line for a whole team."""
    link = command("invite", "--db", team, "--many").out
    assert [join(team, link, name) for name in ("nea", "eve")] == [Role.MEMBER] * 2


def test_an_invitation_that_makes_no_sense_is_refused(team: Path, command: Command) -> None:
    """One sentence says what is wrong."""
    for words, reason in (
        (("--role", "king"), "There is no role 'king'"),
        (("--email", "x"), "Enter a valid email address."),
        (("--email", "a@x.org", "--many"), "for one address or for many people"),
    ):
        refused = command("invite", "--db", team, *words)
        assert (refused.code, reason in refused.err) == (1, True), refused.err
