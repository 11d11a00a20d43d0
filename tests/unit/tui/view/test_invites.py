"""What an invitation says of itself, and the command that is passed on with it."""

from datetime import UTC

from tests import eg
from tui.api.organization import Invite
from tui.store import Store
from tui.view import invites
from tui.view.times import Times

STORE = Store.from_snapshot(eg.snapshot(users=(eg.ME, eg.MARY)))


def test_an_invitation_says_for_whom_as_what_and_until_when() -> None:
    """And who made it."""
    one = eg.make(
        Invite,
        email="zoe@example.com\x1b[2J",
        invited_as=600,
        expiry_date=eg.NOW,
        invited_by_user_id=eg.MARY.user_id,
    )
    assert invites.label(one).startswith("zoe@example.com")
    assert "\x1b" not in invites.label(one)
    assert invites.detail(STORE, one, Times(zone=UTC)) == (
        f"as guest · expires 15 Jun 2025, 15:06 · by {eg.MARY.full_name}"
    )
    many = eg.make(Invite, is_multiuse=True, expiry_date=None, invited_as=400)
    assert invites.label(many) == "reusable link"
    assert "never expires" in invites.detail(STORE, many, Times(zone=UTC))


def test_a_link_that_would_do_something_in_a_shell_makes_no_command() -> None:
    """A colleague pastes it: nothing but the link may be in it."""
    assert invites.command("https://x.org/join/abc") == "chinwag join 'https://x.org/join/abc'"
    assert (
        invites.command("http://127.0.0.1:9/join/a") == "chinwag join 'http://127.0.0.1:9/join/a'"
    )
    assert invites.command("http://desk.lan/join/a").endswith("/join/a' --http")
    for link in ("https://x.org/'; rm -rf ~; '", "https://x.org/\nrm", "https://x.org/\u202e"):
        assert invites.command(link) == ""
