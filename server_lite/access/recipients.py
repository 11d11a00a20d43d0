"""Resolves a message's recipients from the parameter `to`, and checks the sender's permission. Reads only.

Clients give channels and users by ID, name or address, bare or as JSON, single or as a list.
"""

from collections.abc import Sequence
from typing import Final, Literal

import orjson

from server_lite.access.channels import access_channel_for_posting
from server_lite.access.message_validation import check_topic, clean_topic
from server_lite.access.user_groups import is_in_group_setting
from server_lite.access.users import can_access_user
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.objects.users import api_email, id_in_hidden_email
from server_lite.store import conversations, realm, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

Kind = Literal["direct", "private", "channel", "stream"]
DIRECT: Final = ("direct", "private")


@dataclass(frozen=True, slots=True)
class ChannelRecipient:
    """A topic of a channel in which the sender may post."""

    channel: ChannelRow
    topic: str

    @property
    def key(self) -> list[object]:
        """A key that is equal for the same channel and topic."""
        return ["channel", self.channel.id, self.topic]


@dataclass(frozen=True, slots=True)
class DirectRecipient:
    """The participants of a direct message, the sender included, by ID."""

    people: tuple[UserRow, ...]

    @property
    def key(self) -> list[object]:
        """A key that is equal for the same participants."""
        return ["people", *(person.id for person in self.people)]


Address = ChannelRecipient | DirectRecipient


def address(db: Db, sender: UserRow, kind: Kind, to: str | None, topic: str | None) -> Address:
    """Return the recipient of a message. `to` is None when it was not sent, `topic` likewise.

    Raises NoSuchChannel, or ApiError that names the invalid part.
    """
    if kind in DIRECT:
        return to_people(db, sender, people_named(db, sender, _decoded(to)))
    if to is None or to == "":
        raise ApiError("Missing channel")
    named = _one_channel(_decoded(to))
    channel = access_channel_for_posting(db, sender, named)
    if topic is None:
        raise ApiError("Missing topic")
    name = clean_topic(topic)
    check_topic(db, sender, channel, name)
    return ChannelRecipient(channel, name)


def to_people(db: Db, sender: UserRow, people: Sequence[UserRow]) -> DirectRecipient:
    """Return the recipient of a direct message; raises ApiError without users, or with deactivated ones."""
    if not people:
        raise ApiError("Message must have recipients")
    for person in people:
        if not person.is_active:
            known_by = api_email(person, realm.domain(db))
            raise ApiError(f"'{known_by}' is no longer using this server.")
    everyone = {person.id: person for person in (sender, *people)}
    _check_direct(db, sender, [person for person in everyone.values() if person.id != sender.id])
    return DirectRecipient(tuple(everyone[user_id] for user_id in sorted(everyone)))


def _check_direct(db: Db, sender: UserRow, others: Sequence[UserRow]) -> None:
    """Refuse if the organization restricts direct messages; those to oneself and bots are always allowed."""
    if sender.is_bot or all(person.is_bot for person in others):
        return
    allowed = realm.permission(db, "direct_message_permission_group")
    if not any(is_in_group_setting(db, person, allowed) for person in (sender, *others)):
        raise ApiError("This conversation doesn't include any users who can authorize it.")
    if is_in_group_setting(db, sender, realm.permission(db, "direct_message_initiator_group")):
        return
    conversation = conversations.between(db, [sender.id, *(person.id for person in others)])
    if conversation is None or conversation.max_id == 0:
        raise ApiError("You do not have permission to initiate direct message conversations.")


def _decoded(to: str | None) -> object:
    """Return decoded JSON if it can name recipients; else the text itself."""
    if to is None:
        return []
    if to[:1].isalpha() or to[:1] in "#{":  # a name: JSON of this beginning names none
        return to
    try:
        value = orjson.loads(to)
    except orjson.JSONDecodeError:
        return to
    return value if isinstance(value, (int, str, list)) and not isinstance(value, bool) else to


def _one_channel(value: object) -> int | str:
    if isinstance(value, list):
        if len(value) != 1:
            raise ApiError("Expected exactly one channel")
        value = value[0]
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, int):
        raise ApiError("Invalid data type for channel")
    return value


def people_named(db: Db, viewer: UserRow, value: object) -> list[UserRow]:
    """Return users by IDs or by addresses, not both: from a value decoded from JSON, or bare text.

    Users invisible to the viewer give the same error as nonexistent ones.
    """
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, int):
        value = [value]
    if not isinstance(value, list):
        raise ApiError("Invalid data type for recipients")
    if all(isinstance(one, int) and not isinstance(one, bool) for one in value):
        return [_by_id(db, viewer, user_id) for user_id in dict.fromkeys(value)]
    if all(isinstance(one, str) for one in value):
        return [by_address(db, viewer, one.strip()) for one in dict.fromkeys(value)]
    if all(isinstance(one, (int, str)) and not isinstance(one, bool) for one in value):
        raise ApiError("Recipient lists may contain emails or user IDs, but not both.")
    raise ApiError("Invalid data type for recipients")


def _by_id(db: Db, viewer: UserRow, user_id: UserId) -> UserRow:
    person = users.by_id(db, user_id)
    if person is None or not can_access_user(db, viewer, person):
        raise ApiError(f"Invalid user ID {user_id}")
    return person


def by_address(db: Db, viewer: UserRow, email: str) -> UserRow:
    """Return a user by the address that the API shows; raises `Invalid email '…'`."""
    domain = realm.domain(db)
    user_id = id_in_hidden_email(email, domain)
    person = users.by_email(db, email) if user_id is None else users.by_id(db, user_id)
    if (
        person is None
        or api_email(person, domain).casefold() != email.casefold()
        or not can_access_user(db, viewer, person)
    ):
        raise ApiError(f"Invalid email '{email}'")
    return person
