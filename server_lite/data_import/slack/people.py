"""People and bots of a workspace: their IDs, names and addresses here, and their records. Reads only."""

from collections.abc import Iterator
from typing import Final

from server_lite.data_import.names import AccountNames
from server_lite.data_import.slack import rows
from server_lite.data_import.source import Placed
from server_lite.dataclass import dataclass
from server_lite.export import format as form
from server_lite.store.users import NOTIFICATION_BOT

DOMAIN: Final = "slack.invalid"
"""Domain of generated addresses, for people whose own are not in the export."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person with an ID here."""

    number: int
    user: rows.User
    name: str
    address: str
    is_stub: bool = False


class People:
    """People of users.json in its order, then bots and unknown senders found in messages."""

    def __init__(self, users: list[rows.User], joined: float) -> None:
        self._joined = joined
        self._people: dict[str, Person] = {}
        self._by_bot: dict[str, str] = {}
        self.names = AccountNames(DOMAIN)
        for user in users:
            self._add(user)

    def _add(self, user: rows.User, *, is_stub: bool = False) -> None:
        name = self.names.name(user.profile.real_name or user.real_name or user.name or user.id)
        self._people[user.id] = Person(
            number=NOTIFICATION_BOT + 1 + len(self._people),
            user=user,
            name=name,
            address=self.names.address(
                user.profile.email or "", user.name or user.id, is_bot=bool(user.is_bot)
            ),
            is_stub=is_stub,
        )
        if user.profile.bot_id is not None:
            self._by_bot[user.profile.bot_id] = user.id

    def meet(self, message: rows.Message) -> None:
        """Add the sender of a message, if unknown."""
        key = sender_of(message)
        if key is None or self.known(key) is not None:
            return
        profile = message.bot_profile or message.user_profile
        name = message.username or (profile and (profile.real_name or profile.name)) or key
        is_bot = message.user is None
        user = rows.User(id=key, name=name, real_name=name, is_bot=is_bot, deleted=True)
        self._add(user, is_stub=not is_bot)

    def known(self, key: str) -> Person | None:
        """Return the person, or the bot by either of its IDs."""
        return self._people.get(key) or self._people.get(self._by_bot.get(key, ""))

    def numbers(self) -> Iterator[tuple[str, int]]:
        """Yield Slack's key and our ID of each person."""
        return ((key, person.number) for key, person in self._people.items())

    def mention(self, person: Person) -> str:
        """Return the mention of a person."""
        return self.names.mention(person.name, person.number)

    def records(self) -> Iterator[Placed]:
        """Yield people first, then bots."""
        for person in sorted(
            self._people.values(), key=lambda one: (bool(one.user.is_bot), one.number)
        ):
            user = person.user
            yield (
                f"The person {user.id}",
                form.Person(
                    id=person.number,
                    email=person.address,
                    name=person.name,
                    role=_role(user),
                    is_active=not user.deleted,
                    joined=self._joined,
                    timezone=(user.tz or "")[:100],
                    bot_type=1 if user.is_bot else None,
                    is_stub=person.is_stub,
                ),
            )


def sender_of(message: rows.Message) -> str | None:
    """Return the key of a message's sender."""
    if message.subtype == "file_comment" and message.comment is not None:
        return message.comment.user
    named = f"name:{message.username[:90]}" if message.username else None
    return message.user or message.bot_id or named


def _role(user: rows.User) -> form.RoleName:
    if user.is_bot:
        return "member"
    if user.is_owner or user.is_primary_owner:
        return "owner"
    if user.is_admin:
        return "administrator"
    return "guest" if user.is_restricted or user.is_ultra_restricted else "member"
