"""Resolves names in a message for its sender: the renderer's lookups in the database. Reads only."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Final

from server_lite.access.channels import may_see
from server_lite.access.messages import visible_messages_sql
from server_lite.access.uploads import may_read_upload
from server_lite.access.users import accessible_user_ids
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME
from server_lite.ids import ChannelId, UserId
from server_lite.markup.lookup import (
    Channel,
    CustomEmoji,
    Group,
    Linkifier,
    Lookup,
    Person,
    Settings,
    Upload,
)
from server_lite.markup.render import topic_links
from server_lite.objects.messages import TopicLink
from server_lite.objects.organization import image_url
from server_lite.store import (
    channels,
    custom_emoji,
    linkifiers,
    settings,
    topics,
    uploads,
    user_groups,
    users,
)
from server_lite.store.connection import Db
from server_lite.store.personal_settings import setting
from server_lite.store.users import UserRow


def linkifiers_of(db: Db) -> Sequence[Linkifier]:
    """Return the organization's linkifiers, in the order they are applied."""
    return [
        Linkifier(pattern=one.pattern, url_template=one.url_template)
        for one in linkifiers.everything(db)
    ]


def _links_in(topic: str, lookup: Lookup) -> list[TopicLink]:
    links = topic_links(topic, lookup)
    return [{"text": link.text, "url": link.url} for link in links] if links else []


KNOWN_TOPICS: Final = 5_000
"""Topics whose links are kept."""
STEPS_OF_A_SEARCH: Final = 50
"""Steps of SQLite that take as long as matching a pattern against a topic."""


class Names:
    """`markup.lookup.Lookup` for one sender. `base_url` is the server's address for clients."""

    def __init__(self, db: Db, sender: UserRow, base_url: str = "") -> None:
        self._db = db
        self._sender = sender
        self._base_url = base_url
        self._linkifiers: Sequence[Linkifier] | None = None

    @property
    def asker(self) -> tuple[UserId, str]:
        """The sender and the server's address, on which all answers depend."""
        return self._sender.id, self._base_url

    # Most messages need no settings.

    @cached_property
    def settings(self) -> Settings:
        return Settings(
            realm_url=self._base_url,
            empty_topic_name=EMPTY_TOPIC_DISPLAY_NAME,
            default_code_language=settings.value(self._db, "default_code_block_language", ""),
            translate_emoticons=setting(self._sender, "translate_emoticons"),
            image_previews=settings.value(self._db, "inline_image_preview", True),
            today=datetime.now(UTC).date(),
        )

    @cached_property
    def _visible_ids(self) -> frozenset[UserId] | None:
        """IDs of the users whom the sender sees, of which a text may name a thousand; None: all."""
        return accessible_user_ids(self._db, self._sender)

    def people_named(self, full_name: str) -> Sequence[Person]:
        people = [
            Person(id=user.id, full_name=user.full_name, is_active=user.is_active)
            for user in users.named(self._db, full_name)
        ]
        if not people:
            return people
        visible_ids = self._visible_ids
        return [person for person in people if visible_ids is None or person.id in visible_ids]

    def person(self, user_id: UserId) -> Person | None:
        user = users.by_id(self._db, user_id)
        visible_ids = self._visible_ids
        if user is None or not (visible_ids is None or user.id in visible_ids):
            return None
        return Person(id=user.id, full_name=user.full_name, is_active=user.is_active)

    def group_named(self, name: str) -> Group | None:
        group = user_groups.by_name(self._db, name)
        if group is None or group.deactivated:
            return None
        return Group(
            id=group.id,
            name=group.name,
            description=group.description,
            is_system=group.is_system,
        )

    def channel_named(self, name: str) -> Channel | None:
        channel = channels.by_name(self._db, name)
        if channel is None or not may_see(self._db, self._sender, channel):
            return None
        return Channel(id=channel.id, name=channel.name)

    def latest_message_id(self, channel_id: ChannelId, topic: str) -> int | None:
        topic_row = topics.by_name(self._db, channel_id, topic)
        if topic_row is None:
            return None
        visible, values = visible_messages_sql(self._db, self._sender)
        newest: int | None = self._db.value(
            f"SELECT id FROM message WHERE topic_id = ? AND {visible} ORDER BY id DESC LIMIT 1",
            topic_row.id,
            *values,
        )
        return newest

    def custom_emoji(self, name: str) -> CustomEmoji | None:
        row = custom_emoji.active(self._db, name)
        return None if row is None else CustomEmoji(name=row.name, url=image_url(row))

    def linkifiers(self) -> Sequence[Linkifier]:
        if self._linkifiers is None:
            self._linkifiers = self._db.cached(linkifiers_of)
        return self._linkifiers

    def topic_links(self, topic: str) -> list[TopicLink]:
        """Return the links in a topic. They are kept until a linkifier changes, as a page has many topics."""
        linkifiers = self.linkifiers()
        if not linkifiers:
            return _links_in(topic, self) if "://" in topic else []
        known = self._db.memo(_links_in, "linkifier")
        links = known.get(topic)
        if links is None:
            self._db.count_steps(len(linkifiers) * STEPS_OF_A_SEARCH)
            links = _links_in(topic, self)
            if len(known) >= KNOWN_TOPICS:
                known.clear()
            known[topic] = links
        return links

    def upload(self, path_id: str) -> Upload | None:
        row = uploads.by_path(self._db, path_id)
        if row is None or not row.content_type.startswith(("audio/", "image/", "video/")):
            return None  # nothing of it is shown
        if not may_read_upload(self._db, self._sender, row):
            return None
        return Upload(content_type=row.content_type, dimensions=row.dimensions)
