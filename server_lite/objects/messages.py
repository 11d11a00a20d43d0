"""Messages as the API's JSON. Checks no access. Reads only."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final, Literal, NotRequired, cast

from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME, emoji_type
from server_lite.ids import UserId
from server_lite.objects.reactions import (
    ReactionObject,
    reaction_object,
    reactor,
    unknown_reactor,
)
from server_lite.objects.submessages import SubmessageObject, submessage_object
from server_lite.objects.users import (
    HIDDEN_NAME,
    api_email,
    avatar_url,
    drawn_avatar_url,
    hidden_email,
)
from server_lite.store import (
    channels,
    conversations,
    reactions,
    realm,
    settings,
    submessages,
    users,
)
from server_lite.store.connection import Db
from server_lite.store.history import Entry
from server_lite.store.messages import MessageRow
from server_lite.store.reactions import ReactionRow
from server_lite.store.submessages import SubmessageRow
from server_lite.store.users import UserRow

ME: Final = "/me "


class TopicLink(TypedDict):
    """A link that a linkifier found in a topic."""

    text: str
    url: str


TopicLinks = Mapping[str, list[TopicLink]]
"""Links found in topics, by topic; topics without any may be left out."""


class Participant(TypedDict):
    """A participant of a direct conversation."""

    id: int
    email: str
    full_name: str
    is_mirror_dummy: bool


class EditEntry(TypedDict, total=False):
    """An edit: user and time (UNIX seconds), and previous values of what it changed."""

    user_id: UserId | None
    timestamp: int
    prev_content: str
    prev_rendered_content: str
    topic: str
    prev_topic: str
    stream: int
    prev_stream: int


class MessageBase(TypedDict):
    """A message without the parts that depend on the client. Times in UNIX seconds.

    `display_recipient` is the channel's name, or all participants.
    """

    id: int
    type: Literal["stream", "private"]
    stream_id: NotRequired[int]
    display_recipient: str | list[Participant]
    recipient_id: int
    sender_id: UserId
    sender_email: str
    sender_full_name: str
    sender_realm_str: str
    timestamp: int
    client: str
    avatar_url: str
    is_me_message: bool
    topic_links: list[TopicLink]
    reactions: list[ReactionObject]
    submessages: list[SubmessageObject]
    last_edit_timestamp: NotRequired[int]
    last_moved_timestamp: NotRequired[int]
    edit_history: NotRequired[list[EditEntry]]
    match_content: NotRequired[str]
    match_subject: NotRequired[str]


class MessageObject(MessageBase):
    """A message as fetched: `subject` is its topic, `flags` are the user's.

    `match_content` and `match_subject`, with matches highlighted, are included for searches.
    """

    subject: str
    content: str
    content_type: Literal["text/html", "text/x-markdown"]
    flags: list[str]


class UnknownSender(TypedDict):
    """Fields that replace those of a sender invisible to the user."""

    sender_full_name: str
    sender_email: str
    avatar_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The format in which a client wants its messages."""

    apply_markdown: bool = True
    empty_topic_name: bool = False
    zulip_program: bool = False
    """See `emoji_type`."""

    def topic(self, name: str) -> str:
        """Return the topic as this client shows it."""
        return name if name or self.empty_topic_name else EMPTY_TOPIC_DISPLAY_NAME


def base_objects(
    db: Db, rows: Sequence[MessageRow], links: TopicLinks | None = None
) -> list[MessageBase]:
    """Return the Message objects without the parts that depend on the client: content and topic."""
    ids = [row.id for row in rows]
    page = _Page(db, rows, reactions.of_messages(db, ids), submessages.of_messages(db, ids))
    return [page.base(row, (links or {}).get(row.topic, [])) for row in rows]


def new_object(
    db: Db, row: MessageRow, links: list[TopicLink], extra: Sequence[SubmessageRow]
) -> MessageBase:
    """Return the base object of a message just stored, which has no reactions yet."""
    return _Page(db, [row], {}, {row.id: extra}).base(row, links)


def message_objects(
    db: Db,
    rows: Sequence[MessageRow],
    flags: Mapping[int, list[str]],
    form: Form,
    links: TopicLinks | None = None,
) -> list[MessageObject]:
    """Return the Message objects as fetched: `flags` has the user's flags of every message."""
    policy = edit_history_policy(db)
    objects: list[MessageObject] = []
    for row, base in zip(rows, base_objects(db, rows, links), strict=True):
        message = cast(MessageObject, base)  # used nowhere else, so it needs no copy
        message["subject"] = form.topic(row.topic) if row.channel_id is not None else ""
        message["content"] = row.rendered if form.apply_markdown else row.content
        message["content_type"] = "text/html" if form.apply_markdown else "text/x-markdown"
        message["flags"] = flags[row.id]
        for reaction in message["reactions"]:
            kind = reaction["reaction_type"]
            reaction["reaction_type"] = emoji_type(kind, zulip_program=form.zulip_program)
        if row.edit_history and (history := _history(row, form, policy)):
            message["edit_history"] = history
        objects.append(message)
    return objects


def edit_history_policy(db: Db) -> str:
    """Return which edits are visible to users: `all`, `moves` or `none`."""
    policy: str = settings.value(db, "message_edit_history_visibility_policy", "all")
    return policy


def edit_entries(row: MessageRow, policy: str) -> list[Entry]:
    """Return the edits of a message that may be shown, newest first."""
    if policy == "all":
        return row.edit_history
    if policy == "none":
        return []
    moves = [
        {name: value for name, value in entry.items() if "content" not in name}
        for entry in row.edit_history
        if "prev_topic" in entry or "prev_stream" in entry
    ]
    return cast(list[Entry], moves)


def _history(row: MessageRow, form: Form, policy: str) -> list[EditEntry]:
    entries = [
        {
            name: form.topic(str(value)) if name in ("topic", "prev_topic") else value
            for name, value in entry.items()
        }
        for entry in edit_entries(row, policy)
    ]
    return cast(list[EditEntry], entries)


def unknown_sender(sender_id: UserId, domain: str) -> UnknownSender:
    """Return the fields that hide a sender invisible to the user."""
    return {
        "sender_full_name": HIDDEN_NAME,
        "sender_email": hidden_email(sender_id, domain),
        "avatar_url": drawn_avatar_url(sender_id),
    }


def with_unknown(message: MessageObject, unknown: Collection[int], domain: str) -> MessageObject:
    """Return the Message object for a user to whom these senders and reactors are invisible."""
    result: MessageObject = {
        **message,
        "reactions": [
            {**one, "user": unknown_reactor(one["user_id"], domain)}
            if one["user_id"] in unknown
            else one
            for one in message["reactions"]
        ],
    }
    if message["sender_id"] not in unknown:
        return result
    return {**result, **unknown_sender(message["sender_id"], domain)}


def shown_to_anonymous(message: MessageObject, domain: str) -> MessageObject:
    """Return the Message object for an anonymous visitor: no addresses, no edit history."""
    result: MessageObject = {
        **message,
        "sender_email": hidden_email(message["sender_id"], domain),
        "reactions": [_without_address(one, domain) for one in message["reactions"]],
    }
    result.pop("edit_history", None)
    return result


def _without_address(reaction: ReactionObject, domain: str) -> ReactionObject:
    name = reaction["user"]["full_name"]
    person = reactor(reaction["user_id"], hidden_email(reaction["user_id"], domain), name)
    return {**reaction, "user": person}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The fields of a user that messages contain."""

    email: str
    full_name: str
    avatar_url: str


class _Page:
    """Data for the objects of some messages, read in bulk."""

    def __init__(
        self,
        db: Db,
        rows: Sequence[MessageRow],
        reactions: Mapping[int, Sequence[ReactionRow]],
        submessages: Mapping[int, Sequence[SubmessageRow]],
    ) -> None:
        self.domain: Final = realm.domain(db)
        self.channels: Final = {
            channel_id: channel
            for channel_id in {row.channel_id for row in rows if row.channel_id is not None}
            if (channel := channels.by_id(db, channel_id)) is not None
        }
        self.conversations: Final = conversations.by_ids(
            db, {row.conversation_id for row in rows if row.conversation_id is not None}
        )
        self.reactions: Final = reactions
        self.people: Final = _people(
            db,
            {row.sender_id for row in rows}.union(
                *(c.members for c in self.conversations.values()),
                (one.user_id for some in self.reactions.values() for one in some),
            ),
            self.domain,
        )
        self.submessages: Final = submessages

    def base(self, row: MessageRow, links: list[TopicLink]) -> MessageBase:
        sender = self.people[row.sender_id]
        reactions = self.reactions.get(row.id)  # most have none, and need no loop
        submessages = self.submessages.get(row.id)
        message: MessageBase = {
            "id": row.id,
            "type": "private" if row.channel_id is None else "stream",
            "display_recipient": self._readers(row),
            "recipient_id": _recipient_id(row),
            "sender_id": row.sender_id,
            "sender_email": sender.email,
            "sender_full_name": sender.full_name,
            "sender_realm_str": "",
            "timestamp": int(row.timestamp),
            "client": row.client,
            "avatar_url": sender.avatar_url,
            "is_me_message": row.content.startswith(ME),
            "topic_links": links,
            "reactions": [self._reaction(one) for one in reactions] if reactions else [],
            "submessages": [submessage_object(one) for one in submessages] if submessages else [],
        }
        if row.channel_id is not None:
            message["stream_id"] = row.channel_id
        if row.last_edit is not None:
            message["last_edit_timestamp"] = int(row.last_edit)
        if row.last_moved is not None:
            message["last_moved_timestamp"] = int(row.last_moved)
        return message

    def _reaction(self, row: ReactionRow) -> ReactionObject:
        person = self.people[row.user_id]
        user = reactor(row.user_id, person.email, person.full_name)
        return {**reaction_object(row), "user": user}

    def _readers(self, row: MessageRow) -> str | list[Participant]:
        if row.channel_id is not None:
            return self.channels[row.channel_id].name
        assert row.conversation_id is not None
        members = self.conversations[row.conversation_id].members
        return [self._participant(member) for member in members]

    def _participant(self, user_id: UserId) -> Participant:
        person = self.people[user_id]
        return {
            "id": user_id,
            "email": person.email,
            "full_name": person.full_name,
            "is_mirror_dummy": False,
        }


def _recipient_id(row: MessageRow) -> int:
    """Return a number for each recipient: even ones for channels, odd ones for conversations."""
    if row.channel_id is not None:
        return 2 * row.channel_id
    assert row.conversation_id is not None
    return 2 * row.conversation_id + 1


def _people(db: Db, ids: Iterable[UserId], domain: str) -> Mapping[Hashable, _Known]:
    """Return at least these people."""
    people = db.memo(_known, "user", "setting")
    for user_id in ids:
        if user_id not in people and (user := users.by_id(db, user_id)) is not None:
            people[user_id] = _known(user, domain)
    return people


def _known(user: UserRow, domain: str) -> _Known:
    return _Known(
        email=api_email(user, domain), full_name=user.full_name, avatar_url=avatar_url(user)
    )
