"""People and bots, as far as the user may see them. No I/O, no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.api.model import ProfileFieldId, ProfileValue, User, UserId
from tui.api.wire import UNSET
from tui.narrow import naming

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import PersonChange, ProfileFieldChange

_PLAIN = (
    "full_name",
    "email",
    "role",
    "timezone",
    "avatar_version",
    "bot_owner_id",
    "is_active",
    "is_imported_stub",
    "date_joined",
)
_NULLABLE = ("delivery_email", "avatar_url")


class Users:
    """All users by ID, deactivated ones and system bots too."""

    def __init__(self, users: Iterable[User]) -> None:
        self.by_id: dict[UserId, User] = {user.user_id: user for user in users}

    def get(self, user_id: UserId) -> User | None:
        """Return the user; None where they are not visible."""
        return self.by_id.get(user_id)

    def add(self, user: User) -> None:
        """Add a user who joined, or is visible now."""
        self.by_id[user.user_id] = user

    def remove(self, user_id: UserId) -> None:
        """Remove a user who is not visible any more."""
        self.by_id.pop(user_id, None)

    def change(self, change: PersonChange) -> None:
        """Change a user's data; ignored for unknown users."""
        user = self.by_id.get(change.user_id)
        if user is None:
            return
        changed: dict[str, object] = {
            name: value for name in _PLAIN if (value := getattr(change, name)) is not None
        }
        changed |= {
            name: value for name in _NULLABLE if (value := getattr(change, name)) is not UNSET
        }
        if change.custom_profile_field is not None:
            changed["profile_data"] = _profile(user, change.custom_profile_field)
        self.by_id[user.user_id] = replace(user, **changed)  # type: ignore[arg-type]  # PersonChange's fields have User's types

    def meant(self, query: str) -> list[UserId]:
        """Return the users that an email, a name or a part of one may mean: several where it is ambiguous."""
        exact = self.find(query)
        if exact is not None:
            return [exact]
        named, _, number = query.rpartition("|")
        if number.isascii() and number.isdecimal() and named:
            user = self.by_id.get(UserId(int(number[:18])))
            return [user.user_id] if user is not None and user.full_name == named else []
        people = sorted(self.by_id.values(), key=lambda user: user.full_name.casefold())
        for is_active in (True, False):
            matches = naming.matches(
                query, ((u.user_id, u.full_name) for u in people if u.is_active == is_active)
            )
            if matches:
                return matches
        return []

    def distinct_names(self, user_ids: Iterable[UserId]) -> list[str]:
        """Return users' names, those that several of them have with the email."""
        people = [self.by_id[each] for each in user_ids]
        count = Counter(user.full_name for user in people)
        return [
            user.full_name if count[user.full_name] == 1 else f"{user.full_name} ({user.email})"
            for user in people
        ]

    def find(self, email_or_name: str) -> UserId | None:
        """Return the user with that API or real email, or else of exactly that name; None unless unique."""
        text = email_or_name.casefold()
        people = self.by_id.values()
        for matches in (
            [
                u
                for u in people
                if text in (u.email.casefold(), (u.delivery_email or "").casefold())
            ],
            [u for u in people if u.is_active and u.full_name.casefold() == text],
        ):
            if len(matches) == 1:
                return matches[0].user_id
        return None


def _profile(user: User, change: ProfileFieldChange) -> dict[ProfileFieldId, ProfileValue]:
    profile = dict(user.profile_data or {})
    if change.value is None:
        profile.pop(change.id, None)
    else:
        profile[change.id] = ProfileValue(value=change.value, rendered_value=change.rendered_value)
    return profile
