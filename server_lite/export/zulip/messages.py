"""Messages with their history, reactions and flags, 1,000 to a file, and scheduled ones. Reads only."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final

import orjson

from server_lite.export.flags import flags_on
from server_lite.export.paths import private
from server_lite.export.zulip import layout
from server_lite.export.zulip.channels import topic_name
from server_lite.export.zulip.draft import Draft
from server_lite.ids import ChannelId, UserId
from server_lite.store import (
    conversations,
    export_import,
    messages,
    reactions,
    scheduled_messages,
    submessages,
    subscriptions,
    users,
)
from server_lite.store.backups import Tell
from server_lite.store.history import Entry
from server_lite.store.messages import MessageRow
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.users import NOTIFICATION_BOT

_MENTION: Final = re.compile(r"@(_?)\*\*([^*\n|]{0,100})\|([0-9]{1,10})\*\*")
_MESSAGE_LINK: Final = re.compile(
    r"#narrow/[^\s)]{1,500}?/near/[0-9]|#\*\*[^*\n]{1,200}@[0-9]{1,16}\*\*"
)
_PLACE: Final = '="/'
"""In HTML: a relative URL of this server, which differs on the new one."""


def add_messages(draft: Draft, tell: Tell) -> None:
    """Write all messages by ID, in files of `layout.MESSAGES`, with everything attached to them."""
    of = messages.count(draft.db)
    writer = _Writer(draft)
    last = done = number = 0
    while page := messages.ids_where(draft.db, "id > ?", last, limit=layout.MESSAGES):
        number += 1
        writer.write_page(number, messages.by_ids(draft.db, page))
        last = page[-1]
        done += len(page)
        tell(done, of)
    for user in users.everyone(draft.db):
        for one in scheduled_messages.of_user(draft.db, user.id, reminders=False):
            writer.schedule(one)
        reminders = scheduled_messages.of_user(draft.db, user.id, reminders=True)
        draft.leave_out("reminders", len(reminders))


class _Writer:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._db = draft.db
        self._received = 0
        everyone = users.everyone(draft.db)
        self._full_names = {user.id: user.full_name for user in everyone}
        names = Counter(user.full_name.casefold() for user in everyone)
        self._shared = {name for name, number in names.items() if number > 1}
        self._periods: dict[ChannelId, list[tuple[int, int, int | None]]] = {}

    def write_page(self, number: int, rows: list[MessageRow]) -> None:
        """Write one file: the recipients of each message, then the messages."""
        db = self._db
        ids = [row.id for row in rows]
        direct = conversations.by_ids(
            db, {row.conversation_id for row in rows if row.conversation_id is not None}
        )
        flags: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for message_id, flag, user_id in flags_on(db, rows):
            flags[message_id][user_id] |= layout.FLAGS[flag]
        unread = set(export_import.unread_on(db, ids))
        path = self._draft.folder / f"messages-{number:06}.json"
        with ExitStack() as stack:
            out = stack.enter_context(private(path))
            out.write(b'{"zerver_usermessage":[')
            begin = b""
            for row in rows:
                members = (
                    None if row.conversation_id is None else direct[row.conversation_id].members
                )
                for user_id, mask in self._masks(row, members, flags[row.id]):
                    read = 0 if (row.id, user_id) in unread else layout.FLAGS["read"]
                    self._received += 1
                    out.write(
                        b'%s{"id":%d,"user_profile":%d,"message":%d,"flags_mask":%d}'
                        % (begin, self._received, user_id, row.id, mask | read)
                    )
                    begin = b",\n"
            out.write(b'],"zerver_message":[')
            for at, row in enumerate(rows):
                members = () if row.conversation_id is None else direct[row.conversation_id].members
                out.write((b",\n" if at else b"") + orjson.dumps(self._message(row, members)))
            out.write(b"]}\n")
        self._hang_on(ids)
        self._draft.realm.counts["zerver_message"] += len(rows)

    def _masks(
        self, row: MessageRow, members: tuple[int, ...] | None, flags: dict[int, int]
    ) -> Iterator[tuple[int, int]]:
        """Yield (user ID, flags except read) of all recipients of the message."""
        if row.channel_id is not None:
            there = {
                user_id
                for user_id, after, until in self._periods_of(row.channel_id)
                if after < row.id and (until is None or row.id <= until)
            }
            marked = layout.FLAGS["historical"]
            always = 0
        else:
            there, marked, always = set(members or ()), 0, layout.IS_PRIVATE
        for user_id in sorted(there | flags.keys()):
            if user_id != NOTIFICATION_BOT:
                yield user_id, flags.get(user_id, 0) | always | (0 if user_id in there else marked)

    def _periods_of(self, channel_id: ChannelId) -> list[tuple[int, int, int | None]]:
        if channel_id not in self._periods:
            self._periods[channel_id] = [
                (one.user_id, after, until)
                for one in subscriptions.ever_in_channel(self._db, channel_id)
                for after, until in subscriptions.periods(self._db, one.user_id, channel_id)
            ]
        return self._periods[channel_id]

    def _message(self, row: MessageRow, members: tuple[int, ...]) -> dict[str, object]:
        draft = self._draft
        is_direct = row.channel_id is None
        history = list(self._history(row.edit_history))
        changed: float | None = row.last_edit
        if history:
            newest = int(history[0]["timestamp"])  # type: ignore[call-overload]  # a number: Entry's
            changed = row.last_edit if int(row.last_edit or -1) == newest else newest
        if _MESSAGE_LINK.search(row.content):
            draft.leave_out("links to messages (they get other numbers)")
        newer: dict[str, object] = {}
        if draft.version >= 11:
            newer["is_channel_message"] = not is_direct
        return {
            "id": row.id,
            "realm": layout.REALM_ID,
            "sender": row.sender_id,
            "recipient": self._recipient(row.sender_id, row.channel_id, members),
            "subject": self._subject(row.topic, is_direct=is_direct),
            "content": self._content(row.content),
            "rendered_content": None if _PLACE in row.rendered else row.rendered,
            "rendered_content_version": None if _PLACE in row.rendered else 1,
            "date_sent": row.timestamp,
            "sending_client": draft.client(row.client),
            "last_edit_time": changed,
            "edit_history": orjson.dumps(history).decode() if history else None,
            "has_attachment": row.has_attachment,
            "has_image": row.has_image,
            "has_link": row.has_link,
            **newer,
        }

    def _recipient(
        self, sender: int, channel_id: ChannelId | None, members: tuple[int, ...]
    ) -> int:
        if channel_id is not None:
            return self._draft.channels[channel_id]
        return self._draft.recipient_of_people(sender, members)

    def _subject(self, topic: str, *, is_direct: bool) -> str:
        if is_direct:
            return layout.TOPIC_OF_DIRECT if self._draft.version >= 12 else ""
        return topic_name(self._draft, topic)

    def _content(self, text: str) -> str:
        """Return the text with mentions by name only, because IDs change."""

        def by_name(match: re.Match[str]) -> str:
            silent, _, number = match.groups()
            name = self._full_names.get(UserId(int(number)))
            if name is None or name.casefold() in self._shared:
                self._draft.leave_out("mentions of people who share a name")
                return match[0]
            return f"@{silent}**{name}**"

        return _MENTION.sub(by_name, text)

    def _history(self, entries: list[Entry]) -> Iterator[dict[str, object]]:
        for entry in entries:
            row: dict[str, object] = {**entry}
            if "prev_content" in row:
                row["prev_rendered_content_version"] = 1
            for name in ("topic", "prev_topic"):
                if name in row:
                    row[name] = topic_name(self._draft, str(row[name]))
            yield row

    def _hang_on(self, ids: Sequence[int]) -> None:
        realm = self._draft.realm
        for _, message_reactions in sorted(reactions.of_messages(self._db, ids).items()):
            for one in message_reactions:
                realm.add(
                    "zerver_reaction",
                    message=one.message_id,
                    user_profile=one.user_id,
                    emoji_name=one.name,
                    emoji_code=one.code,
                    reaction_type=layout.reaction_type(one.type),
                )
        for _, parts in sorted(submessages.of_messages(self._db, ids).items()):
            if not layout.has_newer_tables(self._draft.version):
                self._draft.leave_out("votes and ticks in polls and to-do lists", len(parts))
                continue
            for part in parts:
                realm.add(
                    "zerver_submessage",
                    message=part.message_id,
                    sender=part.sender_id,
                    msg_type=part.msg_type,
                    content=part.content,
                )

    def schedule(self, one: ScheduledRow) -> None:
        """Write a scheduled message for the new server."""
        newer: dict[str, object] = {}
        if self._draft.version >= 11:
            newer["request_timestamp"] = one.due
        people = tuple({one.user_id, *one.people})
        self._draft.realm.add(
            "zerver_scheduledmessage",
            realm=layout.REALM_ID,
            sender=one.user_id,
            recipient=self._recipient(one.user_id, one.channel_id, people),
            subject=self._subject(one.topic, is_direct=one.channel_id is None),
            content=self._content(one.content),
            rendered_content=one.rendered,
            sending_client=self._draft.client(one.client),
            stream=one.channel_id,
            scheduled_timestamp=one.due,
            delivered=False,
            delivered_message=None,
            has_attachment="/user_uploads/" in one.content,
            failed=one.failed,
            failure_message="The message could not be sent." if one.failed else None,
            delivery_type=1,
            **newer,
        )
