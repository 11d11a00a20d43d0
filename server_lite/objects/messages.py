"""Messages as the API's JSON. Checks no access. Reads only."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final, Literal, NotRequired, cast

import orjson
from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME, emoji_type
from server_lite.ids import ChannelId, MessageId, UserId
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
from server_lite.store.messages import ME, FetchedRow, MessageRow
from server_lite.store.reactions import ReactionRow
from server_lite.store.submessages import SubmessageRow
from server_lite.store.users import UserRow


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
    page = _page_of(db, rows, reactions.of_messages(db, ids), submessages.of_messages(db, ids))
    return [_base(page, row, (links or {}).get(row.topic, [])) for row in rows]


def new_object(
    db: Db, row: MessageRow, links: list[TopicLink], extra: Sequence[SubmessageRow]
) -> MessageBase:
    """Return the base object of a message just stored, which has no reactions yet."""
    if row.channel_id is None or extra:
        return _base(_page_of(db, [row], {}, {row.id: extra}), row, links)
    return {
        **db.cached(_of_sender, row.sender_id, row.channel_id),
        "id": row.id,
        "timestamp": int(row.timestamp),
        "client": row.client,
        "is_me_message": row.content.startswith(ME),
        "topic_links": links,
    }


def _of_sender(db: Db, sender_id: UserId, channel_id: ChannelId) -> MessageBase:
    """Return an object with what all new messages of a sender in a channel have in common."""
    page = _Page(db, {sender_id}, {channel_id}, {None}, {}, {})
    message = page.place(channel_id, None, [])
    page.fill(message, MessageId(0), sender_id, 0, "", is_me_message=False)
    return message


def message_objects(
    db: Db,
    rows: Sequence[FetchedRow],
    flags: Mapping[int, list[str]],
    form: Form,
    links: TopicLinks | None = None,
) -> list[MessageObject]:
    """Return the Message objects as fetched: `rows` have the text that the client wants.

    `flags` has the user's flags of every message.
    """
    ids = [row[0] for row in rows]
    page = _Page(
        db,
        {row[1] for row in rows},
        {row[2] for row in rows},
        {row[3] for row in rows},
        reactions.of_messages(db, ids),
        submessages.of_messages(db, ids),
    )
    links_by_topic = links or {}
    policy = edit_history_policy(db)
    content_type: Literal["text/html", "text/x-markdown"] = (
        "text/html" if form.apply_markdown else "text/x-markdown"
    )
    places: dict[tuple[ChannelId | None, int | None, str], MessageObject] = {}
    objects: list[MessageObject] = []
    # A page may have thousands of messages: whatever is done for each of them counts.
    for (
        message_id,
        sender_id,
        channel_id,
        conversation_id,
        topic,
        text,
        timestamp,
        client,
        is_me_message,
        last_edit,
        last_moved,
        edit_history,
    ) in rows:
        at = (channel_id, conversation_id, topic)
        place = places.get(at)
        if place is None:
            base = page.place(channel_id, conversation_id, links_by_topic.get(topic, []))
            place = places[at] = cast(MessageObject, base)  # used nowhere else
            place["subject"] = "" if channel_id is None else form.topic(topic)
            place["content_type"] = content_type
        message = place.copy()
        page.fill(message, message_id, sender_id, timestamp, client, is_me_message == 1)
        message["content"] = text
        message["flags"] = flags[message_id]
        if last_edit is not None:
            message["last_edit_timestamp"] = last_edit
        if last_moved is not None:
            message["last_moved_timestamp"] = last_moved
        if message_id in page.reactions:
            for reaction in message["reactions"]:
                kind = reaction["reaction_type"]
                reaction["reaction_type"] = emoji_type(kind, zulip_program=form.zulip_program)
        if edit_history is not None:
            entries = shown_entries(orjson.loads(edit_history), policy)
            if history := _history(entries, form):
                message["edit_history"] = history
        objects.append(message)
    return objects


def edit_history_policy(db: Db) -> str:
    """Return which edits are visible to users: `all`, `moves` or `none`."""
    policy: str = settings.value(db, "message_edit_history_visibility_policy", "all")
    return policy


def shown_entries(history: list[Entry], policy: str) -> list[Entry]:
    """Return the edits of a message that may be shown, newest first; `history` has all."""
    if policy == "all":
        return history
    if policy == "none":
        return []
    moves = [
        {name: value for name, value in entry.items() if "content" not in name}
        for entry in history
        if "prev_topic" in entry or "prev_stream" in entry
    ]
    return cast(list[Entry], moves)


def _history(shown: Sequence[Entry], form: Form) -> list[EditEntry]:
    entries = [
        {
            name: form.topic(str(value)) if name in ("topic", "prev_topic") else value
            for name, value in entry.items()
        }
        for entry in shown
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
        sender_ids: set[UserId],
        channel_ids: set[ChannelId | None],
        conversation_ids: set[int | None],
        reactions: Mapping[int, Sequence[ReactionRow]],
        submessages: Mapping[int, Sequence[SubmessageRow]],
    ) -> None:
        self.domain: Final = realm.domain(db)
        self.channel_names: Final = {
            channel_id: channel.name
            for channel_id in channel_ids
            if channel_id is not None and (channel := channels.by_id(db, channel_id)) is not None
        }
        together = conversations.by_ids(db, [one for one in conversation_ids if one is not None])
        self.reactions: Final = reactions
        self.people: Final = _people(
            db,
            sender_ids.union(
                *(one.members for one in together.values()),
                (one.user_id for some in self.reactions.values() for one in some),
            ),
            self.domain,
        )
        self.participants: Final = {
            conversation_id: [self._participant(member) for member in one.members]
            for conversation_id, one in together.items()
        }
        self.submessages: Final = submessages

    def place(
        self, channel_id: ChannelId | None, conversation_id: int | None, links: list[TopicLink]
    ) -> MessageBase:
        """Return an object with what all messages of a topic or direct conversation have in common.

        `fill` completes it, or a copy of it. Its lists must not be mutated.
        """
        message: MessageBase = {
            "id": 0,
            "type": "private",
            "display_recipient": "",
            "recipient_id": 0,
            "sender_id": UserId(0),
            "sender_email": "",
            "sender_full_name": "",
            "sender_realm_str": "",
            "timestamp": 0,
            "client": "",
            "avatar_url": "",
            "is_me_message": False,
            "topic_links": links,
            "reactions": [],
            "submessages": [],
        }
        # The recipient is a number: even ones are channels, odd ones conversations.
        if channel_id is not None:
            message["type"] = "stream"
            message["stream_id"] = channel_id
            message["display_recipient"] = self.channel_names[channel_id]
            message["recipient_id"] = 2 * channel_id
        else:
            assert conversation_id is not None
            message["display_recipient"] = self.participants[conversation_id]
            message["recipient_id"] = 2 * conversation_id + 1
        return message

    def fill(
        self,
        message: MessageBase,
        message_id: MessageId,
        sender_id: UserId,
        timestamp: int,
        client: str,
        is_me_message: bool,
    ) -> None:
        """Add what a message has of its own: sender, reactions, submessages."""
        sender = self.people[sender_id]
        message["id"] = message_id
        message["sender_id"] = sender_id
        message["sender_email"] = sender.email
        message["sender_full_name"] = sender.full_name
        message["timestamp"] = timestamp
        message["client"] = client
        message["avatar_url"] = sender.avatar_url
        message["is_me_message"] = is_me_message
        if message_id in self.reactions:
            message["reactions"] = [self._reaction(one) for one in self.reactions[message_id]]
        if message_id in self.submessages:
            message["submessages"] = [
                submessage_object(one) for one in self.submessages[message_id]
            ]

    def _reaction(self, row: ReactionRow) -> ReactionObject:
        person = self.people[row.user_id]
        user = reactor(row.user_id, person.email, person.full_name)
        return {**reaction_object(row), "user": user}

    def _participant(self, user_id: UserId) -> Participant:
        person = self.people[user_id]
        return {
            "id": user_id,
            "email": person.email,
            "full_name": person.full_name,
            "is_mirror_dummy": False,
        }


def _page_of(
    db: Db,
    rows: Sequence[MessageRow],
    reactions: Mapping[int, Sequence[ReactionRow]],
    submessages: Mapping[int, Sequence[SubmessageRow]],
) -> _Page:
    return _Page(
        db,
        {row.sender_id for row in rows},
        {row.channel_id for row in rows},
        {row.conversation_id for row in rows},
        reactions,
        submessages,
    )


def _base(page: _Page, row: MessageRow, links: list[TopicLink]) -> MessageBase:
    message = page.place(row.channel_id, row.conversation_id, links)
    is_me_message = row.content.startswith(ME)
    page.fill(message, row.id, row.sender_id, int(row.timestamp), row.client, is_me_message)
    if row.last_edit is not None:
        message["last_edit_timestamp"] = int(row.last_edit)
    if row.last_moved is not None:
        message["last_moved_timestamp"] = int(row.last_moved)
    return message


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
