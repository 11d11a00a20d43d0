"""Messages with their flags and history, then reactions and submessages, as records. Reads only."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

import orjson

from server_lite.actions.polls_and_todos import WIDGET, widget_of
from server_lite.data_import.checked import checked
from server_lite.data_import.json_rows import rows as json_rows
from server_lite.data_import.source import Placed
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import Numbers
from server_lite.data_import.zulip.people import KINDS
from server_lite.data_import.zulip.receipts import Receipts, message_files, received_row
from server_lite.data_import.zulip.text import content_here, topic_here
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.zulip.layout import CLIENT
from server_lite.ids import MessageId
from server_lite.store.backups import Tell
from server_lite.store.users import NOTIFICATION_BOT

READ: Final = 1
FLAGS: Final = {
    2: "starred",
    4: "collapsed",
    8: "mentioned",
    16: "stream_wildcard_mentioned",
    32: "topic_wildcard_mentioned",
    64: "mentioned",  # by a group
    512: "has_alert_word",
    1024: "historical",
}
"""Bits of `flags_mask` that are imported."""
_KEPT: Final = sum(FLAGS)
LONGEST: Final = 20_000
"""Maximum characters of a message."""


class Messages:
    """The records of all messages, in a second pass over their files."""

    def __init__(
        self, dump: Dump, numbers: Numbers, receipts: Receipts, left_out: Counter[str]
    ) -> None:
        self._dump = dump
        self._numbers = numbers
        self._receipts = receipts
        self._left_out = left_out
        self._clients = {
            row.id: row.name
            for row in dump.rows("zerver_client", rows.Client)
            if row.name != CLIENT
        }
        self._widgets = {row.message for row in dump.rows("zerver_submessage", rows.Submessage)}

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield messages by file, then reactions and submessages."""
        done = 0
        for name in message_files(self._dump):
            for placed in self._file(name):
                yield placed
                done += 1
                if done % 100 == 0:
                    tell(done, len(self._receipts))
            tell(done, len(self._receipts))
        yield from self._reactions()
        yield from self._parts()

    def _file(self, name: str) -> Iterator[Placed]:
        messages: list[rows.Message] = []
        marks: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for table, row in json_rows(self._dump.path(name)):
            if table == "zerver_message":
                messages.append(checked(rows.Message, row, f"A row of {table} in {name}"))
            elif table == "zerver_usermessage":
                account, number, mask = received_row(row, name)
                if mask & _KEPT or not mask & READ:
                    marks[number].append((self._numbers.person(account, name), mask))
        for message in messages:
            yield self._message(message, marks.get(message.id, []))

    def _message(self, row: rows.Message, marks: list[tuple[int, int]]) -> Placed:
        where = f"Message {row.id}"
        sender = self._numbers.person(row.sender, where)
        place = self._numbers.place(row.recipient, where)
        history = self._history(row, where)
        flags: dict[str, list[int]] = defaultdict(list)
        unread = []
        for person, mask in sorted(marks):
            for bit, flag in FLAGS.items():
                if mask & bit and person not in flags[flag]:
                    flags[flag].append(person)
            if not mask & READ:
                unread.append(person)
        content = content_here(row.content)
        if len(content) > LONGEST:
            raise StartError(f"{where} is longer than {LONGEST:,} characters.")
        widget = None if row.id in self._widgets else widget_of(content)
        if widget is not None:
            self._left_out["polls and to-do lists that come without votes"] += 1
        edited, moved = _changed(row, history)
        is_channel = place.channel is not None
        return (
            where,
            form.Message(
                id=MessageId(row.id),
                sender=sender,
                channel=place.channel,
                topic=topic_here(row.subject) if is_channel else "",
                people=[] if is_channel else self._numbers.people_of(place, sender),
                content=content,
                time=row.date_sent,
                client=self._clients.get(row.sending_client, "")[:100],
                edited=edited,
                moved=moved,
                history=history,
                parts=[form.Part(person=sender, kind=WIDGET, content=widget)] if widget else [],
                flags={flag: people for flag, people in flags.items() if people},
                unread=unread,
            ),
        )

    def _history(self, row: rows.Message, where: str) -> list[dict[str, object]]:
        if not row.edit_history:
            return []
        try:
            entries = orjson.loads(row.edit_history)
        except orjson.JSONDecodeError as error:
            raise StartError(f"{where}: its edit history is not JSON.") from error
        if not isinstance(entries, list):
            raise StartError(f"{where}: its edit history is not a list.")
        return [self._entry(checked(rows.HistoryEntry, one, where)) for one in entries]

    def _entry(self, entry: rows.HistoryEntry) -> dict[str, object]:
        new_entry: dict[str, object] = {
            "user_id": self._editor(entry.user_id),
            "timestamp": entry.timestamp,
        }
        if entry.prev_content is not None:
            new_entry["prev_content"] = content_here(entry.prev_content)
        topics = {"prev_topic": _first(entry.prev_topic, entry.prev_subject), "topic": entry.topic}
        new_entry |= {
            name: topic_here(topic) for name, topic in topics.items() if topic is not None
        }
        places = {"prev_stream": entry.prev_stream, "stream": entry.stream}
        new_entry |= {name: place for name, place in places.items() if place is not None}
        return new_entry

    def _editor(self, number: int | None) -> int | None:
        person_id = self._numbers.perhaps(number)
        return NOTIFICATION_BOT if person_id is None and number is not None else person_id

    # Other tables about messages

    def _reactions(self) -> Iterator[Placed]:
        for where, row in self._dump.table("zerver_reaction", rows.Reaction):
            kind = KINDS.get(row.reaction_type)
            if not kind or not self._receipts.has_message(row.message):
                self._left_out["reactions to messages that are not in the export"] += 1
                continue
            reaction = form.Reaction(
                person=self._numbers.person(row.user_profile, where),
                name=row.emoji_name[:100],
                kind=kind,  # type: ignore[arg-type]  # the names are those of the form
                code=row.emoji_code[:100],
            )
            yield where, form.LateReaction(message=MessageId(row.message), reaction=reaction)

    def _parts(self) -> Iterator[Placed]:
        for where, row in self._dump.table("zerver_submessage", rows.Submessage):
            if not self._receipts.has_message(row.message):
                self._left_out["votes on messages that are not in the export"] += 1
                continue
            sender = self._numbers.person(row.sender, where)
            part = form.Part(person=sender, kind=row.msg_type[:50], content=row.content)
            yield where, form.LatePart(message=MessageId(row.message), part=part)

    def scheduled(self) -> Iterator[Placed]:
        """Yield scheduled messages; reminders are left out: the export lacks their message."""
        for where, row in self._dump.table("zerver_scheduledmessage", rows.Scheduled):
            if row.delivered:
                continue
            if row.delivery_type != 1:
                self._left_out["reminders"] += 1
                continue
            sender = self._numbers.person(row.sender, where)
            place = self._numbers.place(row.recipient, where)
            is_channel = place.channel is not None
            yield (
                where,
                form.Scheduled(
                    sender=sender,
                    channel=place.channel,
                    topic=topic_here(row.subject) if is_channel else "",
                    people=sorted(set(place.people) - {sender}),
                    content=content_here(row.content)[:LONGEST],
                    due=int(row.scheduled_timestamp),
                    client=self._clients.get(row.sending_client, "")[:100],
                    is_failed=row.failed,
                ),
            )


def _changed(
    row: rows.Message, history: list[dict[str, object]]
) -> tuple[float | None, float | None]:
    """Return when the content was last edited, and when the message was last moved."""
    edited = moved = None
    for entry in reversed(history):
        at = float(entry["timestamp"])  # type: ignore[arg-type]  # a number: checked
        if "prev_content" in entry:
            edited = at
        if "prev_topic" in entry or "prev_stream" in entry:
            moved = at
    last = row.last_edit_time
    if edited is not None and last is not None and int(last) == edited:
        edited = last
    if not history:
        edited = last
    return edited, moved


def _first(name: str | None, older: str | None) -> str | None:
    return older if name is None else name
