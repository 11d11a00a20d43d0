"""Lines of output: text for people, or JSON for programs. `tui.cli.output` prints them."""

import json
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tui.api.model import Message
from tui.cli import output
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
from tui.view import names
from tui.view.records import text_of
from tui.view.times import Times

Row: TypeAlias = tuple[tuple[str, ...], Mapping[str, object]]
"""A line of a list: its columns for people, and the record for programs."""

NEWLINE = " ⏎ "
"""Stands for a new line where a message is printed on one line."""


def of_record(record: Mapping[str, object]) -> str:
    """Return a line of JSON in ASCII: nothing in it can act on a terminal."""
    return json.dumps(record, ensure_ascii=True, separators=(", ", ": "))


def show_row(columns: Iterable[str], record: Mapping[str, object], *, as_json: bool) -> None:
    """Print a line of a list: its columns, sanitized and separated by tabs, or the record."""
    output.show(of_record(record) if as_json else "\t".join(map(sanitize_line, columns)))


def place(store: Store, conversation: Conversation) -> str:
    """Return `#design > colors`, as `--to` takes it; or the people."""
    if isinstance(conversation, DmNarrow):
        return names.people(store, conversation)
    channel = names.channel(store, conversation.channel_id)
    return f"#{channel} > {names.topic(store, conversation.topic)}"


def narrow_text(store: Store, narrow: Narrow) -> str:
    """Return the narrow in the search language, as `--narrow` takes it: names, and IDs of people."""
    named = store.channel_names
    terms = [
        Term("channel", named.get(term.operand, str(term.operand)), term.negated)  # type: ignore[call-overload]  # a channel's operand is its id
        if term.operator == "channel" and isinstance(term.operand, int)
        else term
        for term in narrow.terms()
    ]
    return format_terms(terms)


def of_message(store: Store, message: Message, times: Times) -> str:
    """Return a message on one line: `2026-11-21 14:05  #design > colors  Chi: text`."""
    moment = times.local(message.timestamp)
    where = place(store, conversation_of(message))
    sender = names.person(store, message.sender_id, message.sender_full_name)
    text = NEWLINE.join(sanitize_line(line) for line in text_of(message).splitlines())
    between = " " if message.is_me_message else ": "
    return f"{moment:%Y-%m-%d %H:%M}  {where}  {sender}{between}{text}"
