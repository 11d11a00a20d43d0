"""The export of a Slack workspace as a source of records, in the order of the plain form. Reads only."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from server_lite.data_import.checked import Row, checked
from server_lite.data_import.digest import digest_of
from server_lite.data_import.json_rows import rows as json_rows
from server_lite.data_import.slack import rows
from server_lite.data_import.slack.channels import Room, Rooms
from server_lite.data_import.slack.messages import Files, Messages, RoomMessage
from server_lite.data_import.slack.people import People
from server_lite.data_import.source import Named, Placed, walk
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.paths import is_inside
from server_lite.store.backups import Tell

USERS: Final = "users.json"
CHANNELS: Final = "channels.json"
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.json")


class SlackExport:
    """`Source` for an unpacked export; `path` is the file as given."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.numbers_stay = False
        self.left_out: Counter[str] = Counter()
        self._origin = ""
        self._keys: dict[tuple[str, int], str] = {}
        self._folder = folder
        self._files = Files(folder, self.left_out)

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield all records. A first pass over the days finds bots, unknown senders and files."""
        places = {
            name: list(self._list(f"{name}.json", rows.SlackConversation))
            for name in ("channels", "groups", "mpims", "dms")
        }
        oldest = min((one.created for one in places["channels"] if one.created), default=0.0)
        people = People(list(self._list(USERS, rows.User)), oldest)
        rooms = Rooms(people)
        for name in ("channels", "groups"):
            for place in places[name]:
                rooms.add_channel(place, is_private=name == "groups")
        for name in ("mpims", "dms"):
            for place in places[name]:
                rooms.add_conversation(place)
        first = min(places["channels"], key=lambda one: (one.created or 0, one.id), default=None)
        self._origin = "" if first is None else f"slack {first.id}"
        days = self._days(rooms.everything)
        one, two = walk(tell, 0, 30), walk(tell, 30, 100)
        for number, day in enumerate(days):
            for _, message, _ in self._messages_of_day(day, rooms.everything):
                people.meet(message)
                self._files.meet(message, people)
            one(number, len(days))
        messages = Messages(people, rooms, self._files, self.left_out)
        self._keys = {("person", number): key for key, number in people.numbers()}
        self._keys |= {
            ("channel", room.number): room.key for room in rooms.everything if room.number
        }
        yield str(self.path), form.Organization(settings={"name": self._name()})
        yield from people.records()
        yield from rooms.records()
        yield from self._files.records()
        for number, day in enumerate(days):
            yield from messages.records(list(self._messages_of_day(day, rooms.everything)))
            two(number, len(days))
        if people.names.made_up:
            self.left_out["email addresses that the export does not have"] = people.names.made_up

    def _name(self) -> str:
        """Return the organization's name from the file name, as the export does not contain it."""
        name = self.path.name.removesuffix(".zip").partition(" Slack export")[0]
        kept = "".join(c for c in name if c.isprintable()).strip()
        return kept[:40] or "Slack"

    def _list(self, name: str, kind: type[Row]) -> Iterator[Row]:
        path = self._folder / name
        if path.is_file():
            for number, (_, row) in enumerate(json_rows(path), start=1):
                yield checked(kind, row, f"Element {number} of {name}")

    def _days(self, everything: list[Room]) -> list[str]:
        """Return the names of all files with messages, by day."""
        names = set[str]()
        for room in everything:
            if not is_inside(room.folder) or "/" in room.folder:
                raise StartError(f"The name {room.folder!r} is none of a folder.")
            folder = self._folder / room.folder
            if folder.is_dir():
                names.update(one.name for one in folder.iterdir() if _DAY.fullmatch(one.name))
        return sorted(names)

    def _messages_of_day(self, day: str, everything: list[Room]) -> Iterator[RoomMessage]:
        for room in everything:
            path = self._folder / room.folder / day
            if path.is_file():
                where = f"{room.folder}/{day}"
                for number, (_, row) in enumerate(json_rows(path), start=1):
                    message = checked(rows.Message, row, f"Element {number} of {where}")
                    yield room, message, row if isinstance(row, dict) else {}

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        """Return the path of a file; an export has no emoji and no avatars."""
        assert kind == "uploads"
        return self._files.find(number)

    def digest(self) -> str:
        """Return the digest of all files by their paths."""
        return digest_of(self._folder)

    def origin(self) -> str:
        """Identify the workspace by its oldest channel, which cannot be deleted."""
        return self._origin

    def key(self, record: Named) -> str:
        """Return Slack's key of people and channels, because names change."""
        return self._keys.get((record.type, record.id)) or self._files.keys.of(record)
