"""The card of a channel, and of the topic that is open in it. Draws nothing itself.

Forms and lists are imported when they are opened: few sessions need one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tui.api.model import Channel, ChannelId, Subscription, VisibilityPolicy
from tui.api.routes import channels as routes
from tui.commands import channels
from tui.narrow import ChannelNarrow, TopicNarrow
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.card import Card, Section
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
        actions=_actions(screen, channel, topic),
    )
    action = await screen.app.push_screen_wait(card)
    if action is not None:
        await action.run()


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


def _actions(
    screen: AccountScreen, channel: Channel, topic: TopicNarrow | None
) -> list[DialogAction]:
    store, place = screen.session.store, screen.place_actions
    found: list[DialogAction] = []
    if topic is not None:
        follow = "unfollow" if store.policy(topic) == VisibilityPolicy.FOLLOWED else "follow"
        mute = "unmute" if store.is_muted(topic) else "mute"
        found += [
            DialogAction(key="f", label=f"{follow} topic", run=partial(place.follow, topic)),
            DialogAction(key="t", label=f"{mute} topic", run=partial(place.mute, topic)),
        ]
    found += _administering(screen, channel)
    subscription = store.channels.subscription(channel.channel_id)
    if subscription is not None:
        return [*found, *_actions_of_member(screen, subscription)]
    if not channel.is_archived:
        join = partial(_join, screen, channel.channel_id)
        found.append(DialogAction(key="j", label="join channel", run=join))
    return found


def _administering(screen: AccountScreen, channel: Channel) -> list[DialogAction]:
    from tui.screens.channels import forms, members, topics

    store, channel_id = screen.session.store, channel.channel_id
    show_topics = partial(topics.show_topics, screen, channel_id)
    found = [DialogAction(key="o", label="topics", run=show_topics)]
    if views.may_add(store, channel):
        add = partial(members.show_members, screen, channel_id)
        found.append(DialogAction(key="a", label="add people", run=add))
    if views.may_administer(store, channel) and not channel.is_archived:
        edit = partial(_with_channel, forms.edit, screen, channel_id)
        permissions = partial(_with_channel, forms.edit_permissions, screen, channel_id)
        found += [
            DialogAction(key="e", label="edit", run=edit),
            DialogAction(key="w", label="permissions", run=permissions),
        ]
    return found


def _actions_of_member(screen: AccountScreen, subscription: Subscription) -> list[DialogAction]:
    store, place = screen.session.store, screen.place_actions
    channel_id = subscription.channel_id
    narrow = ChannelNarrow(channel_id)
    notifies = channel_info.notifies(store, channel_id)
    own = partial(_edit_own, screen, channel_id)
    mute = "unmute channel" if subscription.is_muted else "mute channel"
    pin = "unpin channel" if subscription.pin_to_top else "pin channel"
    notify = "do not notify" if notifies else "notify: all messages"
    set_notify = partial(_notify, screen, channel_id, on=not notifies)
    leave = partial(place.leave_channel, channel_id)
    return [
        DialogAction(key="s", label="your settings", run=own),
        DialogAction(key="m", label=mute, run=partial(place.mute, narrow)),
        DialogAction(key="p", label=pin, run=partial(place.pin, narrow)),
        DialogAction(key="n", label=notify, run=set_notify),
        DialogAction(key="r", label="mark read", run=partial(place.mark_read, narrow)),
        DialogAction(key="x", label="leave channel", run=leave),
    ]


async def _with_channel(
    form: Callable[[AccountScreen, Channel], Awaitable[None]],
    screen: AccountScreen,
    channel_id: ChannelId,
) -> None:
    """A form with the channel as it is by now."""
    channel = screen.session.store.channels.get(channel_id)
    if channel is not None:
        await form(screen, channel)


async def _edit_own(screen: AccountScreen, channel_id: ChannelId) -> None:
    from tui.screens.channels.subscription import edit_subscription

    subscription = screen.session.store.channels.subscription(channel_id)
    if subscription is not None:
        await edit_subscription(screen, subscription)


async def _notify(screen: AccountScreen, channel_id: ChannelId, *, on: bool) -> None:
    sync = screen.session.sync
    await channels.set_property(sync, channel_id, "desktop_notifications", on)
    screen.tell("Notifying you of all messages." if on else "Notifying you of mentions only.")


async def _join(screen: AccountScreen, channel_id: ChannelId) -> None:
    await channels.subscribe(screen.session.sync, channel_id)
    screen.go(ChannelNarrow(channel_id))
