"""Permissions and visibility, implemented again as a simple model to compare the server with.

A few dozen rules over sets; no SQL, no server code. If both have the same error no
test can find it, so the rules are written from what users are promised, not from the server's code.
"""

from dataclasses import dataclass, field
from typing import Final

OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST = 100, 200, 300, 400, 600
"""Roles: a lower number has more permissions."""

Group = int | str | frozenset[int]
"""A role and all above it, a named group, or users by ID."""

NOBODY: Final[Group] = frozenset()
GUESTS_MAY: Final = frozenset(
    {
        "can_send_message_group",
        "can_delete_any_message_group",
        "can_move_messages_out_of_channel_group",
    }
)
"""Channel permissions that guests can hold."""

DEFAULTS: Final[dict[str, Group]] = {
    "can_send_message_group": GUEST,
    "can_administer_channel_group": NOBODY,
    "can_add_subscribers_group": NOBODY,
    "can_subscribe_group": NOBODY,
    "can_remove_subscribers_group": ADMINISTRATOR,
    "can_delete_any_message_group": NOBODY,
    "can_move_messages_out_of_channel_group": NOBODY,
}

EVERYONE, MEMBERS, ADMINISTRATORS, NO_ONE, MODERATORS = 1, 2, 3, 4, 5
"""Values of email address visibility."""
SHOWN_TO: Final = {
    EVERYONE: GUEST,
    MEMBERS: MEMBER,
    MODERATORS: MODERATOR,
    ADMINISTRATORS: ADMINISTRATOR,
    NO_ONE: 0,
}
"""The lowest role that sees the address."""


@dataclass
class User:
    """An account; bots have an owner."""

    id: int
    role: int
    owner: int | None = None
    active: bool = True
    only_writes: bool = False
    """A bot whose key other services have: it may send, and nothing else."""
    visibility: int = EVERYONE

    @property
    def is_guest(self) -> bool:
        return self.role == GUEST

    @property
    def is_admin(self) -> bool:
        return self.role <= ADMINISTRATOR


@dataclass
class Channel:
    """A channel, its subscribers, and their periods in message IDs: (after this ID, until this)."""

    id: int
    private: bool = False
    protected: bool = False
    web: bool = False
    archived: bool = False
    inside: set[int] = field(default_factory=set)
    stays: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    permissions: dict[str, Group] = field(default_factory=DEFAULTS.copy)


@dataclass
class Message:
    """A message in a channel, or a direct one."""

    id: int
    sender: int
    channel: int | None = None
    people: frozenset[int] = frozenset()
    files: frozenset[int] = frozenset()
    topic: str = ""
    named: frozenset[int] = frozenset()
    """Files that it has ever linked: its history contains their names."""


@dataclass
class Model:
    """The whole state, and the rules."""

    users: dict[int, User] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    files: dict[int, int] = field(default_factory=dict)
    """Uploaded files: ID -> uploader."""
    met: set[frozenset[int]] = field(default_factory=set)
    """Groups of users with a direct conversation."""
    groups: dict[str, set[int]] = field(default_factory=dict)
    """User groups: name -> members."""
    may_add_people: Group = MEMBER
    guests_know_everybody: bool = True
    open_to_web: bool = True
    """Whether visitors may read web-public channels."""

    # Visibility

    def holds(self, user: User, group: Group) -> bool:
        if isinstance(group, str):
            return user.id in self.groups[group]
        return user.role <= group if isinstance(group, int) else user.id in group

    def granted(self, user: User, channel: Channel, permission: str) -> bool:
        """Whether the user holds a channel's permission; guests only explicitly."""
        may = not user.is_guest or permission in GUESTS_MAY
        return may and self.holds(user, channel.permissions[permission])

    def reads(self, user: User, channel: Channel) -> bool:
        """Whether the user may read messages of the channel."""
        return (
            channel.web
            or user.id in channel.inside
            or (not channel.private and not user.is_guest)
            or self.granted(user, channel, "can_add_subscribers_group")
            or self.granted(user, channel, "can_subscribe_group")
        )

    def sees(self, user: User, channel: Channel) -> bool:
        """Whether the user may see the channel, its settings and subscribers."""
        administers = self.granted(user, channel, "can_administer_channel_group")
        return user.is_admin or administers or self.reads(user, channel)

    def reads_message(self, user: User, message: Message) -> bool:
        if message.channel is None:
            return user.id in message.people
        channel = self.channels[message.channel]
        stays = channel.stays.get(user.id, [])
        was_there = any(after < message.id <= until for after, until in stays)
        return self.reads(user, channel) and (not channel.protected or was_there)

    def opens(self, user: User, file: int) -> bool:
        """Whether the user may read an uploaded file."""
        links = (one for one in self.messages.values() if file in one.files)
        return self.files[file] == user.id or any(self.reads_message(user, one) for one in links)

    def knows(self, user: User, other: User) -> bool:
        """Whether the user may see the other's name; for a visitor (0), only with web-public channels."""
        if user.id == 0 and not any(one.web and not one.archived for one in self.channels.values()):
            return False
        if not user.is_guest or self.guests_know_everybody or other.owner or user.id == other.id:
            return True
        pair = {user.id, other.id}
        return any(pair <= channel.inside for channel in self.channels.values()) or any(
            pair <= people for people in self.met
        )

    def sees_address(self, user: User, other: User) -> bool:
        """Whether the user may see the other's email address."""
        if user.id == other.id or other.owner:
            return True
        if user.id == 0:
            return False
        return self.knows(user, other) and user.role <= SHOWN_TO[other.visibility]

    # Permissions

    def administers(self, user: User, channel: Channel) -> bool:
        granted = self.granted(user, channel, "can_administer_channel_group")
        return self.sees(user, channel) and (user.is_admin or granted)

    def joins(self, user: User, channel: Channel) -> bool:
        """Whether the user may subscribe by themselves."""
        in_already = user.id in channel.inside
        return not channel.archived and (
            in_already or (self.reads(user, channel) and not user.is_guest)
        )

    def adds(self, user: User, channel: Channel) -> bool:
        """Whether the user may subscribe others."""
        return (
            not user.is_guest
            and self.joins(user, channel)
            and (
                self.holds(user, self.may_add_people)
                or self.administers(user, channel)
                or self.granted(user, channel, "can_add_subscribers_group")
            )
        )

    def removes(self, user: User, channel: Channel, other: User) -> bool:
        return self.sees(user, channel) and (
            user.id in (other.id, other.owner)
            or self.administers(user, channel)
            or self.granted(user, channel, "can_remove_subscribers_group")
        )

    def posts(self, user: User, channel: Channel) -> bool:
        at_home = user.id in channel.inside or (self.reads(user, channel) and not user.is_guest)
        send = self.granted(user, channel, "can_send_message_group")
        return at_home and send and not channel.archived

    def edits(self, user: User, message: Message) -> bool:
        return message.sender == user.id and self.reads_message(user, message)

    def retopics(self, user: User, message: Message) -> bool:
        """Whether the user may move the message to another topic."""
        if message.channel is None or self.channels[message.channel].archived:
            return False
        return self.reads_message(user, message)

    def moves(self, user: User, message: Message, target: Channel) -> bool:
        """Whether the user may move the message to another channel."""
        if message.channel in (None, target.id) or not self.retopics(user, message):
            return False
        home = self.channels[message.channel or 0]
        may = not user.is_guest or self.granted(
            user, home, "can_move_messages_out_of_channel_group"
        )
        return may and self.posts(user, target)

    def together(self, user: User, message: Message, mode: str) -> list[Message]:
        """Return the messages that move along with this one: only those the user may read."""
        place = (message.channel, message.topic)
        return [
            one
            for one in self.messages.values()
            if one.id == message.id
            or (
                (one.channel, one.topic) == place
                and (mode == "change_all" or (mode == "change_later" and one.id > message.id))
                and self.reads_message(user, one)
            )
        ]

    def deletes(self, user: User, message: Message) -> bool:
        sender = self.users[message.sender]
        own = user.id in (sender.id, sender.owner)
        channel = self.channels.get(message.channel or 0)
        any_here = channel is not None and self.granted(
            user, channel, "can_delete_any_message_group"
        )
        return self.reads_message(user, message) and (own or user.is_admin or any_here)

    def rules(self, user: User, other: User) -> bool:
        """Whether the user may change the other's account."""
        return user.is_admin and (other.role > OWNER or user.role == OWNER)

    def opens_to_web(self, web: bool) -> bool:
        """Whether a channel may have this value of web-public now."""
        return self.open_to_web or not web

    # Changes

    def enter(self, channel: Channel, user_id: int) -> None:
        if user_id not in channel.inside:
            channel.inside.add(user_id)
            newest = max(self.messages_ever, default=0)
            channel.stays.setdefault(user_id, []).append((newest, float("inf")))

    def leave(self, channel: Channel, user_id: int) -> None:
        if user_id in channel.inside:
            channel.inside.remove(user_id)
            after, _ = channel.stays[user_id].pop()
            channel.stays[user_id].append((after, max(self.messages_ever, default=0)))

    messages_ever: set[int] = field(default_factory=set)
    """IDs of all messages, deleted ones included."""
