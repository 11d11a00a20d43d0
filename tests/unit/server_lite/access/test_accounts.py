"""Which email addresses an account can have: the same in the API and on the command line."""

import pytest

from server_lite.access.accounts import check_address, check_stored_address
from server_lite.errors import ApiError
from server_lite.store import users


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "by_email", lambda _db, _email: None)


@pytest.mark.parametrize(
    "email", ["ben@x.org", " ben@x.org ", "b.e+n@chat.x.org", "nina@localhost", "o'hara@x.org"]
)
def test_an_address_of_a_person(email: str) -> None:
    """A full server accepts the same."""
    assert check_address(None, email) == email.strip()  # type: ignore[arg-type]  # nothing is read


@pytest.mark.parametrize(
    "email",
    [
        *("", "ben", "ben@", "@x.org", "ben@example", "ben@x.", "ben@.org", "ben@x..org"),
        *(".ben@x.org", "ben.@x.org", "b..n@x.org", "ben@x.org@x.org", "b en@x.org", "ben@-x.org"),
    ],
)
def test_what_is_no_address_of_a_person(email: str) -> None:
    """An address that no mail reaches is a slip of the keys, told before there is an account."""
    with pytest.raises(ApiError, match="Enter a valid email address"):
        check_address(None, email)  # type: ignore[arg-type]  # nothing is read


def test_accounts_of_earlier_versions_and_bots_keep_theirs() -> None:
    """An export with them can be imported, and a bot is created on a server without a domain."""
    assert check_stored_address(None, "ben@example")  # type: ignore[arg-type]  # nothing is read
