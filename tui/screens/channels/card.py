"""The card of a channel, and of the topic that is open in it. Draws nothing itself.

Forms and lists are imported when they are opened: few sessions need one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.api.model import Channel, ChannelId, VisibilityPolicy
from tui.api.routes import channels as routes
from tui.commands import channels
from tui.narrow import ChannelNarrow, TopicNarrow
from tui.screens.dialogs.actions import Act
from tui.screens.dialogs.card import Card, Section
from tui.store import Store
from tui.view import channel_info, names
from tui.view import channels as views
from tui.view.cards import CardPart

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show_channel(screen: AccountScreen, place: ChannelNarrow | TopicNarrow) -> None:
    """What it is, who is in it, how one hears it; and what can be changed of that."""
    store = screen.session.store
    channel = store.channels.get(place.channel_id)
    if channel is None:
        screen.tell("Channel not found.")
        return
    topic = place if isinstance(place, TopicNarrow) else None
    pages = _Pages(screen, channel, topic)
    card = Card(
        names.narrow(store, ChannelNarrow(place.channel_id)),
        [Section(name="About", load=pages.about), Section(name="Members", load=pages.members)],
        reader=screen.messages.reader,
        acts=_acts(store, channel, topic),
    )
    act = await screen.app.push_screen_wait(card)
    if act is not None:
        await _do(screen, act, place)


class _Pages:
    """What each page says."""

    def __init__(self, screen: AccountScreen, channel: Channel, topic: TopicNarrow | None) -> None:
        self._screen = screen
        self._channel = channel
        self._topic = topic

    async def about(self) -> Sequence[CardPart]:
        store = self._screen.session.store
        return channel_info.about(store, self._channel, self._topic, self._screen.times)

    async def members(self) -> Sequence[CardPart]:
        session, known = self._screen.session, self._channel.subscribers
        if known is None:
            connection = session.sync.connection
            known = await routes.list_members(connection, channel_id=self._channel.channel_id)
        return channel_info.members(session.store, known)


def _acts(store: Store, channel: Channel, topic: TopicNarrow | None) -> list[Act]:
    channel_id = channel.channel_id
    found: list[Act] = []
    if topic is not None:
        followed = store.policy(topic) == VisibilityPolicy.FOLLOWED
        found.append(_act("f", "topic-follow", "unfollow" if followed else "follow", "topic"))
        muted = store.is_muted(topic)
        found.append(_act("t", "topic-mute", "unmute" if muted else "mute", "topic"))
    found += _of_everybody(store, channel)
    subscription = store.channels.subscription(channel_id)
    if subscription is None:
        joins = [] if channel.is_archived else [_act("j", "join", "join", "channel")]
        return [*found, *joins]
    notifies = channel_info.notifies(store, channel_id)
    return [
        *found,
        _act("s", "own", "your settings", ""),
        _act("m", "mute", "unmute" if subscription.is_muted else "mute", "channel"),
        _act("p", "pin", "unpin" if subscription.pin_to_top else "pin", "channel"),
        _act("n", "notify", "do not notify" if notifies else "notify: all messages", ""),
        _act("r", "read", "mark", "read"),
        _act("x", "leave", "leave", "channel"),
    ]


def _of_everybody(store: Store, channel: Channel) -> list[Act]:
    found = [_act("o", "topics", "topics", "")]
    if views.may_add(store, channel):
        found.append(_act("a", "members", "add people", ""))
    if views.may_administer(store, channel) and not channel.is_archived:
        found.append(_act("e", "edit", "edit", ""))
        found.append(_act("w", "permissions", "permissions", ""))
    return found


def _act(key: str, act: str, verb: str, what: str) -> Act:
    return Act(key=key, label=f"{verb} {what}".strip(), act=act)


async def _do(screen: AccountScreen, act: str, place: ChannelNarrow | TopicNarrow) -> None:
    acts, sync, channel_id = screen.place_acts, screen.session.sync, place.channel_id
    match act:
        case "topic-follow":
            await acts.do("follow", place)
        case "topic-mute":
            await acts.do("mute", place)
        case "mute" | "pin" | "read":
            await acts.do(act, ChannelNarrow(channel_id))
        case "notify":
            on = not channel_info.notifies(screen.session.store, channel_id)
            await channels.set_property(sync, channel_id, "desktop_notifications", on)
            screen.tell(
                "Notifying you of all messages." if on else "Notifying you of mentions only."
            )
        case "topics" | "members" | "edit" | "permissions":
            await _administer(screen, act, channel_id)
        case "own":
            await _edit_own(screen, channel_id)
        case "leave":
            await acts.leave_channel(channel_id)
        case "join":
            await channels.subscribe(sync, channel_id)
            screen.go(ChannelNarrow(channel_id))


async def _edit_own(screen: AccountScreen, channel_id: ChannelId) -> None:
    from tui.screens.channels.subscription import edit_subscription

    subscription = screen.session.store.channels.subscription(channel_id)
    if subscription is not None:
        await edit_subscription(screen, subscription)


async def _administer(screen: AccountScreen, act: str, channel_id: ChannelId) -> None:
    from tui.screens.channels.actions import administer

    channel = screen.session.store.channels.get(channel_id)
    if channel is not None:
        await administer(screen, act, channel)
