"""The actions on a conversation or channel: the one under the cursor of a list, or the open one.

Imported with the first of them; those with dialogs of their own import these when they are used. Draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from tui.api.model import UserId
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow
from tui.screens.context import ChatContext
from tui.screens.navigation.next_unread import go_to_first_unread
from tui.screens.navigation.place_actions import PlaceActions
from tui.view.messages import is_feed
from tui.view.offers import check
from tui.view.overview import OverviewRow
from tui.view.people import PersonRow
from tui.view.rows import MessageRow
from tui.view.sidebar_rows import SidebarRow
from tui.widgets.overview_list import OverviewList
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar

ABOUT_ONE = frozenset({"info", "mute", "follow", "pin"})
"""Actions that in a feed refer to the conversation of the message under the cursor."""

NO_PLACE = "Open a conversation first."


class ConversationActions:
    """Runs actions on the conversation under the cursor of a list, or the open one."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._actions = PlaceActions(context)

    async def run(self, name: str) -> None:
        """Run an action of `tui.keys` on the conversation it refers to, or say that it is not available
        there.

        Raises NotSupported.
        """
        check(self._context.session.store, f"place('{name}')")
        if name in ACTIONS_ANYWHERE:
            await ACTIONS_ANYWHERE[name](self)
            return
        run, place = PLACE_ACTIONS[name], self._meant(name)
        if place is None:
            self._context.toast(NO_PLACE)
        else:
            await run(self, place)

    def _meant(self, name: str) -> Narrow | None:
        context = self._context
        opened = context.current_narrow
        if opened is None:
            return None
        match context.focused:
            case Sidebar(selected=SidebarRow(target=target)) if not isinstance(target, str):
                return target or opened
            case OverviewList(selected=OverviewRow(conversation=place)) if place is not None:
                return place
            case PeopleList(selected=PersonRow(user_id=int(user_id))):
                return DmNarrow(frozenset({UserId(user_id), context.session.store.self_id}))
            case ConversationList(selected=MessageRow()) if name in ABOUT_ONE and is_feed(opened):
                return context.open_narrow.suggested()
            case _:
                return opened

    async def show_info(self, place: Narrow) -> None:
        """Show the card of a channel, topic or person; of a group conversation, ask for the person first."""
        match place:
            case ChannelNarrow() | TopicNarrow():
                from tui.screens.channels.card import show_channel

                await show_channel(self._context, place)
            case DmNarrow(user_ids):
                await self._about_people(user_ids)
            case _:
                self._actions.not_for(place)

    async def _about_people(self, user_ids: frozenset[UserId]) -> None:
        from tui.screens.people.card import choose_person, show_person

        self_id = self._context.session.store.self_id
        others = user_ids - {self_id}
        if len(others) <= 1:
            await show_person(self._context, min(others, default=self_id))
        else:
            await choose_person(self._context, others)

    async def _go_to_day(self, place: Narrow) -> None:
        from tui.screens.navigation.go_to_date import go_to_day

        await go_to_day(self._context, place)

    async def _go_to_first_unread(self, place: Narrow) -> None:
        await go_to_first_unread(self._context, place)

    async def _keep(self, place: Narrow) -> None:
        from tui.screens.navigation.saved_views import keep_or_change

        await keep_or_change(self._context, place)

    async def _mute(self, place: Narrow) -> None:
        await self._actions.mute(place)

    async def _follow(self, place: Narrow) -> None:
        await self._actions.follow(place)

    async def _pin(self, place: Narrow) -> None:
        await self._actions.pin(place)

    async def _mark_read(self, place: Narrow) -> None:
        await self._actions.mark_read(place)

    async def _star(self, place: Narrow) -> None:
        await self._actions.star_all(place, on=True)

    async def _unstar(self, place: Narrow) -> None:
        await self._actions.star_all(place, on=False)

    async def _choose_person(self) -> None:
        from tui.screens.people.card import choose_person

        await choose_person(self._context)

    async def _undo(self) -> None:
        if self._context.composing.take_back_held():
            self._context.composing.focus()
            return
        text = await self._context.undoing.undo()
        self._context.toast("Nothing to undo." if text is None else "Undone.")


PLACE_ACTIONS: Final[Mapping[str, Callable[[ConversationActions, Narrow], Awaitable[None]]]] = {
    "info": ConversationActions.show_info,
    "mute": ConversationActions._mute,
    "follow": ConversationActions._follow,
    "pin": ConversationActions._pin,
    "read": ConversationActions._mark_read,
    "star": ConversationActions._star,
    "unstar": ConversationActions._unstar,
    "day": ConversationActions._go_to_day,
    "first_unread": ConversationActions._go_to_first_unread,
    "keep": ConversationActions._keep,
}
"""The actions of the names in `place('…')` of `tui.keys`."""
ACTIONS_ANYWHERE: Final[Mapping[str, Callable[[ConversationActions], Awaitable[None]]]] = {
    "undo": ConversationActions._undo,
    "person": ConversationActions._choose_person,
}
"""Actions that need no conversation."""
