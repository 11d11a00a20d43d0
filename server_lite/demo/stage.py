"""Creates the example organization: people, channels, messages. Always the same. Prints nothing.

Messages are from the last days, seen from now. It is created in a separate file that is moved into
place when complete; an organization with users is refused.
"""

import os
import time
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Final

import orjson

from server_lite.access.bots import address_for
from server_lite.access.emoji import known_emoji
from server_lite.access.recipients import Address, ChannelRecipient, DirectRecipient
from server_lite.actions import (
    bots,
    channel_folders,
    custom_emoji,
    flags,
    statuses,
    uploads,
    user_groups,
)
from server_lite.actions.bots import NewBot
from server_lite.actions.channels import NewChannel, create_channel, set_value
from server_lite.actions.message_edits import edit_message
from server_lite.actions.messages import send_message
from server_lite.actions.organization import NewOrganization
from server_lite.actions.reactions import react
from server_lite.actions.submessages import add_submessage
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.dataclass import dataclass
from server_lite.demo import script
from server_lite.demo.script import YOU, DemoMessage
from server_lite.errors import StartError
from server_lite.ids import ChannelId
from server_lite.maintenance.files import create_organization, require_file
from server_lite.objects.uploads import url_of
from server_lite.store import backups, channels, messages, secret_key, submessages, users
from server_lite.store.bots import BotType
from server_lite.store.database import Database, Tx
from server_lite.store.messages import MessageRow
from server_lite.store.users import Role, UserRow
from server_lite.web import identicons

CLIENT: Final = "Chinwag"
SIGN_IN: Final = f"robin@{script.DOMAIN}"
MINUTES: Final = 5 + sum(one.after for one in script.SCRIPT)
"""Minutes ago that it starts; it ends five minutes ago. In a younger file everything is faster."""


def create(db: Path, hashed: str) -> None:
    """Create a new file; its owner is the user who tries it out. All people have the (hashed) password."""
    new = NewOrganization(
        name=script.NAME, owner_email=SIGN_IN, owner_name="Robin Keeper", password=hashed
    )
    draft = _draft(db)
    try:
        create_organization(draft, new, clock=lambda: time.time() - 60 * (MINUTES + 60))
        _furnish(draft, db, hashed)
        draft.rename(db)
    finally:
        backups.discard(draft)


def fill(db: Path, hashed: str) -> None:
    """Add the example to an organization with only its owner; raises StartError for others."""
    require_file(db)
    draft = _draft(db)
    try:
        backups.copy(db, draft, lambda _done, _of: None)
        _furnish(draft, db, hashed)
        backups.settle(db)
        draft.replace(db)
    finally:
        backups.discard(draft)


def _draft(db: Path) -> Path:
    return db.with_name(f".{db.name}.demo-{os.getpid()}")


def _furnish(draft: Path, db: Path, hashed: str) -> None:
    """Add people and messages to the file that becomes `db`, after any earlier messages."""
    database = Database(draft)
    try:
        if users.count_people(database.reader) > 1:
            raise StartError(f"{db} already has people; examples are for new organizations only.")
        begin, end = _last_message_time(database), time.time()
        minute = max(0.0, min(60.0, (end - begin) / MINUTES))
        clock = Clock(end - minute * MINUTES)
        database.clock = clock.read
        secret = secret_key.secret(secret_key.path_beside(db))
        stage = database.write_now(lambda tx: set_stage(tx, hashed, secret))
        for line in script.SCRIPT:
            clock.now += minute * line.after
            database.write_now(partial(stage.play, line=line))
    finally:
        database.close()


def _last_message_time(database: Database) -> float:
    """Return UNIX seconds of the newest message: later ones follow it, because IDs rise with time."""
    return messages.newest_timestamp(database.reader) or 0


@dataclass(slots=True)
class Clock:
    """The time within the script."""

    now: float

    def read(self) -> float:
        return self.now


def set_stage(tx: Tx, hashed: str, secret: bytes) -> "Stage":
    """Create people, channels and everything before the first message."""
    you = users.first_owner(tx)
    if you is None:
        raise StartError("This organization has no owner.")
    stage = Stage(cast={YOU: you})
    for key, (name, role, text, emoji) in script.PEOPLE.items():
        email = f"{key}@{script.DOMAIN}"
        person = create_user(
            tx, email=email, full_name=name, role=Role[role.upper()], password=hashed
        )
        stage.cast[key] = person
        if text:
            kind, code, _ = known_emoji(tx, emoji, None, None)
            named = {"emoji_name": emoji, "emoji_code": code, "reaction_type": kind}
            statuses.set_status(tx, person, {"status_text": text, **named})
    word, name = script.BOT
    new = NewBot(email=address_for(tx, word), full_name=name, bot_type=BotType.GENERIC)
    stage.cast[word], _ = bots.create(tx, stage.cast["mei"], new, secret)
    picture = identicons.pattern(script.EMOJI, 64)
    custom_emoji.add(tx, you, name=script.EMOJI, extension="png", image=picture)
    stage.build(tx)
    return stage


@dataclass(slots=True)
class Stage:
    """People and channels, by their keys and names."""

    cast: dict[str, UserRow]
    rooms: dict[str, ChannelId] = field(default_factory=dict)
    """IDs of the channels, by name."""
    words: dict[str, str] = field(default_factory=dict)
    """The text for each `{key}`."""

    def build(self, tx: Tx) -> None:
        """Create channels with their subscribers, the group, the files."""
        mei = self.cast["mei"]
        name, description, members = script.GROUP
        ids = [self.cast[key].id for key in members]
        user_groups.create(
            tx,
            mei,
            name=name,
            description=description,
            members=ids,
            subgroups=[],
            group_settings={},
        )
        folder = channel_folders.create(
            tx, mei, name=script.FOLDER[0], description=script.FOLDER[1]
        )
        for place in script.CHANNELS:
            options = NewChannel(invite_only=bool(place.only), is_default=not place.only)
            channel = create_channel(
                tx, mei, name=place.name, description=place.description, options=options
            )
            if place.in_folder:
                set_value(tx, channel, "folder_id", folder.id)
            subscribe(tx, [channel], [self.cast[key] for key in place.only or self.cast])
            self.rooms[place.name] = channel.id
        self.words = {key: f"{user.full_name}|{user.id}" for key, user in self.cast.items()}
        sheet = b"line,what,amount\n1,scaffold,4200\n2,glass,1850\n3,railing,9700\n"
        self.words["plan"] = self._upload(tx, "mei", "budget.csv", "text/csv", sheet)
        picture = identicons.pattern("lens", 400)
        self.words["picture"] = self._upload(tx, "tom", "lens.png", "image/png", picture)

    def _upload(self, tx: Tx, by: str, name: str, kind: str, data: bytes) -> str:
        row = uploads.store(tx, self.cast[by], name=name, content_type=kind, data=data)
        return f"[{name}]({url_of(row)})"

    def play(self, tx: Tx, line: DemoMessage) -> None:
        """Send one message, with its reactions and edits."""
        speaker = self.cast[line.by]
        sent = send_message(tx, speaker, self._to(tx, line), self._text(line.text), client=CLIENT)
        row = messages.by_id(tx, sent.id)
        assert row is not None
        if line.edited is not None:
            edit_message(tx, speaker, row, content=self._text(line.edited), move=None)
        for emoji, people in line.reactions.items():
            for key in people:
                react(tx, self.cast[key], row, name=emoji, code=None, type=None)
        self._answer(tx, line, row)
        if line.starred:
            flags.set_flag(tx, self.cast[YOU], "starred", [row.id])
        for key, person in self.cast.items():
            if key != YOU or not line.unread:
                flags.set_flag(tx, person, "read", [row.id])

    def _to(self, tx: Tx, line: DemoMessage) -> Address:
        if isinstance(line.to, frozenset):
            people = sorted((self.cast[key] for key in line.to), key=lambda user: user.id)
            return DirectRecipient(tuple(people))
        name, topic = line.to
        channel = channels.by_id(tx, self.rooms[name])
        assert channel is not None
        return ChannelRecipient(channel, topic)

    def _text(self, text: str) -> str:
        for key, word in self.words.items():
            text = text.replace(f"{{{key}}}", word)
        return text

    def _answer(self, tx: Tx, line: DemoMessage, row: MessageRow) -> None:
        """Add votes in a poll, or check off and add tasks in a list."""
        if not line.votes and not line.adds:
            return
        first = orjson.loads(submessages.of_messages(tx, [row.id])[row.id][0].content)
        is_poll, data = first["widget_type"] == "poll", first["extra_data"]
        names = data["options"] if is_poll else [task["task"] for task in data["tasks"]]
        for number, (key, text) in enumerate(line.adds, 1):
            if is_poll:
                added: dict[str, object] = {"type": "new_option", "idx": number, "option": text}
            else:
                added = {
                    "type": "new_task",
                    "key": number,
                    "task": text,
                    "desc": "",
                    "completed": False,
                }
            self._submit(tx, key, row, added)
        for name, people in line.votes.items():
            mark = f"canned,{names.index(name)}" if is_poll else f"{names.index(name)},canned"
            for key in people:
                vote: dict[str, object] = (
                    {"type": "vote", "key": mark, "vote": 1}
                    if is_poll
                    else {"type": "strike", "key": mark}
                )
                self._submit(tx, key, row, vote)

    def _submit(self, tx: Tx, key: str, row: MessageRow, content: dict[str, object]) -> None:
        add_submessage(tx, self.cast[key], row, "widget", orjson.dumps(content).decode())
