"""A small example organization that answers the renderer's lookups. For tests only."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from server_lite.ids import ChannelId, UserId
from server_lite.markup.lookup import (
    Channel,
    CustomEmoji,
    Group,
    Linkifier,
    Person,
    Settings,
    Upload,
)

PEOPLE: Final = (
    Person(id=UserId(7), full_name="Ada Lovelace"),
    Person(id=UserId(8), full_name="Zoë Ångström"),
    Person(id=UserId(9), full_name="Sam Twin"),
    Person(id=UserId(10), full_name="Sam Twin"),
    Person(id=UserId(11), full_name="Gone Gina", is_active=False),
)
GROUPS: Final = (
    Group(id=3, name="backend", description="Server people"),
    Group(id=4, name="role:members", description="Everybody but guests", is_system=True),
)
CHANNELS: Final = (
    Channel(id=ChannelId(21), name="general"),
    Channel(id=ChannelId(22), name="日本 team/x.y"),
    Channel(id=ChannelId(23), name="has <lt>"),
)
LATEST: Final = {(21, "lunch"): 214, (21, ""): 200}
EMOJI: Final = (
    CustomEmoji(name="party_blob", url="/user_avatars/1/emoji/images/11.png"),
    CustomEmoji(name="tada", url="/user_avatars/1/emoji/images/12.png"),
)
LINKIFIERS: Final = (
    Linkifier(pattern=r"#(?P<id>[0-9]+)", url_template="https://bugs.example.com/{id}"),
    Linkifier(
        pattern=r"(?P<repo>[a-z]+)@(?P<sha>[0-9a-f]{7})",
        url_template="https://git.example.com/{repo}{/sha}{?repo}",
    ),
)
UPLOADS: Final = {
    "1/ab/cat.png": Upload(
        content_type="image/png",
        dimensions=(1920, 1080),
        thumbnail="/user_uploads/thumbnail/1/ab/cat.png/840x560.webp",
    ),
    "1/ab/dance.gif": Upload(content_type="image/gif", dimensions=(64, 48), is_animated=True),
    "1/ab/film.mp4": Upload(content_type="video/mp4"),
    "1/ab/song.mp3": Upload(content_type="audio/mpeg"),
    "1/ab/notes.txt": Upload(content_type="text/plain"),
}


@dataclass
class Organization:
    """Answers from the rows above, and counts each kind of lookup."""

    settings: Settings = field(
        default_factory=lambda: Settings(
            realm_url="https://chat.example.com",
            translate_emoticons=True,
            today=date(2030, 1, 31),
        )
    )
    patterns: tuple[Linkifier, ...] = LINKIFIERS
    asked: Counter[str] = field(default_factory=Counter)

    def people_named(self, full_name: str) -> list[Person]:
        self.asked["people_named"] += 1
        return [person for person in PEOPLE if person.full_name.casefold() == full_name.casefold()]

    def person(self, user_id: int) -> Person | None:
        self.asked["person"] += 1
        return next((person for person in PEOPLE if person.id == user_id), None)

    def group_named(self, name: str) -> Group | None:
        self.asked["group_named"] += 1
        return next((group for group in GROUPS if group.name == name.casefold()), None)

    def channel_named(self, name: str) -> Channel | None:
        self.asked["channel_named"] += 1
        return next((channel for channel in CHANNELS if channel.name == name.casefold()), None)

    def latest_message_id(self, channel_id: int, topic: str) -> int | None:
        self.asked["latest_message_id"] += 1
        return LATEST.get((channel_id, topic))

    def custom_emoji(self, name: str) -> CustomEmoji | None:
        self.asked["custom_emoji"] += 1
        return next((emoji for emoji in EMOJI if emoji.name == name), None)

    def linkifiers(self) -> tuple[Linkifier, ...]:
        self.asked["linkifiers"] += 1
        return self.patterns

    def upload(self, path_id: str) -> Upload | None:
        self.asked["upload"] += 1
        return UPLOADS.get(path_id)
