"""Exports a conversation to a file: JSON lines, Markdown, or an HTML page that loads nothing. Pure."""

import base64
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from html import escape as html_text
from typing import Final

from tui.api.encode import encode
from tui.api.model import Message
from tui.content import nodes as n
from tui.content.html_writer import blocks_as_html
from tui.content.markdown_writer import blocks_as_markdown, escaped
from tui.content.parse import parse
from tui.narrow import Conversation, Narrow, conversation_of
from tui.store import Store
from tui.view import names
from tui.view.polls import ballot
from tui.view.reactions import emoji_text
from tui.view.times import Times, utc

_MINUTE: Final = "%Y-%m-%d %H:%M"
_OF_SEARCHES: Final = frozenset({"match_content", "match_subject"})
_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
article { margin: 1rem 0 } header time, .below { color: gray } article > header { margin-bottom: -0.5rem }
pre { overflow-x: auto; padding: 0.5rem; border: 1px solid gray } blockquote { border-left: 3px solid gray; margin-left: 0; padding-left: 1rem }
table { border-collapse: collapse } td, th { border: 1px solid gray; padding: 0.2rem 0.5rem }
.left { text-align: left } .center { text-align: center } .right { text-align: right } h2 { margin-top: 2rem }
"""
_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
)


class Transcript(ABC):
    """Writes messages that arrive one by one, oldest first: pieces of text with their newlines."""

    def __init__(
        self, store: Store, narrow: Narrow, *, site: str, times: Times, now: float
    ) -> None:
        self._store = store
        self._site = site
        self._times = times
        self._now = now
        self._title = names.narrow(store, narrow)
        self._place: Conversation | None = None

    def begin(self) -> str:
        """Return the text before the first message."""
        return ""

    @abstractmethod
    def message(self, message: Message) -> str:
        """Return a message's text, with a heading where the conversation changes."""

    def end(self) -> str:
        """Return the text after the last message: a file without it is not complete."""
        return ""

    def _moved_on(self, message: Message) -> str:
        """Return the name of the conversation where it changes; "" where it does not."""
        place = conversation_of(message)
        if place == self._place:
            return ""
        self._place = place
        name = names.conversation(self._store, place)
        return "" if name == self._title else name

    def _sender(self, message: Message) -> str:
        return names.person(self._store, message.sender_id, message.sender_full_name)

    def _moment(self, timestamp: float) -> str:
        return f"{self._times.local(timestamp):{_MINUTE}}"

    def _source(self) -> str:
        moment = self._times.local(self._now)
        return f"Exported from {self._site} on {moment:{_MINUTE}}. Time zone: UTC{moment:%z}."

    def _content(self, message: Message) -> tuple[n.BlockNode, ...]:
        poll = ballot(self._store, message)
        if poll is None:
            return parse(message.content, is_me_message=message.is_me_message)
        items: list[tuple[n.BlockNode, ...]] = []
        for line in poll.lines:
            text = line.text
            if poll.kind == "poll":
                text = f"{text}: {line.count}"
            elif poll.kind == "todo":
                text = f"[{'x' if line.is_on else ' '}] {text}"
            items.append(
                (n.Paragraph((n.Text(f"{text} ({line.detail})" if line.detail else text),)),)
            )
        title = n.Paragraph((n.Strong((n.Text(poll.title),)),))
        return (title, n.ListBlock(start=None, items=tuple(items)))

    def _below(self, message: Message) -> Iterator[str]:
        """Yield the message's reactions with people's names, and its edits."""
        groups: dict[str, list[str]] = {}
        for each in message.reactions:
            text = emoji_text(each.reaction_type, each.emoji_code, each.emoji_name)
            groups.setdefault(text, []).append(names.person(self._store, each.user_id))
        if groups:
            yield "Reactions: " + ", ".join(
                f"{text} {', '.join(people)}" for text, people in groups.items()
            )
        if message.last_edit_timestamp is not None:
            yield f"Edited {self._moment(message.last_edit_timestamp)}"
        if message.last_moved_timestamp is not None:
            yield f"Moved {self._moment(message.last_moved_timestamp)}"


class JsonLines(Transcript):
    """Each message as an object, with the API's names; fields that the server did not send are left out."""

    def message(self, message: Message) -> str:
        """Return a line in ASCII: nothing in it can act on a terminal."""
        record = encode(message)
        assert isinstance(record, dict)
        fields = {
            key: value
            for key, value in record.items()
            if value is not None and key not in _OF_SEARCHES
        }
        return json.dumps(fields, ensure_ascii=True) + "\n"


class Markdown(Transcript):
    """Readable as it is, and by every program that shows Markdown."""

    def begin(self) -> str:
        """Return the title and the source."""
        return f"# {escaped(self._title)}\n\n{self._source()}\n"

    def message(self, message: Message) -> str:
        """Return a heading with author and time, the text, the reactions and edits."""
        place = self._moved_on(message)
        heading = f"\n## {escaped(place)}\n" if place else ""
        who = f"\n### {escaped(self._sender(message))} · {self._moment(message.timestamp)}\n"
        text = blocks_as_markdown(self._content(message), self._site)
        below = "".join(f"\n*{escaped(line)}*\n" for line in self._below(message))
        return f"{heading}{who}\n{text}\n{below}"


class Page(Transcript):
    """One page of HTML. Its policy lets a browser run nothing and load nothing, whatever is in it."""

    def begin(self) -> str:
        """Return everything down to the first message."""
        title = html_text(self._title)
        return (
            '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{html_text(_POLICY, quote=False)}">\n'
            '<meta name="referrer" content="no-referrer">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
            f"<h1>{title}</h1>\n<p>{html_text(self._source())}</p>\n"
        )

    def message(self, message: Message) -> str:
        """Return an article; a link to its ID leads to it."""
        place = self._moved_on(message)
        heading = f"<h2>{html_text(place)}</h2>\n" if place else ""
        moment = f'<time datetime="{utc(message.timestamp).isoformat()}">{self._moment(message.timestamp)}</time>'
        below = "".join(
            f'<p class="below">{html_text(line)}</p>\n' for line in self._below(message)
        )
        return (
            f'{heading}<article id="{message.id:d}">\n'
            f"<header><strong>{html_text(self._sender(message))}</strong> {moment}</header>\n"
            f"{blocks_as_html(self._content(message), self._site)}\n{below}</article>\n"
        )

    def end(self) -> str:
        """Return the end of the page."""
        return "</body>\n</html>\n"


FORMATS: Final[Mapping[str, type[Transcript]]] = {
    "jsonl": JsonLines,
    "md": Markdown,
    "html": Page,
}
"""Formats by their names on the command line; each is made like `Transcript`."""
