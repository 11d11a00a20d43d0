"""What commands print: a line for people, or a line of JSON for programs. `tui.cli.output` prints it."""

import json
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tui.api.model import Message
from tui.cli import output
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.content.sanitize import sanitize_line
from tui.narrow import (
    Conversation,
    DmNarrow,
    Narrow,
    Term,
    conversation_of,
    format_terms,
)
from tui.store import Store
from tui.view import names, permalinks
from tui.view.times import Times, utc

Row: TypeAlias = tuple[tuple[str, ...], Mapping[str, object]]
"""A line of a list: its columns for people, and the record for programs."""

NEWLINE = " ⏎ "
"""What stands for a new line where a message has to be one."""


def of_record(record: Mapping[str, object]) -> str:
    """A line of JSON in ASCII: nothing in it can act on a terminal."""
    return json.dumps(record, ensure_ascii=True, separators=(", ", ": "))


def show_row(columns: Iterable[str], record: Mapping[str, object], *, as_json: bool) -> None:
    """Print a line of a list: its columns, sanitized and with tabs in between, or the record."""
    output.show(of_record(record) if as_json else "\t".join(map(sanitize_line, columns)))


def place(store: Store, conversation: Conversation) -> str:
    """`#design > colors`, as `--to` takes it; or the people."""
    if isinstance(conversation, DmNarrow):
        return names.people(store, conversation)
    channel = names.channel(store, conversation.channel_id)
    return f"#{channel} > {names.topic(store, conversation.topic)}"


def words(store: Store, narrow: Narrow) -> str:
    """The narrow in the search language, as `--narrow` takes it: names, and ids of people."""
    named = store.channel_names
    terms = [
        Term("channel", named.get(term.operand, str(term.operand)), term.negated)  # type: ignore[call-overload]  # a channel's operand is its id
        if term.operator == "channel" and isinstance(term.operand, int)
        else term
        for term in narrow.terms()
    ]
    return format_terms(terms)


def of_message(store: Store, message: Message, times: Times) -> str:
    """`2026-11-21 14:05  #design > colors  Chi: text`, whatever is in the text."""
    moment = times.local(message.timestamp)
    where = place(store, conversation_of(message))
    sender = names.person(store, message.sender_id, message.sender_full_name)
    text = NEWLINE.join(sanitize_line(line) for line in _text(message).splitlines())
    between = " " if message.is_me_message else ": "
    return f"{moment:%Y-%m-%d %H:%M}  {where}  {sender}{between}{text}"


def record_of_message(store: Store, message: Message, site: str) -> Mapping[str, object]:
    """All of a message that a program may want; `time` is UTC, `text` is without formatting."""
    conversation = conversation_of(message)
    return {
        "id": message.id,
        "time": utc(message.timestamp).isoformat(),
        "sender": message.sender_full_name,
        "sender_id": message.sender_id,
        "sender_email": message.sender_email,
        **record_of_place(store, conversation),
        "text": _text(message),
        "html": message.content,
        "flags": sorted(message.flags),
        "link": f"{site}/{permalinks.fragment(store, message)}",
    }


def record_of_place(store: Store, conversation: Conversation) -> Mapping[str, object]:
    """Where something is said: a channel and topic, or the others in a direct conversation."""
    if isinstance(conversation, DmNarrow):
        others = sorted(conversation.user_ids - {store.self_id})
        users = [store.users.get(each) for each in others]
        return {"type": "direct", "with": [user.email for user in users if user is not None]}
    return {
        "type": "channel",
        "channel": store.channel_names.get(conversation.channel_id),
        "channel_id": conversation.channel_id,
        "topic": conversation.topic,
    }


def _text(message: Message) -> str:
    return plain_text(parse(message.content, is_me_message=message.is_me_message), reveal=True)
