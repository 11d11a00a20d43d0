"""The card of a channel, and of the topic that is open in it. Draws nothing itself.

Forms and lists are imported when they are opened: few sessions need them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from tui.api.model import Channel, ChannelId, Subscription, VisibilityPolicy
from tui.api.routes import channels as routes
from tui.commands import channels
from tui.narrow import ChannelNarrow, TopicNarrow
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.card import Card, Section
from tui.screens.navigation.place_actions import PlaceActions
from tui.view import channel_info, names
from tui.view import channels as views
from tui.view.cards import CardPart


async def show_channel(context: AccountContext, place: ChannelNarrow | TopicNarrow) -> None:
    """Show a channel's description, members and notification settings, with the actions to change them."""
    store = context.session.store
    channel = store.channels.get(place.channel_id)
    if channel is None:
        context.toast("Channel not found.")
        return
    topic = place if isinstance(place, TopicNarrow) else None
    pages = _Pages(context, channel, topic)
    card = Card(
        names.narrow(store, ChannelNarrow(place.channel_id)),
        [Section(name="About", load=pages.about), Section(name="Members", load=pages.members)],
        reader=context.reader,
        actions=_actions(context, channel, topic),
    )
    action = await context.ask(card)
    if action is not None:
        await action.run()


class _Pages:
    """The contents of the card's pages."""

    def __init__(
        self, context: AccountContext, channel: Channel, topic: TopicNarrow | None
    ) -> None:
        self._context = context
        self._channel = channel
        self._topic = topic

    async def about(self) -> Sequence[CardPart]:
        store = self._context.session.store
        return channel_info.about(store, self._channel, self._topic, self._context.times)

    async def members(self) -> Sequence[CardPart]:
        session, member_ids = self._context.session, self._channel.subscribers
        if member_ids is None:
            connection = session.sync.connection
            member_ids = await routes.list_members(connection, channel_id=self._channel.channel_id)
        return channel_info.members(session.store, member_ids)


def _actions(
    context: AccountContext, channel: Channel, topic: TopicNarrow | None
) -> list[DialogAction]:
    store, place = context.session.store, PlaceActions(context)
    actions: list[DialogAction] = []
    if topic is not None:
        follow = "unfollow" if store.policy(topic) == VisibilityPolicy.FOLLOWED else "follow"
        mute = "unmute" if store.is_muted(topic) else "mute"
        actions += [
            DialogAction(key="f", label=f"{follow} topic", run=partial(place.follow, topic)),
            DialogAction(key="t", label=f"{mute} topic", run=partial(place.mute, topic)),
        ]
    actions += _administering(context, channel)
    subscription = store.channels.subscription(channel.channel_id)
    if subscription is not None:
        return [*actions, *_actions_of_member(context, subscription)]
    if not channel.is_archived:
        join = partial(_join, context, channel.channel_id)
        actions.append(DialogAction(key="j", label="join channel", run=join))
    return actions


def _administering(context: AccountContext, channel: Channel) -> list[DialogAction]:
    store, channel_id = context.session.store, channel.channel_id
    show_topics = partial(_show_topics, context, channel_id)
    actions = [DialogAction(key="o", label="topics", run=show_topics)]
    if views.may_add(store, channel):
        add = partial(_show_members, context, channel_id)
        actions.append(DialogAction(key="a", label="add people", run=add))
    if views.may_administer(store, channel) and not channel.is_archived:
        edit = partial(_with_channel, _edit, context, channel_id)
        permissions = partial(_with_channel, _edit_permissions, context, channel_id)
        actions += [
            DialogAction(key="e", label="edit", run=edit),
            DialogAction(key="w", label="permissions", run=permissions),
        ]
    return actions


async def _show_topics(context: AccountContext, channel_id: ChannelId) -> bool:
    from tui.screens.channels.topics import show_topics

    return await show_topics(context, channel_id)


async def _show_members(context: AccountContext, channel_id: ChannelId) -> None:
    from tui.screens.channels.members import show_members

    await show_members(context, channel_id)


async def _edit(context: AccountContext, channel: Channel) -> None:
    from tui.screens.channels.forms import edit  # with forms, for the few who may

    await edit(context, channel)


async def _edit_permissions(context: AccountContext, channel: Channel) -> None:
    from tui.screens.channels.forms import edit_permissions

    await edit_permissions(context, channel)


def _actions_of_member(context: AccountContext, subscription: Subscription) -> list[DialogAction]:
    store, place = context.session.store, PlaceActions(context)
    channel_id = subscription.channel_id
    narrow = ChannelNarrow(channel_id)
    notifies = channel_info.notifies(store, channel_id)
    own = partial(_edit_own, context, channel_id)
    mute = "unmute channel" if subscription.is_muted else "mute channel"
    pin = "unpin channel" if subscription.pin_to_top else "pin channel"
    notify = "do not notify" if notifies else "notify: all messages"
    set_notify = partial(_notify, context, channel_id, on=not notifies)
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
    form: Callable[[AccountContext, Channel], Awaitable[None]],
    context: AccountContext,
    channel_id: ChannelId,
) -> None:
    """Open a form with the channel's current data; nothing if it is gone."""
    channel = context.session.store.channels.get(channel_id)
    if channel is not None:
        await form(context, channel)


async def _edit_own(context: AccountContext, channel_id: ChannelId) -> None:
    from tui.screens.channels.subscription import edit_subscription

    subscription = context.session.store.channels.subscription(channel_id)
    if subscription is not None:
        await edit_subscription(context, subscription)


async def _notify(context: AccountContext, channel_id: ChannelId, *, on: bool) -> None:
    sync = context.session.sync
    await channels.set_property(sync, channel_id, "desktop_notifications", on)
    context.toast("Notifying you of all messages." if on else "Notifying you of mentions only.")


async def _join(context: AccountContext, channel_id: ChannelId) -> None:
    await channels.subscribe(context.session.sync, channel_id)
    context.go(ChannelNarrow(channel_id))
