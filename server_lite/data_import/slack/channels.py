"""Channels and conversations of a workspace: their IDs and names here, and their records. Reads only."""

from collections.abc import Iterator
from typing import Final

from server_lite.data_import.names import ChannelNames
from server_lite.data_import.slack import rows
from server_lite.data_import.slack.people import People
from server_lite.data_import.source import Placed
from server_lite.dataclass import dataclass
from server_lite.export import format as form
from server_lite.ids import ChannelId
from server_lite.markup.slack import markdown

LONGEST_DESCRIPTION: Final = 1024
COLORS: Final = ("#76ce90", "#fae589", "#a6c7e5", "#e79ab5", "#bfd56f", "#f4ae55")


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A folder of messages: a channel, or a conversation of these people."""

    key: str
    folder: str
    number: ChannelId | None = None
    name: str = ""
    members: tuple[int, ...] = ()


class Rooms:
    """Channels and conversations of the four lists in order; `records` yields the channels."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._channels: list[tuple[Room, rows.SlackConversation, bool]] = []
        self._names = ChannelNames()
        self.everything: list[Room] = []
        self._by_key: dict[str, Room] = {}

    def add_channel(self, place: rows.SlackConversation, *, is_private: bool) -> None:
        """Add a channel of channels.json or groups.json."""
        room = Room(
            key=place.id,
            folder=place.name or place.id,
            number=ChannelId(len(self._channels) + 1),
            name=self._names.name(place.name or place.id),
        )
        self._channels.append((room, place, is_private))
        self._know(room)

    def add_conversation(self, place: rows.SlackConversation) -> None:
        """Add a conversation: of mpims.json with a folder named after it, of dms.json after its ID."""
        members = {
            person.number for key in place.members or () if (person := self._people.known(key))
        }
        self._know(
            Room(key=place.id, folder=place.name or place.id, members=tuple(sorted(members)))
        )

    def _know(self, room: Room) -> None:
        self.everything.append(room)
        self._by_key[room.key] = room

    def by_key(self, key: str) -> Room | None:
        """Return a room by its Slack ID."""
        return self._by_key.get(key)

    def records(self) -> Iterator[Placed]:
        """Yield channels with their subscribers; Slack does not export since when."""
        for room, place, is_private in self._channels:
            assert room.number is not None
            creator = self._people.known(place.creator) if place.creator else None
            members = sorted(
                {
                    person.number
                    for key in place.members or ()
                    if (person := self._people.known(key))
                }
            )
            color = COLORS[room.number % len(COLORS)]
            yield (
                f"The channel {place.id}",
                form.Channel(
                    id=room.number,
                    name=room.name,
                    description=markdown((place.purpose and place.purpose.value) or "")[
                        :LONGEST_DESCRIPTION
                    ],
                    creator=None if creator is None else creator.number,
                    created=place.created or 0.0,
                    is_private=is_private,
                    is_archived=bool(place.is_archived),
                    is_default=bool(place.is_general),
                    people=[
                        form.Membership(person=number, color=color, periods=[(0, None)])
                        for number in members
                    ],
                ),
            )
