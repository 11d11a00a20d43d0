"""The card of a user, and choosing whose card. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from tui.api.features import CHANNELS_OF_OTHERS
from tui.api.model import UserId
from tui.commands import users
from tui.narrow import DmNarrow, Search, Term
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.card import Card, Section
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.navigation.place_actions import PlaceActions
from tui.view import names
from tui.view.cards import CardPart, Sentence
from tui.view.profile import profile


async def show_person(context: AccountContext, user_id: UserId) -> bool:
    """Show a user's card, with actions to write to them, mute them, or search their messages.

    Returns True when the user went to a conversation.
    """
    store = context.session.store
    user = store.users.get(user_id)
    if user is None:
        context.toast("Person not found.")
        return False

    async def about() -> Sequence[CardPart]:
        return profile(store, user, context.times, context.clock())

    muted = user_id in store.muted_users
    mute = partial(PlaceActions(context).mute_person, user_id)
    actions = [
        DialogAction(key="d", label="write to them", run=partial(_write_to, context, user_id)),
        DialogAction(key="s", label="their messages", run=partial(_search, context, user_id)),
    ]
    if user_id != store.self_id:
        actions.append(DialogAction(key="m", label="unmute" if muted else "mute", run=mute))
    sections = [Section(name="Profile", load=about)]
    if CHANNELS_OF_OTHERS.is_in(store.realm.feature_level) and not user.is_system_bot:
        sections.append(Section(name="Channels", load=partial(_channels, context, user_id)))
    card = Card(
        names.person(store, user_id),
        sections,
        reader=context.reader,
        actions=actions,
    )
    action = await context.ask(card)
    return action is not None and bool(await action.run())


async def _write_to(context: AccountContext, user_id: UserId) -> bool:
    context.go(DmNarrow(frozenset({user_id, context.session.store.self_id})))
    context.composing.focus()
    return True


async def _search(context: AccountContext, user_id: UserId) -> bool:
    context.go(Search((Term("sender", user_id),)))
    return True


async def _channels(context: AccountContext, user_id: UserId) -> Sequence[CardPart]:
    session = context.session
    ids = await users.channels_of(session.sync, user_id)
    marked = (
        f"{names.channel_mark(session.store, each)}{names.channel(session.store, each)}"
        for each in ids
    )
    return [Sentence(", ".join(sorted(marked, key=str.casefold)) or "None that you can see.")]


async def choose_person(context: AccountContext, of: Iterable[UserId] | None = None) -> None:
    """Ask whose card to show; `of` are the users to choose from, else all."""
    store = context.session.store
    user_ids = store.users.by_id if of is None else of
    choices = [
        Choice(
            value=user_id,
            label=names.person(store, user_id),
            weight=float(store.users.by_id[user_id].is_active),
        )
        for user_id in user_ids
        if user_id in store.users.by_id
    ]
    user_id: UserId | None = await context.ask(Chooser("Show profile", choices, hint="a name"))
    if user_id is not None:
        await show_person(context, user_id)
