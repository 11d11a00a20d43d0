"""The details of a message: time, reactions, readers, edit history. Pure."""

from collections.abc import Iterable, Iterator

from tui.api.history import HistoryEntry
from tui.api.model import Message, Reaction, UserId
from tui.content.parse import parse
from tui.content.sanitize import sanitize, sanitize_line
from tui.narrow import TopicNarrow, conversation_of
from tui.store.store import Store
from tui.view import names
from tui.view.cards import CardContent, CardPart, Heading, Pair, Sentence, Source
from tui.view.counts import counted
from tui.view.reactions import emoji_text
from tui.view.times import Times


def about(store: Store, message: Message, times: Times, link: str) -> list[CardPart]:
    """Return the message's time, sender, conversation, client and edits."""
    sender = names.person(store, message.sender_id, message.sender_full_name)
    pairs = [
        ("Written", f"{times.moment(message.timestamp)} by {sender}"),
        ("In", names.conversation(store, conversation_of(message))),
        ("With", sanitize_line(message.client)),
    ]
    if message.last_edit_timestamp is not None:
        pairs.append(("Edited", times.moment(message.last_edit_timestamp)))
    if message.last_moved_timestamp is not None:
        pairs.append(("Moved", times.moment(message.last_moved_timestamp)))
    pairs += [("Reactions", _emoji(message.reactions)), ("Link", sanitize_line(link))]
    return [Pair(label, text) for label, text in pairs if text]


def reactions(store: Store, message: Message) -> list[CardPart]:
    """Return each emoji with the names of those who chose it."""
    parts: list[CardPart] = []
    for group in _groups(message.reactions):
        people = [names.person(store, each.user_id) for each in group]
        parts.append(Pair(_emoji(group[:1]), ", ".join(people)))
    return parts or [Sentence("No reactions yet.")]


def readers(store: Store, user_ids: Iterable[UserId]) -> list[CardPart]:
    """Return the readers, as far as they share read receipts."""
    people = sorted((names.person(store, each) for each in user_ids), key=str.casefold)
    if not people:
        return [Sentence("No read receipts yet.")]
    return [
        Sentence(f"Read by {counted(len(people), 'person', 'people')}:"),
        *map(Sentence, people),
    ]


def history(store: Store, entries: Iterable[HistoryEntry], times: Times) -> list[CardPart]:
    """Return every version, newest first, with inserted and deleted text, and moves."""
    parts: list[CardPart] = []
    for at, entry in reversed(list(enumerate(entries))):
        parts += _version(store, entry, times, is_first=at == 0)
    return parts or [Sentence("Edit history is turned off in this organization.")]


def source(markdown: str) -> list[CardPart]:
    """Return the message's Markdown."""
    return [Source(sanitize(markdown))]


def _version(
    store: Store, entry: HistoryEntry, times: Times, *, is_first: bool
) -> Iterator[CardPart]:
    who = "" if entry.user_id is None else names.person(store, entry.user_id)
    changes = list(_changes(store, entry)) if not is_first else ["written"]
    yield Heading(
        f"{times.moment(entry.timestamp)} · {' and '.join(changes)} by {who or 'unknown'}"
    )
    if is_first:
        yield CardContent(parse(entry.rendered_content))
    elif entry.content_html_diff is not None:
        yield CardContent(parse(entry.content_html_diff))
    elif entry.prev_content is not None:
        yield CardContent(parse(entry.rendered_content))


def _changes(store: Store, entry: HistoryEntry) -> Iterator[str]:
    if entry.prev_content is not None:
        yield "edited"
    if entry.prev_channel_id is not None:
        place = TopicNarrow(entry.prev_channel_id, entry.prev_topic or entry.topic)
        yield f"moved from {names.conversation(store, place)}"
    elif entry.prev_topic is not None:
        yield f"moved from “{names.topic(store, entry.prev_topic)}”"


def _groups(given: Iterable[Reaction]) -> list[list[Reaction]]:
    groups: dict[tuple[str, str], list[Reaction]] = {}
    for reaction in given:
        groups.setdefault((reaction.reaction_type, reaction.emoji_code), []).append(reaction)
    return list(groups.values())


def _emoji(given: Iterable[Reaction]) -> str:
    first = [group[0] for group in _groups(given)]
    return " ".join(emoji_text(r.reaction_type, r.emoji_code, r.emoji_name) for r in first)
