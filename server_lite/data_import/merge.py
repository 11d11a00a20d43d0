"""Merges a later export of an organization imported before: yields what is new, with IDs used here.

Imported rows stay as they are here; they are recognized by their key in the export. Messages are new if they
are newer than the newest of the previous import: deleted ones do not return. Nothing is written here.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal

from server_lite.access.uploads import REALM, safe_name
from server_lite.data_import.source import Named, Placed, Source
from server_lite.dataclass import dataclass
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.ids import ChannelId, MessageId
from server_lite.store import channels, imported, users
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupSetting

TABLES: Final = {
    "person": "user",
    "group": "user_group",
    "folder": "channel_folder",
    "channel": "channel",
    "emoji": "custom_emoji",
    "file": "upload",
}
"""Types of records with IDs, and the tables of their rows."""
_FIRST_OWN_GROUP: Final = 100
_MENTION: Final = re.compile(r"(@_?\*\*[^*\n|]{1,120}\|)([0-9]{1,16})(\*\*)")
_UPLOAD: Final = re.compile(r"(?<=/user_uploads/)[^\s)\"'<>]{1,500}")
_CHANNEL: Final = re.compile(r"(#narrow/(?:channel|stream)/)([0-9]{1,16})(?=[-/])")
_NEAR: Final = re.compile(r"(#narrow/[^\s)]{1,400}?/(?:near|with)/)([0-9]{1,16})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """Changes of an existing channel: new users join; users who left a private channel are removed."""

    channel: ChannelId
    come: list[form.Membership]
    stay: frozenset[int] | None
    """The export's users in a private channel: all other users from the export are removed."""


Change = form.Record | Members


class Merge:
    """Yields the new ones among the records of a source; batch by batch, in their order."""

    def __init__(self, db: Db, source: Source, left_out: Counter[str]) -> None:
        self._db = db
        self._source = source
        self._left_out = left_out
        before = imported.state(db)
        self._last = before.last_number if source.numbers_stay else 0
        self._until = before.until
        self._free = {
            kind: imported.highest_number(db, table) + 1 for kind, table in TABLES.items()
        }
        self._more = imported.highest_number(db, "message") - self._last
        """Offset from the ID of a new message in the export to the ID here."""
        self._spans = [*before.spans, (self._last + 1, self._more)]
        self._known = imported.everything(db)
        self._here: dict[tuple[str, int], int] = {}
        """(kind, ID in this export) -> ID here."""
        self._there: dict[tuple[str, int], int] = {}
        self._here["person", users.NOTIFICATION_BOT] = users.NOTIFICATION_BOT
        self._learned: list[tuple[str, str, int]] = []
        self._new = set[tuple[str, int]]()
        """(kind, ID here) of new objects."""
        self._paths: dict[str, str] = {}
        self._closed = set[int]()
        """Channels in the export whose messages would be visible to others here."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """For the next import: offsets of message IDs."""
        return self._spans if self._source.numbers_stay else []

    def there(self, kind: str, number: int) -> int:
        """Return the ID in this export of an object that is new here."""
        return self._there[kind, number]

    def batch(self, placed: Iterable[Placed]) -> Iterator[tuple[str, Change]]:
        """Yield the new records. A record may refer to later ones of the same batch."""
        whole = list(placed)
        for _, record in whole:
            if isinstance(record, Named):
                self._recognize(record)
        for where, record in whole:
            new = self._translated(record)
            if new is not None:
                yield where, new

    def learned(self) -> list[tuple[str, str, int]]:
        """Return (kind, key in the export, ID here) of objects recognized since the previous call."""
        learned, self._learned = self._learned, []
        return learned

    # Recognizing rows

    def _recognize(self, record: Named) -> None:
        kind, key = record.type, self._source.key(record)
        here = self._known.get((kind, key))
        if here is None:
            here = self._same(record)
            if here is None:
                here = self._free[kind]
                self._free[kind] += 1
                self._new.add((kind, here))
            self._known[kind, key] = here
            self._learned.append((kind, key, here))
        self._here[kind, record.id] = here
        self._there[kind, here] = record.id

    def _same(self, record: Named) -> int | None:
        """Return an equivalent row, not imported: an account with this address, an emoji of this name."""
        if isinstance(record, form.Person):
            user = users.by_email(self._db, record.email)
            return None if user is None else user.id
        if isinstance(record, form.Emoji):
            return imported.emoji_named(self._db, record.name)
        return None

    def _one(self, kind: str, number: int | None) -> int | None:
        return None if number is None else self._here.get((kind, number))

    def _person(self, number: int) -> int:
        person_id = self._here.get(("person", number))
        if person_id is None:
            raise StartError(f"The export names an unknown person, {number}.")
        return person_id

    def _people(self, numbers: Iterable[int]) -> list[int]:
        ids = (self._here.get(("person", number)) for number in numbers)
        return list(dict.fromkeys(number for number in ids if number is not None))

    def _is_new(self, record: Named) -> bool:
        return (record.type, self._here[record.type, record.id]) in self._new

    # Records

    def _translated(self, record: form.Record) -> Change | None:
        match record:
            case form.Person() | form.Group() | form.Folder() | form.Emoji() | form.File():
                return self._named(record) if self._is_new(record) else None
            case form.Channel():
                return self._channel(record) if self._is_new(record) else self._old_channel(record)
            case form.Scheduled():
                self._left_out["scheduled messages"] += 1
                return None
            case form.Message():
                return self._message(record)
            case form.LateReaction():
                if record.message <= self._last:
                    return None
                number = MessageId(record.message + self._more)
                return replace(record, message=number, reaction=self._reaction(record.reaction))
            case form.LatePart():
                if record.message <= self._last:
                    return None
                part = replace(record.part, person=self._person(record.part.person))
                return replace(record, message=MessageId(record.message + self._more), part=part)
            case _:  # settings stay as they are here
                return None

    def _named(
        self, record: form.Person | form.Group | form.Folder | form.Emoji | form.File
    ) -> form.Record:
        here = self._here[record.type, record.id]
        match record:
            case form.Person():
                muted = [
                    (person, at) for number, at in record.muted for person in self._people([number])
                ]
                topics = [
                    replace(one, channel=ChannelId(channel))
                    for one in record.topics
                    if (channel := self._one("channel", one.channel)) is not None
                ]
                owner = self._one("person", record.owner)
                # Answers refer to profile fields by IDs, which may be other fields here.
                return replace(record, id=here, owner=owner, muted=muted, topics=topics, profile={})
            case form.Group():
                return replace(
                    record,
                    id=here,
                    name=self._free_name("user_group", record.name),
                    creator=self._one("person", record.creator),
                    members=self._people(record.members),
                    groups=[each for one in record.groups if (each := self._group(one))],
                    permissions=self._permissions(record.permissions),
                )
            case form.Folder():
                return replace(record, id=here, creator=self._one("person", record.creator))
            case form.Emoji():
                return replace(record, id=here, author=self._one("person", record.author))
            case form.File():
                path = record.path
                if imported.has_path(self._db, path):
                    path = f"{REALM}/import-{here}/{safe_name(record.name)}"
                    self._paths[record.path] = path
                return replace(record, id=here, path=path, person=self._person(record.person))

    def _channel(self, record: form.Channel) -> form.Channel:
        return replace(
            record,
            id=self._here["channel", record.id],
            name=self._free_name("channel", record.name),
            creator=self._one("person", record.creator),
            folder=self._one("folder", record.folder),
            permissions=self._permissions(record.permissions),
            people=list(self._members(record.people)),
        )

    def _old_channel(self, record: form.Channel) -> Members | None:
        """Return changes of subscribers; None, and no messages, if it is private only in the export."""
        here = self._here["channel", record.id]
        row = channels.by_id(self._db, ChannelId(here))
        if row is None or (record.is_private and not row.invite_only):
            self._closed.add(record.id)
            return None
        members = list(self._members(record.people))
        come = [one for one in members if ("person", one.person) in self._new]
        stay = frozenset(one.person for one in members if one.is_active)
        return Members(channel=ChannelId(here), come=come, stay=stay if record.is_private else None)

    def is_of_export(self, person: int) -> bool:
        """Whether an account here comes from the export."""
        return ("person", person) in self._there

    def _members(self, people: Iterable[form.Membership]) -> Iterator[form.Membership]:
        """Yield subscriptions, without access to messages sent here in the meantime."""
        for one in people:
            for person in self._people([one.person]):
                periods = [
                    (
                        max(after, self._last) + self._more,
                        None if until is None else until + self._more,
                    )
                    for after, until in one.periods
                    if until is None or until > self._last
                ]
                if not periods and one.is_active:
                    periods = [(self._last + self._more, None)]
                yield replace(one, person=person, periods=periods)

    def _free_name(self, table: Literal["channel", "user_group"], name: str) -> str:
        """Return the name, with a number if it is taken here."""
        number, free = 2, name
        while imported.is_taken(self._db, table, free):
            free = f"{name[:54]} {number}"
            number += 1
        return free

    def _group(self, number: int) -> int | None:
        return number if number < _FIRST_OWN_GROUP else self._here.get(("group", number))

    def _permissions(self, permissions: form.Permissions) -> form.Permissions:
        """Return the permissions whose holders are known; the others keep their defaults."""
        holders_by_name = {name: self._holders(holders) for name, holders in permissions.items()}
        return {name: holders for name, holders in holders_by_name.items() if holders is not None}

    def _holders(self, holders: GroupSetting) -> GroupSetting | None:
        if isinstance(holders, int):
            return self._group(holders)
        groups = [each for one in holders.get("direct_subgroups", []) if (each := self._group(one))]
        members = self._people(holders.get("direct_members", []))
        return {"direct_members": members, "direct_subgroups": groups}

    # Messages

    def _message(self, record: form.Message) -> form.Message | None:
        if not self._is_newer(record):
            return None
        if record.channel in self._closed:
            self._left_out["messages of channels that are private in the export, not here"] += 1
            return None
        channel = self._one("channel", record.channel)
        return replace(
            record,
            id=MessageId(record.id + self._more),
            sender=self._person(record.sender),
            channel=None if channel is None else ChannelId(channel),
            people=self._people(record.people),
            content=self._text(record.content),
            history=[self._edit(entry) for entry in record.history],
            reactions=[self._reaction(one) for one in record.reactions],
            parts=[replace(one, person=self._person(one.person)) for one in record.parts],
            flags={flag: self._people(numbers) for flag, numbers in record.flags.items()},
            unread=self._people(record.unread),
        )

    def _is_newer(self, record: form.Message) -> bool:
        if not self._source.numbers_stay:
            return record.time > self._until
        if record.id > self._last:
            return True
        if not self._is_here(record.id):
            self._left_out["older messages that were deleted here, or are new in the export"] += 1
        return False

    def _is_here(self, number: int) -> bool:
        return imported.has_message(self._db, self._number_here(number))

    def _number_here(self, number: int) -> int:
        """Return the ID here of a message from this or an earlier export."""
        at = bisect_right(self._spans, (number, 2**62)) - 1
        return number + (self._spans[at][1] if at >= 0 else 0)

    def _reaction(self, one: form.Reaction) -> form.Reaction:
        code = one.code
        if one.kind == "realm_emoji" and code.isdecimal():
            code = str(self._here.get(("emoji", int(code)), code))
        return replace(one, person=self._person(one.person), code=code)

    def _edit(self, entry: Mapping[str, object]) -> dict[str, object]:
        edit = dict(entry)
        if isinstance(who := edit.get("user_id"), int):
            edit["user_id"] = self._here.get(("person", who))
        for name in ("prev_stream", "stream"):
            if isinstance(number := edit.get(name), int):
                edit[name] = self._here.get(("channel", number), number)
        if isinstance(text := edit.get("prev_content"), str):
            edit["prev_content"] = self._text(text)
        return edit

    def _text(self, text: str) -> str:
        """Return a text with mentions and links adapted to the IDs here."""
        text = _MENTION.sub(lambda match: self._renumbered("person", match), text)
        if "/user_uploads/" in text:
            text = _UPLOAD.sub(lambda match: self._paths.get(match[0], match[0]), text)
        if self._source.numbers_stay and "#narrow/" in text:
            text = _CHANNEL.sub(lambda match: self._renumbered("channel", match), text)
            text = _NEAR.sub(lambda match: f"{match[1]}{self._number_here(int(match[2]))}", text)
        return text

    def _renumbered(self, kind: str, match: re.Match[str]) -> str:
        number = self._here.get((kind, int(match[2])), int(match[2]))
        return f"{match[1]}{number}{match[3] if match.re.groups > 2 else ''}"
