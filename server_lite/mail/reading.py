"""Parses an email: sender, date, subject, text and files. Pure; accepts any bytes."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses, parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.markup.untrusted_text import web_url, without_mentions

MAX_PARTS: Final = 200
MAX_RECIPIENTS: Final = 50
LONGEST_HEADER: Final = 2000
LONGEST_FIELD: Final = 20_000
"""Limit of a raw header: the library parses its parameters in quadratic time."""
LONGEST_HTML: Final = 1_000_000
LONGEST_LIST_NAME: Final = 60
_ID: Final = re.compile(r"<([^<>\s]{1,400})>")
_ANSWER: Final = re.compile(r"(?:re|aw|sv|antw|fwd?|wg)(?:\[\d{1,3}\])?\s*:\s*", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"^>(>*From )", re.MULTILINE)


_UNREADABLE: Final = (MessageError, RecursionError, ValueError, TypeError, LookupError)
"""Errors that the library raises for absurd headers."""


class NoMail(ValueError):
    """Raised if the bytes are not a readable email."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """An attached file."""

    name: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """The parts of an email that become a message."""

    key: str
    name: str
    address: str
    time: float | None
    subject: str
    answers: tuple[str, ...]
    """Message IDs of the emails it answers, the latest last."""
    list_name: str
    text: str
    files: tuple[Attached, ...]
    recipients: tuple[str, ...]
    """Addresses; those added by the mail server come first."""
    is_automatic: bool
    """Whether it was sent automatically: such mail is never answered, so that no loop can arise."""


class _Bounded(Compat32):
    """Truncates headers before anything reads them."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Return the header's name and value."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_FIELD]


_BOUNDED: Final = _Bounded()


def read_mail(data: bytes) -> Mail:
    """Return the email; raises NoMail."""
    try:
        message = message_from_bytes(data, policy=_BOUNDED)
        parts = list(_parts(message))
    except _UNREADABLE as error:
        raise NoMail(str(error)) from error
    name, address = _author(_header(message, "From"))
    text = _texts(parts, "text/plain") or _texts(parts, "text/html")
    keys = _ID.findall(_header(message, "References") + " " + _header(message, "In-Reply-To"))
    return Mail(
        key="".join(_ID.findall(_header(message, "Message-ID"))[:1]),
        name=name or address.partition("@")[0],
        address=address,
        time=_time(message),
        subject=_subject(_header(message, "Subject")),
        answers=tuple(keys),
        list_name=_header(message, "List-Id").partition("<")[0].strip(' "'),
        text=without_mentions(_ESCAPED.sub(r"\1", text)).strip(),
        files=tuple(file for part in parts if (file := _file(part)) is not None),
        recipients=_recipients(message),
        is_automatic=_is_automatic(message),
    )


def _author(header: str) -> tuple[str, str]:
    try:
        return parseaddr(header)
    except _UNREADABLE:  # comments in comments in comments
        return "", ""


def _recipients(message: Message) -> tuple[str, ...]:
    headers = [_header(message, name) for name in ("X-Original-To", "Delivered-To", "To", "Cc")]
    pairs: list[tuple[str, str]] = []
    for header in headers:
        with suppress(*_UNREADABLE):
            pairs += getaddresses([header])
    addresses = (address.lower() for _, address in pairs if "@" in address)
    return tuple(dict.fromkeys(addresses))[:MAX_RECIPIENTS]


def _is_automatic(message: Message) -> bool:
    """Whether it is marked as automatic: failure reports, absence notes, and bulk mail other than lists."""
    submitted = _header(message, "Auto-Submitted").partition(";")[0].strip().lower()
    precedence = _header(message, "Precedence").strip().lower()
    return (
        submitted not in ("", "no")
        or precedence in ("bulk", "junk", "auto_reply")
        or _header(message, "Return-Path").strip() == "<>"
        or bool(_header(message, "X-Autoreply") or _header(message, "X-Loop"))
    )


def _parts(message: Message) -> Iterator[Message]:
    """Yield the parts that have contents."""
    for number, part in enumerate(message.walk()):
        if number >= MAX_PARTS:
            return
        if not part.is_multipart():
            yield part


def _header(message: Message, name: str) -> str:
    """Return a header in one line, whatever its encoding."""
    value = message.get(name)
    try:
        pieces = decode_header(str(value or "")[:LONGEST_HEADER])
    except (MessageError, ValueError, LookupError):
        pieces = [(str(value or "")[:LONGEST_HEADER], None)]
    text = "".join(
        piece if isinstance(piece, str) else _decoded(piece, charset) for piece, charset in pieces
    )
    return " ".join(_clean(text).split())


def _decoded(data: bytes, charset: str | None) -> str:
    try:
        return data.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _clean(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _time(message: Message) -> float | None:
    try:
        moment = parsedate_to_datetime(_header(message, "Date"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _subject(text: str) -> str:
    """Return the subject without reply prefixes, and without the list's name in brackets at its start."""
    text = _without_answers(text)
    list_name, bracket, rest = text[1:].partition("]")
    if text.startswith("[") and bracket and len(list_name) < LONGEST_LIST_NAME and rest.strip():
        text = _without_answers(rest.strip())
    return text


def _without_answers(text: str) -> str:
    while match := _ANSWER.match(text):
        text = text[match.end() :]
    return text


def _texts(parts: list[Message], kind: str) -> str:
    texts = (_text(part) for part in parts if part.get_content_type() == kind)
    return "\n\n".join(text for text in texts if text.strip())


def _text(part: Message) -> str:
    """Return the part's text, if it is displayed and not a file."""
    if _filename(part) or part.get_content_disposition() == "attachment":
        return ""
    text = _clean(_decoded(_bytes(part), _charset(part))).replace("\r\n", "\n")
    return _words(text) if part.get_content_type() == "text/html" else text


def _filename(part: Message) -> str | None:
    """Return the file name; None for a part that is not a file."""
    try:
        return part.get_filename()
    except _UNREADABLE:  # a name in an unknown encoding
        return "file"


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except _UNREADABLE:
        return None


def _bytes(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError):
        return b""
    return data if isinstance(data, bytes) else b""


def _file(part: Message) -> Attached | None:
    name = _filename(part)
    if not isinstance(name, str):
        return None
    data = _bytes(part)
    file_name = " ".join(_clean(name).split())[:200] or "file"
    return (
        Attached(name=file_name, content_type=part.get_content_type(), data=data) if data else None
    )


class _Words(HTMLParser):
    """Extracts the text of HTML, with breaks where blocks end."""

    _SILENT: Final = frozenset({"script", "style", "head", "title"})
    _BLOCKS: Final = frozenset({"p", "div", "br", "tr", "li", "h1", "h2", "h3", "blockquote"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._silent = 0
        self._link = ("", 0)
        """Target and start of the current link. Only one: links are not nested."""

    def parse_marked_section(self, i: int, report: int = 1) -> int:  # noqa: ARG002  # overrides the library's
        """Skip `<![x …>`, which Word and spam write; the library raises AssertionError for most of it."""
        return self.parse_bogus_comment(i)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in self._SILENT
        if tag in self._BLOCKS:
            self.texts.append("\n")
        if tag == "a":
            self._link = web_url(dict(attrs).get("href") or ""), len(self.texts)

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            url, start = self._link
            self._link = ("", 0)
            if url and url not in "".join(self.texts[start:]):
                self.texts.append(f" ({url})")
        self._silent = max(0, self._silent - (tag in self._SILENT))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def _words(html: str) -> str:
    parser = _Words()
    parser.feed(html[:LONGEST_HTML])
    if not parser.rawdata.startswith("<"):  # a tag that was cut is left out
        parser.close()  # the end of a text, such as "R&D"
    lines = ["".join(line.split("\t")).strip() for line in "".join(parser.texts).splitlines()]
    return "\n".join(line for line in lines if line)
