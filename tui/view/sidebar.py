"""The sidebar at the left: views, channels, topics, people. Pure functions."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Final

from tui.api.model import ChannelId, Subscription, VisibilityPolicy
from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    TopicNarrow,
    Unread,
)
from tui.store.store import Store
from tui.view import names
from tui.view.counts import counted
from tui.view.navigation_views import kept_views
from tui.view.presence import PresenceState, presence
from tui.view.sidebar_cache import SidebarCache, by_name
from tui.view.sidebar_rows import Section, SidebarRow, Target, ViewName
from tui.view.sidebar_sections import folder_of
from tui.view.unread_counts import UnreadCounts

TOPICS = 5
"""Topics shown under the open channel before the user expands it."""

DIRECT = 5
"""Direct conversations shown before the user expands the section: unread ones first."""

GROUP: Final = "∴"
"""The mark of group direct messages; no digit, which would look like a count."""

BROWSE: Final = SidebarRow(kind="more", target="browse", label="Browse channels")


def sidebar(
    store: Store,
    *,
    opened: Narrow | ViewName | None,
    expanded: frozenset[ChannelId],
    drafts: int,
    now: float,
    query: str = "",
    collapsed: Collection[str] = (),
    all_direct: bool = False,
    counts: UnreadCounts | None = None,
    cache: SidebarCache | None = None,
) -> list[SidebarRow]:
    """Return all rows. `opened` is the open narrow or view, `expanded` the channels that show all topics.

    `query`: only rows whose names contain these words, among all loaded topics. `collapsed` names the
    sections of which only the heading and the open row are shown; `all_direct` shows every direct
    conversation. `counts` and `cache` belong to the caller, who tells them of changes; without them everything
    is counted and made.
    """
    counts = (counts or UnreadCounts()).of(store)
    cache = cache or SidebarCache()
    words = query.casefold().split()
    if words:
        return _matching(store, words, opened, counts, now)
    cache.begin(store, now, (store, opened, expanded, all_direct))
    if cache.direct is None:
        most = None if all_direct else DIRECT
        cache.direct = cache.keep("direct", _direct(store, opened, counts, now, most=most))
    for channel_id, topics in cache.stale.items():
        channel = cache.listed[channel_id]
        if topics is None or not _renew(store, channel, topics, opened, counts, cache):
            cache.keep(channel_id, _channel(store, channel, opened, expanded, counts, cache.topics))
    cache.stale.clear()
    views = [
        *_views(store, opened, counts, drafts, cache.views),
        *_kept(store, opened, pinned=True),
    ]
    rows = [
        *_section("views", "Views", cache.keep("views", views), collapsed, cache),
        *_section("direct", "Direct messages", cache.direct, collapsed, cache),
    ]
    for section, (title, _) in cache.sections.items():
        inside = cache.channels(section)
        if section == "channels":
            inside = [*inside, BROWSE]
        rows += _section(section, title, inside, collapsed, cache)
    return rows


def _section(
    section: Section,
    title: str,
    rows: list[SidebarRow],
    collapsed: Collection[str],
    cache: SidebarCache,
) -> list[SidebarRow]:
    """Return a heading and its rows; for a collapsed section its sum and the open row."""
    if section not in collapsed:
        return [cache.heading(section, title), *rows]
    unread = [row for row in rows if row.is_unread]
    if section == "views":
        unread = [row for row in rows if isinstance(row.target, Mentions)]
    heading = cache.heading(
        section,
        title,
        is_collapsed=True,
        count=sum(row.count for row in unread),
        mentions=sum(row.mentions for row in unread),
    )
    return [heading, *(row for row in rows if row.is_open)]


def kept_in_sight(rows: Sequence[SidebarRow], height: int) -> int:
    """Return how many of the first rows do not scroll: whole sections, within 60 % of `height` lines."""
    used = kept = 0
    for at, row in enumerate(rows):
        if row.kind == "section":
            if row.section not in ("views", "direct"):
                return at
            kept = at
        used += row.height
        if used > height * 3 // 5:
            return kept
    return 0


def _matching(
    store: Store, words: list[str], opened: Target, counts: UnreadCounts, now: float
) -> list[SidebarRow]:
    views = [*_views(store, opened, counts, 0, {}), *_kept(store, opened, pinned=False)]
    rows = [row for row in views if _has(words, row.label)]
    for channel in sorted(store.channels.subscriptions(), key=by_name):
        if channel.is_archived:
            continue
        everything = frozenset({channel.channel_id})
        row, *inside = _channel(store, channel, opened, everything, counts, {}, shows_topics=True)
        topics = [
            topic
            for topic in inside
            if topic.kind == "topic"
            and _has(words, f"{row.label} {topic.label}")
            and any(word in topic.label.casefold() for word in words)
        ]
        folder = folder_of(store, channel)
        if topics or _has(words, row.label if folder is None else f"{row.label} {folder.name}"):
            rows += [row, *topics]
    return rows + [
        row for row in _direct(store, opened, counts, now, most=None) if _has(words, row.label)
    ]


def _has(words: list[str], label: str) -> bool:
    folded = label.casefold()
    return all(word in folded for word in words)


def _views(
    store: Store,
    opened: Target,
    counts: UnreadCounts,
    drafts: int,
    rows: dict[str, SidebarRow],
) -> Iterator[SidebarRow]:
    """Yield the rows of views; those in `rows` that are the same as they are, and others are put there."""
    starred = len(store.starred) if store.settings.starred_message_counts else 0
    views: tuple[tuple[Narrow | ViewName, str, str, int], ...] = (
        ("inbox", "▽", "Inbox", counts.inbox),
        ("recent", "↺", "Recent", 0),
        (AllMessages(), "≡", "All messages", 0),
        (Mentions(), "@", "Mentions", counts.mentions),
        (Starred(), "★", "Starred", starred),
        ("drafts", "✎", "Drafts", drafts),
    )
    scheduled = len(store.scheduled.by_id) + len(store.reminders.by_id)
    if scheduled:
        views += (("scheduled", "◷", "Scheduled", scheduled),)
    for target, mark, label, count in views:
        row, is_open = rows.get(label), target == opened
        if row is None or (row.count, row.is_open) != (count, is_open):
            row = rows[label] = SidebarRow(
                kind="view",
                target=target,
                label=label,
                mark=mark,
                count=count,
                mentions=count if isinstance(target, Mentions) else 0,
                is_quiet=not isinstance(target, Mentions),
                is_open=is_open,
            )
        yield row


def _kept(store: Store, opened: Target, *, pinned: bool) -> Iterator[SidebarRow]:
    """Yield the saved views; `pinned`: only those that are pinned to the sidebar."""
    for view in kept_views(store):
        if view.is_pinned or not pinned:
            yield SidebarRow(
                kind="kept",
                target=view.narrow,
                fragment=view.fragment,
                label=view.name,
                mark="◇",
                # A narrow with a row of its own is marked there.
                is_open=view.narrow == opened and isinstance(opened, Search | Unread | AllDms),
            )


def _channel(
    store: Store,
    channel: Subscription,
    opened: Target,
    expanded: frozenset[ChannelId],
    counts: UnreadCounts,
    rows: dict[TopicNarrow, SidebarRow],
    *,
    shows_topics: bool = False,
) -> Iterator[SidebarRow]:
    channel_id = channel.channel_id
    yield _channel_row(store, channel, opened, counts)
    if shows_topics or _is_inside(opened, channel_id):
        whole = channel_id in expanded
        yield from _topics(store, channel_id, opened, counts, rows, whole=whole)


def _is_inside(opened: Target, channel_id: ChannelId) -> bool:
    return isinstance(opened, ChannelNarrow | TopicNarrow) and opened.channel_id == channel_id


def _channel_row(
    store: Store, channel: Subscription, opened: Target, counts: UnreadCounts
) -> SidebarRow:
    channel_id = channel.channel_id
    unread, muted = counts.channels[channel_id], counts.muted[channel_id]
    return SidebarRow(
        kind="channel",
        target=ChannelNarrow(channel_id),
        channel_id=channel_id,
        label=names.channel(store, channel_id),
        mark=names.channel_mark(store, channel_id),
        color=names.channel_color(store, channel_id),
        count=unread or muted,
        mentions=counts.channel_mentions[channel_id],
        is_muted=channel.is_muted,
        is_quiet=not unread,
        is_open=opened == ChannelNarrow(channel_id),
    )


def _renew(
    store: Store,
    channel: Subscription,
    topics: Collection[TopicNarrow],
    opened: Target,
    counts: UnreadCounts,
    cache: SidebarCache,
) -> bool:
    """Make the rows of a channel and of some of its topics again; False if other topics may be shown now.

    Which ones are shown depends on their order, and on whether they are unread.
    """
    at = cache.topics_at(channel.channel_id)
    rows = {0: _channel_row(store, channel, opened, counts)}
    for place in topics if _is_inside(opened, channel.channel_id) else ():
        row = None
        if place in at and place in store.topics and counts.unread(place):
            is_open, shown = place == opened, cache.topic_at(channel.channel_id, at[place])
            row = _topic(store, shown, counts, cache.topics, is_open=is_open, is_always=False)
        if row is None:
            return False
        rows[at[place]] = row
    cache.exchange(channel.channel_id, rows)
    return True


def _topics(
    store: Store,
    channel_id: ChannelId,
    opened: Target,
    counts: UnreadCounts,
    rows: dict[TopicNarrow, SidebarRow],
    *,
    whole: bool,
) -> Iterator[SidebarRow]:
    """Yield the rows of a channel's topics; those in `rows` as they are, and others are put there.

    Beyond the first ones only those that are unread or open are looked at: a channel may have thousands.
    """
    places = names.topics(store, channel_id)
    here = opened if isinstance(opened, TopicNarrow) and opened.channel_id == channel_id else None
    if here is not None and here not in store.topics and not counts.unread(here):
        places.insert(0, here)
    looked_at = shown = 0
    for place in places:
        if shown >= TOPICS and not whole:
            break
        looked_at += 1
        row = _topic(store, place, counts, rows, is_open=place == here, is_always=whole)
        if row is not None:
            shown += 1
            yield row
    rest = {*store.unreads.topics(channel_id), *([] if here is None else [here])}
    rest.difference_update(places[:looked_at])
    written = store.topics.written(channel_id, rest)
    for place in sorted(written, key=partial(_age, store), reverse=True):
        if (is_open := place == here) or counts.unread(place):
            row = _topic(store, place, counts, rows, is_open=is_open, is_always=False)
            if row is not None:
                shown += 1
                yield row
    hidden = len(places) - shown
    if hidden or not store.topics.complete.issuperset({channel_id}):
        label = counted(hidden, "more topic", "more topics") if hidden else "more topics"
        yield SidebarRow(kind="more", target=None, channel_id=channel_id, label=label)


def _age(store: Store, place: TopicNarrow) -> tuple[int, int]:
    """Return the sort key of a topic in the order of `names.topics`, the last ones first."""
    return store.topics.newest(place) or 0, max(store.unread_ids(place), default=0)


def _topic(
    store: Store,
    place: TopicNarrow,
    counts: UnreadCounts,
    rows: dict[TopicNarrow, SidebarRow],
    *,
    is_open: bool,
    is_always: bool,
) -> SidebarRow | None:
    """Return the row of a topic; None if it is muted, unless it is open or shown always."""
    row = rows.get(place)
    if row is None or not _is_spelled(row, place):
        muted = store.is_muted(place)
        if muted and not (is_open or is_always):
            return None
        row = rows[place] = SidebarRow(
            kind="topic",
            target=place,
            channel_id=place.channel_id,
            label=names.topic(store, place.topic),
            count=counts.unread(place),
            mentions=counts.mentioned(place),
            is_muted=muted,
            is_quiet=muted,
            is_open=is_open,
            is_followed=store.policy(place) == VisibilityPolicy.FOLLOWED,
        )
    return row if is_open or is_always or not row.is_muted else None


def _is_spelled(row: SidebarRow, place: TopicNarrow) -> bool:
    """Whether a row has the topic as it is written now: narrows are equal whatever their case is."""
    target = row.target
    return isinstance(target, TopicNarrow) and target.topic == place.topic


def _direct(
    store: Store,
    opened: Target,
    counts: UnreadCounts,
    now: float,
    *,
    most: int | None = DIRECT,
) -> list[SidebarRow]:
    places = store.direct_messages.by_recency()
    notes = DmNarrow(frozenset({store.self_id}))
    if isinstance(opened, DmNarrow) and opened not in places:
        places.insert(0, opened)
    if notes not in places:
        places.append(notes)
    unread = [place for place in places if counts.unread(place)]
    shown = set(places if most is None else [*unread, *places][:most]) | {opened, notes}
    rows = [_direct_row(store, opened, counts, place, now) for place in places if place in shown]
    rest = [(counts.unread(place), store.is_muted(place)) for place in unread if place not in shown]
    if hidden := len(places) - len(rows):
        rows.append(
            SidebarRow(
                kind="more",
                target=None,
                label=counted(hidden, "more conversation", "more conversations"),
                section="direct",
                count=sum(count for count, _ in rest),
                mentions=sum(count for count, is_muted in rest if not is_muted),
            )
        )
    return rows


def _direct_row(
    store: Store, opened: Target, counts: UnreadCounts, place: DmNarrow, now: float
) -> SidebarRow:
    unread = counts.unread(place)
    muted = store.is_muted(place)
    return SidebarRow(
        kind="direct",
        target=place,
        label=names.people(store, place),
        mark=GROUP if len(place.user_ids - {store.self_id}) > 1 else "",
        count=unread,
        mentions=0 if muted else unread,
        is_muted=muted,
        is_quiet=muted,
        is_open=place == opened,
        presence=_presence(store, place, now),
    )


def _presence(store: Store, place: DmNarrow, now: float) -> PresenceState | None:
    others = place.user_ids - {store.self_id}
    if len(others) > 1:
        return None
    (user_id,) = others or {store.self_id}
    return presence(store, user_id, now)
