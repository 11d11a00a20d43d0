"""Messages of a workspace in order of time: threads become topics. Reads only."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from server_lite.access.uploads import REALM, safe_name
from server_lite.data_import.emoji import code_of
from server_lite.data_import.slack import rows
from server_lite.data_import.slack.channels import Room, Rooms
from server_lite.data_import.slack.people import People, sender_of
from server_lite.data_import.source import FileKeys, Placed
from server_lite.data_import.threads import Threads
from server_lite.export import format as form
from server_lite.ids import MessageId
from server_lite.markup import slack
from server_lite.markup.emoji import canonical_name

TOPIC: Final = "imported from Slack"
"""Topic of channel messages outside of threads."""
LONGEST: Final = 20_000
NOTHING_SAID: Final = frozenset(
    {
        *("channel_join", "channel_leave", "channel_name", "channel_topic", "channel_purpose"),
        *("group_join", "group_leave", "group_name", "pinned_item", "unpinned_item", "tombstone"),
    }
)
"""Subtypes of Slack's own notification messages."""
_ACTIONS: Final = frozenset({"me_message", "bot_add", "sh_room_created"})
_GONE: Final = frozenset({"tombstone", "hidden_by_limit"})
_EVERYBODY: Final = frozenset({"here", "channel", "everyone"})

RoomMessage = tuple[Room, rows.Message, dict[str, object]]


class Messages:
    """State of the pass through the days."""

    def __init__(
        self, people: People, rooms: Rooms, files: "Files", left_out: Counter[str]
    ) -> None:
        self._people = people
        self._rooms = rooms
        self._files = files
        self._left_out = left_out
        self._number = 0
        self._threads = Threads(TOPIC)

    def records(self, day: list[RoomMessage]) -> Iterator[Placed]:
        """Yield the messages of one day, of all rooms together."""
        for room, message, raw in sorted(day, key=lambda placed: _order(placed[1].ts)):
            record = self._message(room, message, raw)
            if record is not None:
                yield f"The message {message.ts} in {room.folder}", record

    def _message(
        self, room: Room, message: rows.Message, raw: dict[str, object]
    ) -> form.Message | None:
        key = sender_of(message)
        sender = None if key is None or key == "U00" else self._people.known(key)
        if sender is None or message.subtype in NOTHING_SAID:
            self._left_out["notes of Slack itself (joins, renames, pins)"] += 1
            return None
        content = self._content(message, raw)
        if not content:
            self._left_out["messages without a text"] += 1
            return None
        self._number += 1
        topic = "" if room.number is None else self._topic(room, message, content)
        edited = None if message.edited is None else float(message.edited.ts)
        return form.Message(
            id=MessageId(self._number),
            sender=sender.number,
            channel=room.number,
            topic=topic,
            people=[] if room.number else sorted({sender.number, *room.members}),
            content=content,
            time=float(message.ts),
            client="Slack",
            edited=edited,
            reactions=self._reactions(message),
        )

    # Texts

    def _content(self, message: rows.Message, raw: dict[str, object]) -> str:
        text = slack.markdown((message.text or "").replace("\0", ""), self._named)
        if not text.strip():
            text = slack.message_of(raw)
        if message.subtype in _ACTIONS and text:
            text = f"/me {text}"
        links = [link for file in message.files or () if (link := self._files.link(file))]
        content = "\n".join(part for part in (text.strip(), *links) if part)
        if len(content) > LONGEST:
            self._left_out["ends of messages that are too long"] += 1
            content = content[: LONGEST - 20] + "\n[message cut]"
        return content

    def _named(self, sign: str, name: str, label: str | None) -> str:
        """Convert mentions of people, channels and groups in a text."""
        if sign == "@":
            person = self._people.known(name)
            return f"@{label or name}" if person is None else self._people.mention(person)
        if sign == "#":
            room = self._rooms.by_key(name)
            room_name = None if room is None else room.name
            return f"#**{room_name}**" if room_name else f"#{label or name}"
        word = name.partition("^")[0]
        return "@**all**" if word in _EVERYBODY else (label or f"@{word}")

    # Topics

    def _topic(self, room: Room, message: rows.Message, content: str) -> str:
        """Return the topic that messages of a thread share."""
        if message.thread_ts is None:
            return TOPIC
        first = content if message.ts == message.thread_ts else ""
        return self._threads.topic(room.key, message.thread_ts, first, float(message.thread_ts))

    # Reactions

    def _reactions(self, message: rows.Message) -> list[form.Reaction]:
        reactions: dict[tuple[int, str], form.Reaction] = {}
        for reaction in message.reactions or ():
            code = code_of(reaction.name)
            if code is None:
                self._left_out["reactions with emoji that are not known here"] += len(
                    reaction.users or ()
                )
                continue
            for key in reaction.users or ():
                person = self._people.known(key)
                if person is not None:
                    reactions[person.number, code] = form.Reaction(
                        person=person.number,
                        name=canonical_name(code),
                        kind="unicode_emoji",
                        code=code,
                    )
        return list(reactions.values())


def _order(stamp: str) -> tuple[int, str]:
    seconds, _, fraction = stamp.partition(".")
    return int(seconds), fraction.ljust(9, "0")


class Files:
    """Files in the export, and links to those that are not."""

    def __init__(self, folder: Path, left_out: Counter[str]) -> None:
        self._folder = folder
        self._left_out = left_out
        self._paths: dict[str, str] = {}
        self._placed: list[tuple[form.File, Path]] = []
        self.keys: Final = FileKeys()

    def meet(self, message: rows.Message, people: People) -> None:
        """Add the files of a message that are in the export."""
        sender = people.known(sender_of(message) or "")
        for file in message.files or ():
            path = None if file.id is None else self._inside(file.id)
            if sender is None or path is None or file.id is None or file.id in self._paths:
                continue
            number = len(self._placed) + 1
            name = file.name or file.title or path.name
            self._paths[file.id] = f"{REALM}/slack/{number}/{safe_name(name)}"
            record = form.File(
                id=number,
                path=self._paths[file.id],
                name=name,
                content_type=(file.mimetype or "application/octet-stream")[:200],
                person=sender.number,
                created=float(message.ts),
            )
            self.keys.add(record)
            self._placed.append((record, path))

    def _inside(self, key: str) -> Path | None:
        """Return `__uploads/KEY/NAME`, where export tools put the files they downloaded."""
        if not re.fullmatch(r"[A-Za-z0-9_-]+", key):
            return None
        folder = self._folder / "__uploads" / key
        files = [one for one in folder.glob("*") if one.is_file()] if folder.is_dir() else []
        return files[0] if len(files) == 1 else None

    def records(self) -> Iterator[Placed]:
        """Yield the records of files in the export."""
        for record, _ in self._placed:
            yield f"The file {record.name!r}", record

    def find(self, number: int) -> Path:
        """Return the path of a file."""
        return self._placed[number - 1][1]

    def link(self, file: rows.File) -> str:
        """Return a link to a file; without the token that Slack adds to its URL."""
        name = re.sub(r"[\[\]\r\n]+", " ", file.title or file.name or "file").strip() or "file"
        if file.id is not None and file.id in self._paths:
            return f"[{name}](/user_uploads/{self._paths[file.id]})"
        address = (file.permalink or file.url_private or "").partition("?")[0]
        if file.mode in _GONE or not re.fullmatch(r"https://[^\s()<>]{1,1000}", address):
            self._left_out["files that Slack had deleted"] += 1
            return f"*{name}* (deleted)"
        self._left_out["files that stay with Slack, as links"] += 1
        return f"[{name}]({address})"
