"""Completions of the word that is being typed: mentions, channels, topics, emoji. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator

from tui.api.model import ChannelId, UserId
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.narrow import DmNarrow, Narrow
from tui.store import Store
from tui.view import names
from tui.view.emoji import Emoji

MOST = 6
"""Completions offered at once."""

_WORD = re.compile(r"(?:^|(?<=[\s(]))(@_?|#|:)(\S[^\n]{0,60})?$")
_QUOTED_TOPIC = re.compile(r"#\*\*([^*>\n]+)(?:\*\* ?)?>([^*\n]{0,60})$")
"""Within the link, or with the `>` after a complete link to the channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A completion: `text` replaces the last `replaces` characters."""

    label: str
    detail: str
    text: str
    replaces: int


def completions(
    store: Store,
    before: str,
    emoji: Callable[[str], Iterable[Emoji]],
    here: Narrow | None = None,
) -> list[Completion]:
    """Return completions for the end of `before`, the line up to the cursor; the best first.

    `emoji` returns those whose names have letters in a row.
    For a mark alone these are people who wrote `here`, the open conversation, and the user's own channels.
    """
    topic = topic_begun(store, before)
    if topic is not None:
        return _first(_topics(store, topic))
    # A name may have several words, so the last mark with completions counts.
    for match in reversed(list(_starts(before))):
        mark, typed = match[1], match[2] or ""
        if not typed:
            matches = _first(_of_mark_alone(store, mark, here))
        else:
            matches = _first(_of_mark(store, mark, typed, len(match[0]), emoji))
        if matches:
            return matches
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicBegun:
    """A topic that is being typed after its channel; `size` characters are to be replaced."""

    channel_id: ChannelId
    typed: str
    size: int


def topic_begun(store: Store, before: str) -> TopicBegun | None:
    """Return the topic at the end of the text, after a channel written as a link or by name; else None.

    A channel's name may have spaces and `>` in it: the longest name that exists counts.
    """
    for at in range(len(before) - 1, -1, -1):
        if before[at] != "#" or (at and before[at - 1] not in " \t("):
            continue
        size = len(before) - at
        if (link := _QUOTED_TOPIC.match(before, at)) is not None:
            channel_id = store.channels.find(link[1])
            if channel_id is not None:
                return TopicBegun(channel_id=channel_id, typed=link[2], size=size)
        written = before[at + 1 :]
        for cut in range(len(written) - 1, 0, -1):
            channel_id = store.channels.find(written[:cut]) if written[cut] == ">" else None
            if channel_id is not None:
                return TopicBegun(channel_id=channel_id, typed=written[cut + 1 :], size=size)
    return None


def _starts(before: str) -> Iterator[re.Match[str]]:
    for at, char in enumerate(before):
        if char in "@#:" and (at == 0 or before[at - 1] in " \t("):
            match = _WORD.match(before, at)
            if match is not None:
                yield match


def _first(candidates: Iterator[tuple[int, Completion]]) -> list[Completion]:
    """Return the completions of the lowest ranks."""
    ranked = sorted(candidates, key=lambda pair: pair[0])
    return [completion for _, completion in ranked[:MOST]]


def _of_mark(
    store: Store, mark: str, typed: str, size: int, emoji: Callable[[str], Iterable[Emoji]]
) -> Iterator[tuple[int, Completion]]:
    if mark == "#":
        return _channels(store, typed, size)
    if mark == ":" and len(typed) >= 2:
        return _emoji(emoji(typed.casefold()), typed, size)
    if mark.startswith("@") and not typed.startswith("*"):
        return _people(store, mark, typed, size)
    return iter(())


def _of_mark_alone(
    store: Store, mark: str, here: Narrow | None
) -> Iterator[tuple[int, Completion]]:
    if mark == "#":
        for _, completion in _channels(store, "", 1, store.channels.subscribed):
            yield 0, completion
    elif mark != ":":
        writers = _writers(store, here)
        for user_id, completion in _users(store, mark, "", len(mark)):
            if user_id != store.self_id:
                yield writers.get(user_id, len(writers)), completion
        for _, completion in _wildcards(mark, "", len(mark)):
            yield len(writers), completion


def _writers(store: Store, here: Narrow | None) -> dict[UserId, int]:
    """Return the people of a conversation: 0 for who wrote last, as far as messages are loaded; then those of a
    direct conversation.
    """
    newest_ids = sorted(store.messages.window(here).ids(), reverse=True) if here else ()
    messages = map(store.messages.get, newest_ids)
    writers = dict.fromkeys(each.sender_id for each in messages if each is not None)
    if isinstance(here, DmNarrow):
        writers |= dict.fromkeys(sorted(here.user_ids - writers.keys()))
    writers.pop(store.self_id, None)
    return {user_id: at for at, user_id in enumerate(writers)}


def _people(store: Store, mark: str, typed: str, size: int) -> Iterator[tuple[int, Completion]]:
    for user_id, completion in _users(store, mark, typed, size):
        yield _rank(store.users.by_id[user_id].full_name, typed), completion
    for group in store.groups.by_id.values():
        if not group.is_system_group and not group.deactivated and _has(group.name, typed):
            label = sanitize_line(group.name)
            text = f"{mark}*{group.name}* "
            yield (
                _rank(group.name, typed),
                Completion(label=label, detail="group", text=text, replaces=size),
            )
    yield from _wildcards(mark, typed, size)


def _users(store: Store, mark: str, typed: str, size: int) -> Iterator[tuple[UserId, Completion]]:
    count: dict[str, int] = {}
    for user in store.users.by_id.values():
        count[user.full_name] = count.get(user.full_name, 0) + 1
    for user in store.users.by_id.values():
        if not user.is_active or not _has(user.full_name, typed):
            continue
        exact = f"{user.full_name}|{user.user_id}" if count[user.full_name] > 1 else user.full_name
        yield (
            user.user_id,
            Completion(
                label=names.person(store, user.user_id),
                detail="bot" if user.is_bot else "",
                text=f"{mark}**{exact}** ",
                replaces=size,
            ),
        )


def _wildcards(mark: str, typed: str, size: int) -> Iterator[tuple[int, Completion]]:
    for word, detail in (("all", "everyone here"), ("topic", "everyone in this topic")):
        if word.startswith(typed.casefold()):
            text = f"{mark}**{word}** "
            yield 2, Completion(label=word, detail=detail, text=text, replaces=size)


def _channels(
    store: Store, typed: str, size: int, among: Iterable[ChannelId] | None = None
) -> Iterator[tuple[int, Completion]]:
    by_id = store.channels.by_id
    for channel in by_id.values() if among is None else map(by_id.__getitem__, sorted(among)):
        if channel.is_archived or not _has(channel.name, typed):
            continue
        label = names.channel(store, ChannelId(channel.channel_id))
        yield (
            _rank(channel.name, typed),
            Completion(label=f"#{label}", detail="", text=f"#**{channel.name}** ", replaces=size),
        )


def _topics(store: Store, begun: TopicBegun) -> Iterator[tuple[int, Completion]]:
    channel = store.channel_names[begun.channel_id]
    for place in names.topics(store, begun.channel_id):
        if place.topic and (not begun.typed or _has(place.topic, begun.typed)):
            label = names.topic(store, place.topic)
            text = f"#**{channel}>{place.topic}** "
            yield (
                _rank(place.topic, begun.typed),
                Completion(label=label, detail="topic", text=text, replaces=begun.size),
            )


def _emoji(emoji: Iterable[Emoji], typed: str, size: int) -> Iterator[tuple[int, Completion]]:
    letters = typed.casefold()
    for each in sorted(emoji, key=lambda emoji: len(emoji.name)):
        label = f"{each.text}  {each.name}"
        yield (
            _rank(each.name, letters),
            Completion(label=label, detail="", text=f":{each.name}: ", replaces=size),
        )


def _has(name: str, typed: str) -> bool:
    """Whether the typed letters begin a word of the name."""
    name, typed = name.casefold(), typed.casefold()
    return name.startswith(typed) or f" {typed}" in name


def _rank(name: str, typed: str) -> int:
    """0 for the typed name itself, 1 for one that begins with it, 2 for one that contains it."""
    name, typed = name.casefold(), typed.casefold()
    return 0 if name == typed else 1 if name.startswith(typed) else 2
