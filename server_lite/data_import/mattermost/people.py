"""Users and bots: their IDs, names and roles here, and their records. Reads only."""

from collections.abc import Iterator

from server_lite.data_import.mattermost import rows
from server_lite.data_import.names import AccountNames
from server_lite.data_import.source import Placed
from server_lite.export import format as form
from server_lite.store.users import NOTIFICATION_BOT


class People:
    """All users by their usernames."""

    def __init__(self) -> None:
        self.names = AccountNames("mattermost.invalid")
        self._records: dict[str, form.Person] = {}
        self._user_names: dict[int, str] = {}

    def add(self, user: rows.User, joined: float) -> None:
        """Add a user; of duplicates the first counts."""
        full = " ".join(part for part in (user.first_name, user.last_name) if part)
        self._add(
            user.username,
            user.email,
            full or user.nickname or user.username,
            role=_role(user),
            is_active=not user.delete_at,
            joined=joined,
        )

    def add_bot(self, bot: rows.Bot, joined: float) -> None:
        """Add a bot; its owner is known by ID or not at all."""
        name = bot.display_name or bot.username
        is_active = not bot.delete_at
        self._add(bot.username, "", name, bot_type=1, is_active=is_active, joined=joined)

    def number(self, user_name: str) -> int:
        """Return a user's ID; message senders missing from the export get one, too."""
        key = user_name.lower()
        if key not in self._records:
            self._add(user_name, "", user_name, is_active=False, is_stub=True, joined=0.0)
        return self._records[key].id

    def _add(
        self,
        user_name: str,
        email: str,
        name: str,
        *,
        joined: float,
        is_active: bool,
        role: form.RoleName = "member",
        bot_type: form.BotType | None = None,
        is_stub: bool = False,
    ) -> None:
        key = user_name.lower()
        if key in self._records:
            return
        number = NOTIFICATION_BOT + 1 + len(self._records)
        self._user_names[number] = key
        self._records[key] = form.Person(
            id=number,
            email=self.names.address(email, user_name, is_bot=bot_type is not None),
            name=self.names.name(name),
            role=role,
            is_active=is_active,
            joined=joined,
            bot_type=bot_type,
            is_stub=is_stub,
        )

    def user_name(self, number: int) -> str:
        """Return the username for an ID."""
        return self._user_names[number]

    def mention(self, user_name: str) -> str | None:
        """Return the mention of a user; None if nobody has the name."""
        if user_name in ("all", "channel", "here"):
            return "@**all**"
        record = self._records.get(user_name)
        return None if record is None else self.names.mention(record.name, record.id)

    def records(self) -> Iterator[Placed]:
        """Yield people first, then bots."""
        for name, record in sorted(
            self._records.items(), key=lambda one: (one[1].bot_type is not None, one[1].id)
        ):
            yield f"The account {name}", record


def _role(user: rows.User) -> form.RoleName:
    roles = (user.roles or "").split()
    if "system_admin" in roles:
        return "owner"
    if "system_guest" in roles:
        return "guest"
    is_team_admin = any("team_admin" in (team.roles or "").split() for team in user.teams or ())
    return "moderator" if is_team_admin else "member"
