"""Posts an email to the channel it was addressed to, once, with the rights of the address's creator."""

import hashlib
from collections.abc import Sequence
from typing import Final

from server_lite.access.channel_email import ChannelEmail, access_channel_of
from server_lite.access.message_validation import (
    MAX_CONTENT,
    check_topic,
    cut_topic,
    normalize_content,
)
from server_lite.access.recipients import ChannelRecipient
from server_lite.actions.messages import send_message
from server_lite.dataclass import dataclass
from server_lite.ids import MessageId
from server_lite.markup.untrusted_text import code, on_one_line, plain, without_mentions
from server_lite.store import received_mail
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

CLIENT: Final = "Email"
NO_SUBJECT: Final = "Email with no subject"
KEPT: Final = 30 * 86400.0
"""Seconds for which a posted email is recognized; mail servers retry for about five days."""
_CUT: Final = "\n[…]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Email:
    """The parts of an email that become a message; all of them are untrusted."""

    key: str
    """Message-ID of the email, or a replacement that identifies it."""
    name: str
    address: str
    subject: str
    text: str
    files: Sequence[str]
    """Markdown links to its files, and notes on files that were left out."""


def is_known(db: Db, to: ChannelEmail, key: str) -> bool:
    """Whether the email was already posted."""
    return received_mail.is_known(db, _digest(to, key))


def post(tx: Tx, to: ChannelEmail, email: Email) -> MessageId | None:
    """Post the email; returns None if it was already posted. Raises ApiError."""
    if is_known(tx, to, email.key):
        return None
    channel, creator, sender = access_channel_of(tx, to)
    subject = cut_topic(on_one_line(to.topic or email.subject or NO_SUBJECT))
    topic = "" if channel.topics_policy == "empty_topic_only" else subject
    check_topic(tx, creator, channel, topic)
    received_mail.delete_before(tx, tx.now - KEPT)
    received_mail.insert(tx, _digest(to, email.key), tx.now)
    content = normalize_content(content_of(email, sender))
    return send_message(tx, sender, ChannelRecipient(channel, topic), content, client=CLIENT).id


def content_of(email: Email, sender: UserRow) -> str:
    """Return the message: a sender line unless the posting account has that address, the text, the files."""
    name, address = plain(email.name), code(email.address)
    is_own = email.address.lower() == sender.email.lower()
    head = "" if is_own else f"**From:** {' '.join(part for part in (name, address) if part)}"
    tail = "\n".join(email.files)
    room = MAX_CONTENT - len(head) - len(tail) - len(_CUT) - 10
    # Text that begins with a command such as "/poll" would become more than text.
    text = without_mentions(email.text.replace("\r\n", "\n")).strip()
    text = f" {text}" if text.startswith("/") else text
    text = text if len(text) <= room else text[:room] + _CUT
    return "\n\n".join(part for part in (head, text, tail) if part) or "(no text)"


def _digest(to: ChannelEmail, key: str) -> bytes:
    return hashlib.blake2b(f"{to.channel_id} {key}".encode(), digest_size=16).digest()
