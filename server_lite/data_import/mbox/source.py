"""A mailing list's archive as a source of records, in the order of the plain form. Reads only."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from server_lite.access.message_validation import clean_topic, is_writable
from server_lite.access.uploads import REALM, safe_name
from server_lite.data_import.digest import digest_of
from server_lite.data_import.mbox.lines import Mailbox
from server_lite.data_import.names import AccountNames, ChannelNames
from server_lite.data_import.source import FileKeys, Named, Placed, walk
from server_lite.export import format as form
from server_lite.export.paths import private
from server_lite.ids import ChannelId, MessageId
from server_lite.mail.reading import Mail, NoMail, read_mail
from server_lite.store.backups import Tell
from server_lite.store.scratch import Scratch
from server_lite.store.users import NOTIFICATION_BOT

LONGEST: Final = 20_000
LATEST: Final = 2.0**33
"""UNIX seconds of the year 2242: later dates are invalid."""
CHANNEL: Final = ChannelId(1)
_NO_SUBJECT: Final = "no subject"


class MailArchive:
    """`Source` for an mbox file; attachments are extracted to `work` while it is read."""

    def __init__(self, path: Path, work: Path) -> None:
        self.path = path
        self.numbers_stay = False
        self.left_out: Counter[str] = Counter()
        self._work = work
        self._names = AccountNames("mail.invalid")
        self._people: dict[str, form.Person] = {}
        self._files: list[form.File] = []
        self._file_keys = FileKeys()
        self._kept = Scratch()
        self._last = 0.0
        self._list_name = ""

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield all records. A first pass finds senders and dates, and extracts the attachments."""
        mailbox = Mailbox(self.path)
        first, second = walk(tell, 0, 50), walk(tell, 50, 100)
        for number, data in mailbox.messages():
            self._meet(number, data)
            first(number, len(mailbox))
        name = self._list_name or self.path.name.partition(".")[0]
        yield str(self.path), form.Organization(settings={"name": _printable(name)[:40] or "Mail"})
        for address, person in self._people.items():
            yield f"The sender {address}", person
        yield str(self.path), self._channel(name)
        for file in self._files:
            yield f"The file {file.name!r}", file
        for at, (time, number, _) in enumerate(self._kept.by_time(), start=1):
            mail = read_mail(mailbox.message(number))
            yield f"Message {number + 1} of {self.path}", self._message(at, number, time, mail)
            second(at, self._kept.marks)

    def _meet(self, number: int, data: bytes) -> None:
        try:
            mail = read_mail(data)
        except NoMail:
            self.left_out["mails that cannot be read"] += 1
            return
        if mail.key and self._kept.note("seen", mail.key) is not None:
            self.left_out["mails that are in the file twice"] += 1
            return
        if not mail.text and not mail.files:
            self.left_out["mails without a text"] += 1
            return
        self._kept.put("", "seen", mail.key)
        self._list_name = self._list_name or mail.list_name
        if mail.time is not None:
            self._last = max(0.0, min(mail.time, LATEST))
        self._kept.mark(self._last, number)
        sender = self._person(mail)
        links: list[str] = []
        for file in mail.files:
            at = len(self._files) + 1
            with private(self._work / str(at)) as out:
                out.write(file.data)
            path = f"{REALM}/mail/{at}/{safe_name(file.name)}"
            self._files.append(
                form.File(
                    id=at,
                    path=path,
                    name=file.name,
                    content_type=file.content_type[:200],
                    person=sender.id,
                    created=self._last,
                )
            )
            self._file_keys.add(self._files[-1])
            name = file.name.replace("[", "(").replace("]", ")")
            links.append(f"[{name}](/user_uploads/{path})")
        if links:
            self._kept.put("\n\n".join(links), "links", str(number))

    def _person(self, mail: Mail) -> form.Person:
        key = mail.address.lower() or "nobody"
        if key not in self._people:
            self._people[key] = form.Person(
                id=NOTIFICATION_BOT + 1 + len(self._people),
                email=self._names.address(mail.address, mail.name, is_bot=False),
                name=self._names.name(mail.name),
                role="member",
                joined=self._last,
            )
        return self._people[key]

    def _channel(self, name: str) -> form.Channel:
        return form.Channel(
            id=CHANNEL,
            name=ChannelNames().name(_printable(name) or "mail"),
            created=self._kept.first_time(),
            is_default=True,
            people=[
                form.Membership(person=person.id, color="#a6c7e5", periods=[(0, None)])
                for person in self._people.values()
            ],
        )

    def _message(self, at: int, number: int, time: float, mail: Mail) -> form.Message:
        answered = (self._kept.note("topic", key) for key in mail.answers)
        topic = next((note for note in answered if note is not None), None)
        if topic is None:
            subject = "".join(c for c in mail.subject if is_writable(c))
            topic = clean_topic(subject) or _NO_SUBJECT
        if mail.key:
            self._kept.put(topic, "topic", mail.key)
        links = self._kept.note("links", str(number))
        content = "\n\n".join(part for part in (mail.text, links) if part)
        if len(content) > LONGEST:
            self.left_out["ends of mails that are too long"] += 1
            content = content[: LONGEST - 20] + "\n[message cut]"
        return form.Message(
            id=MessageId(at),
            sender=self._person(mail).id,
            channel=CHANNEL,
            topic=topic,
            content=content,
            time=time,
            client="Mail",
        )

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        """Return the path of an attachment."""
        assert kind == "uploads"
        return self._work / str(number)

    def digest(self) -> str:
        """Return the digest of the file."""
        return digest_of(self.path)

    def origin(self) -> str:
        """Identify the list by its name, or by the file's if mails do not contain it."""
        return f"mail {self._list_name or self.path.name.partition('.')[0]}"

    def key(self, record: Named) -> str:
        return "list" if isinstance(record, form.Channel) else self._file_keys.of(record)


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable()).strip()
