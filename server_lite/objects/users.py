"""Users and bots as the API's JSON. Callers decide whether the address is visible. Reads only."""

from datetime import UTC, datetime
from typing import Final, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.profile_fields import ProfileData
from server_lite.store.personal_settings import Visibility, setting
from server_lite.store.users import Role, UserRow

HIDDEN_NAME: Final = "Unknown user"
LONGEST_ID: Final = 18
"""Digits: no assigned ID has more."""
MEDIUM: Final = "-medium"
"""Suffix of the larger form of an uploaded avatar."""


class UserObject(TypedDict):
    """A user or a bot, as visible to the viewer.

    `delivery_email` is null if the address is hidden, `date_joined` is ISO 8601; bots have a
    `bot_owner_id` and no `profile_data`.
    """

    user_id: UserId
    email: str
    delivery_email: str | None
    full_name: str
    date_joined: str
    is_active: bool
    is_owner: bool
    is_admin: bool
    is_guest: bool
    is_bot: bool
    bot_type: int | None
    role: int
    timezone: str
    avatar_url: str
    avatar_version: int
    is_imported_stub: bool
    bot_owner_id: NotRequired[UserId | None]
    profile_data: NotRequired[ProfileData]
    is_system_bot: NotRequired[bool]


def api_email(user: UserRow, domain: str) -> str:
    """Return the address that the API shows for a user: the real one if everyone may see it."""
    if user.is_bot or setting(user, "email_address_visibility") == Visibility.EVERYONE:
        return user.email
    return hidden_email(user.id, domain)


def avatar_url(user: UserRow, *, medium: bool = False) -> str:
    """Return the path of the avatar on this server: the uploaded one, or the one drawn from the ID.

    Avatars are never hosted elsewhere, so `client_gravatar` changes nothing.
    """
    if user.avatar is None:
        return drawn_avatar_url(user.id, user.avatar_version, medium=medium)
    name, _, extension = user.avatar.rpartition(".")
    size = MEDIUM if medium else ""
    return f"/user_avatars/{name}{size}.{extension}?version={user.avatar_version}"


def drawn_avatar_url(user_id: UserId, version: int = 1, *, medium: bool = False) -> str:
    """Return the path of the avatar that the server draws from a number; reveals nothing about the user."""
    size = "/medium" if medium else ""
    return f"/avatar/{user_id}{size}?version={version}"


def avatar_fields(user: UserRow) -> dict[str, object]:
    """Return the fields of an avatar, without its version."""
    return {
        "avatar_source": avatar_source(user),
        "avatar_url": avatar_url(user),
        "avatar_url_medium": avatar_url(user, medium=True),
    }


def avatar_source(user: UserRow) -> str:
    """Return `U` if uploaded, else `G`, which clients know for the ecosystem's avatar provider."""
    return "G" if user.avatar is None else "U"


def joined(user: UserRow) -> str:
    """Return ISO 8601 with UTC offset: the first sign-in, or before it the creation."""
    moment = user.date_joined if user.first_sign_in is None else user.first_sign_in
    return datetime.fromtimestamp(moment, UTC).isoformat()


def user_object(
    user: UserRow,
    *,
    domain: str,
    sees_address: bool,
    profile_data: ProfileData | None = None,
) -> UserObject:
    """Return the User object. `profile_data` is left out if None, and for bots."""
    person: UserObject = {
        "user_id": user.id,
        "email": api_email(user, domain),
        "delivery_email": user.email if sees_address or user.is_bot else None,
        "full_name": user.full_name,
        "date_joined": joined(user),
        "is_active": user.is_active,
        "is_owner": user.is_owner,
        "is_admin": user.is_admin,
        "is_guest": user.is_guest,
        "is_bot": user.is_bot,
        "bot_type": user.bot_type,
        "role": user.role,
        "timezone": user.timezone,
        "avatar_url": avatar_url(user),
        "avatar_version": user.avatar_version,
        "is_imported_stub": user.is_imported_stub,
    }
    if user.is_bot:
        person["bot_owner_id"] = user.bot_owner_id
    elif profile_data is not None:
        person["profile_data"] = profile_data
    return person


def shown_to_anonymous(person: UserObject, domain: str) -> UserObject:
    """Return the User object for an anonymous visitor: name and avatar, no user's address, no habits."""
    result: UserObject = {
        **person,
        "email": hidden_email(person["user_id"], domain),
        "delivery_email": person["delivery_email"] if person["is_bot"] else None,
        "date_joined": f"{person['date_joined'][:10]}T00:00:00+00:00",
        "timezone": "",
    }
    result.pop("profile_data", None)
    return result


def hidden_email(user_id: UserId, domain: str) -> str:
    """Return the generated address that replaces a hidden one: `user17@example.com`."""
    return f"user{user_id}@{domain}"


def id_in_hidden_email(email: str, domain: str) -> UserId | None:
    """Return the ID in a generated address, ignoring case; None for any other address."""
    digits = email.partition("@")[0][len("user") :]
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_ID:
        return None
    user_id = UserId(int(digits))
    is_made_up = hidden_email(user_id, domain).casefold() == email.casefold()
    return user_id if is_made_up else None


def hidden_user_object(user: UserRow, *, domain: str) -> UserObject:
    """Return the placeholder that old clients get for an invisible user."""
    return {
        "user_id": user.id,
        "email": hidden_email(user.id, domain),
        "delivery_email": None,
        "full_name": HIDDEN_NAME,
        "date_joined": datetime.fromtimestamp(0, UTC).isoformat(),
        "is_active": True,
        "is_owner": False,
        "is_admin": False,
        "is_guest": False,
        "is_bot": False,
        "bot_type": None,
        "role": int(Role.MEMBER),
        "timezone": "",
        "avatar_url": drawn_avatar_url(user.id),
        "avatar_version": 1,
        "is_imported_stub": False,
        "profile_data": {},
    }
