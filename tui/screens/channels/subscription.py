"""The user's own settings of a channel, changed in a form and reset one by one. Draws nothing itself."""

from __future__ import annotations

from functools import partial

from tui.api.model import Subscription
from tui.commands import channels
from tui.keys import keyboard_of
from tui.narrow import ChannelNarrow
from tui.screens.context import AccountContext
from tui.screens.dialogs.form import Answers, Form
from tui.screens.fields.settings import changes, fields
from tui.view import names, subscriptions


async def edit_subscription(context: AccountContext, subscription: Subscription) -> None:
    """Edit color, pin, mute, and each kind of notification."""
    store, sync = context.session.store, context.session.sync
    section = subscriptions.section(store, keyboard_of(context.app).key("app.undo"))
    channel_id = subscription.channel_id
    name = names.narrow(store, ChannelNarrow(channel_id))

    async def submit(answers: Answers) -> None:
        news = changes(section, subscription, answers)
        if not news:
            return
        undoing = context.undoing
        with undoing.begun():
            await channels.set_properties(sync, channel_id, news)
            for each in news:
                before = getattr(subscription, each)
                back = partial(channels.set_property, sync, channel_id, each, before)
                undoing.did(f"{name} updated.", back)

    form = Form(
        f"Your settings for {name}",
        fields(store, section, subscription),
        submit=submit,
        text=section.text,
    )
    if await context.ask(form):
        context.toast("Saved.")
