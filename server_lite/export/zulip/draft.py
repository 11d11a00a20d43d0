"""An export being written: its tables, recipient IDs, and what is left out. Reads only."""

from collections import Counter
from collections.abc import Collection
from dataclasses import field
from pathlib import Path

from server_lite.dataclass import dataclass
from server_lite.export.zulip import layout
from server_lite.export.zulip.tables import Tables
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupSetting
from server_lite.store.users import NOTIFICATION_BOT


@dataclass(slots=True, kw_only=True)
class Draft:
    """State that the modules of this package add to, one noun each."""

    db: Db
    version: int
    folder: Path
    realm: Tables
    files: Tables
    """Lists of the files in folders, and the attachments."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Contents that the layout does not support, with their number."""
    notes: list[str] = field(default_factory=list)
    """Sentences about what to do by hand after the import."""
    people: dict[int, int] = field(default_factory=dict)
    """User ID -> ID of their recipient."""
    channels: dict[int, int] = field(default_factory=dict)
    """Channel ID -> ID of its recipient."""
    groups: dict[tuple[int, ...], int] = field(default_factory=dict)
    """User IDs of a group conversation -> ID of its recipient."""
    clients: dict[str, int] = field(default_factory=dict)
    user_groups: frozenset[int]
    """The groups that are written: only these can hold a permission."""

    def leave_out(self, what: str, number: int = 1) -> None:
        """Count contents that the layout does not support."""
        if number:
            self.left_out[what] += number

    def is_written_group(self, holders: GroupSetting) -> bool:
        """Whether a permission can be written: it is held by one group, which is also written."""
        return isinstance(holders, int) and holders in self.user_groups

    def add_recipient(self, kind: int, owner: int) -> int:
        """Add a recipient and return its ID: there is one for each user, channel and group conversation."""
        return self.realm.add("zerver_recipient", type=kind, type_id=owner)

    def recipient_of_people(self, sender: int, members: Collection[int]) -> int:
        """Return the recipient of direct messages among these users, one of whom is the sender."""
        others = sorted(set(members) - {sender})
        if len(others) <= 1:
            return self.people[others[0] if others else sender]
        everybody = tuple(sorted(set(members) - {NOTIFICATION_BOT}))
        if everybody not in self.groups:
            self.groups[everybody] = self._add_group(everybody)
        return self.groups[everybody]

    def _add_group(self, members: tuple[int, ...]) -> int:
        size = {"group_size": len(members)} if self.version >= 10 else {}
        number = len(self.groups) + 1
        recipient = self.add_recipient(layout.PEOPLE, number)
        self.realm.add("zerver_huddle", id=number, huddle_hash="", recipient=recipient, **size)
        for user_id in members:
            self.add_own_subscription(user_id, recipient)
        return recipient

    def add_own_subscription(self, user_id: int, recipient: int) -> None:
        """Subscribe a user to their own recipient or a group conversation's, as all users are."""
        self.realm.add(
            "zerver_subscription",
            user_profile=user_id,
            recipient=recipient,
            active=True,
            is_muted=False,
            color="#c2c2c2",
            pin_to_top=False,
            desktop_notifications=None,
            audible_notifications=None,
            push_notifications=None,
            email_notifications=None,
            wildcard_mentions_notify=None,
        )

    def client(self, name: str) -> int:
        """Return the ID of a client that messages are sent with."""
        name = name or layout.CLIENT
        if name not in self.clients:
            self.clients[name] = self.realm.add("zerver_client", name=name)
        return self.clients[name]
