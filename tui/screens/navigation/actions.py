"""What one can do with a conversation or channel: look at it, mute, follow, pin, leave, mark read.

Imported when a session is opened: the commands bring httpx with them. Draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from tui.api.model import ChannelId, MessageId, UserId, VisibilityPolicy
from tui.commands import channels, flags, muted_users, user_topics
from tui.narrow import (
    AllDms,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    TopicNarrow,
    Unread,
)
from tui.screens.channels.card import show_channel
from tui.screens.dialogs.question import Question
from tui.screens.navigation.go_to_date import go_to_day, go_to_first_unread
from tui.screens.navigation.saved_views import keep_or_change
from tui.screens.navigation.undo import UndoStack
from tui.screens.people.card import choose_person, show_person
from tui.store import Store
from tui.view import names
from tui.view.counts import counted
from tui.view.messages import is_feed
from tui.view.offers import check
from tui.view.overview import OverviewRow
from tui.view.people import PersonRow
from tui.view.rows import MessageRow
from tui.view.sidebar import SidebarRow
from tui.widgets.overview_list import OverviewList
from tui.widgets.row_lists import ConversationList, PeopleList, Sidebar

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen
    from tui.sync.machine import Sync

ABOUT_ONE = frozenset({"info", "mute", "follow", "pin"})
"""Actions that in a feed are about the conversation of the message under the cursor."""

NO_PLACE = "Open a conversation first."


class ConversationActions:
    """Each action is about a place: what is under the cursor of a list of places, or what is open."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen
        self.undoing = UndoStack()

    @property
    def _store(self) -> Store:
        return self._screen.session.store

    @property
    def _sync(self) -> Sync:
        return self._screen.session.sync

    async def run(self, name: str) -> None:
        """Do what `tui.keys` names to the place that is meant, or say that it makes no sense there.

        Raises NotSupported.
        """
        check(self._store, f"place('{name}')")
        if name in ACTIONS_ANYWHERE:
            await ACTIONS_ANYWHERE[name](self)
            return
        run, place = PLACE_ACTIONS[name], self._meant(name)
        if place is None:
            self._screen.tell(NO_PLACE)
        else:
            await run(self, place)

    def _meant(self, name: str) -> Narrow | None:
        screen = self._screen
        opened = screen.open_narrow.narrow
        if opened is None:
            return None
        match screen.focused:
            case Sidebar(selected=SidebarRow(target=target)) if not isinstance(target, str):
                return target or opened
            case OverviewList(selected=OverviewRow(conversation=place)) if place is not None:
                return place
            case PeopleList(selected=PersonRow(user_id=int(user_id))):
                return DmNarrow(frozenset({UserId(user_id), self._store.self_id}))
            case ConversationList(selected=MessageRow()) if name in ABOUT_ONE and is_feed(opened):
                return screen.open_narrow.suggested()
            case _:
                return opened

    def _not_for(self, place: Narrow) -> None:
        self._screen.tell(f"Not available for {names.narrow(self._store, place)}.")

    # Places

    async def show_info(self, place: Narrow) -> None:
        """The card of a channel, topic or person; of a group, first whose."""
        match place:
            case ChannelNarrow() | TopicNarrow():
                await show_channel(self._screen, place)
            case DmNarrow(user_ids):
                await self._about_people(user_ids)
            case _:
                self._not_for(place)

    async def mute(self, place: Narrow) -> None:
        """Mute a topic, channel or person, or take that back."""
        match place:
            case TopicNarrow():
                await self._set_policy(place, VisibilityPolicy.MUTED)
            case ChannelNarrow(channel_id):
                await self._mute_channel(channel_id)
            case DmNarrow(user_ids) if len(self._others(user_ids)) == 1:
                await self.mute_person(min(self._others(user_ids)))
            case _:
                self._not_for(place)

    async def follow(self, place: Narrow) -> None:
        """Follow a topic, or take that back."""
        match place:
            case TopicNarrow():
                await self._set_policy(place, VisibilityPolicy.FOLLOWED)
            case _:
                self._not_for(place)

    async def pin(self, place: Narrow) -> None:
        """Show a channel above the others, or not."""
        match place:
            case ChannelNarrow(channel_id) | TopicNarrow(channel_id=channel_id):
                await self._pin_channel(channel_id)
            case _:
                self._not_for(place)

    async def _go_to_day(self, place: Narrow) -> None:
        await go_to_day(self._screen, place)

    async def _go_to_first_unread(self, place: Narrow) -> None:
        await go_to_first_unread(self._screen, place)

    async def _keep(self, place: Narrow) -> None:
        await keep_or_change(self._screen, place)

    async def _star(self, place: Narrow) -> None:
        await self._star_all(place, on=True)

    async def _unstar(self, place: Narrow) -> None:
        await self._star_all(place, on=False)

    async def _choose_person(self) -> None:
        await choose_person(self._screen)

    # Topics

    async def _set_policy(self, topic: TopicNarrow, policy: VisibilityPolicy) -> None:
        with self.undoing.begun():
            # In a muted channel a muted topic is unmuted.
            now = self._store.policy(topic)
            if policy == VisibilityPolicy.MUTED and self._store.is_muted(topic):
                inherits = self._store.channels.is_muted(topic.channel_id)
                wanted = VisibilityPolicy.UNMUTED if inherits else VisibilityPolicy.INHERIT
            else:
                wanted = VisibilityPolicy.INHERIT if now == policy else policy
            before = await user_topics.set_policy(self._sync, topic, wanted)
            name = names.conversation(self._store, topic)
            done = {
                VisibilityPolicy.MUTED: f"{name} muted.",
                VisibilityPolicy.FOLLOWED: f"Following {name}.",
                VisibilityPolicy.UNMUTED: f"{name} unmuted.",
                VisibilityPolicy.INHERIT: f"{name} uses the channel's setting.",
            }[wanted]
            self._did(done, partial(user_topics.set_policy, self._sync, topic, before))

    # Channels

    async def _mute_channel(self, channel_id: ChannelId) -> None:
        with self.undoing.begun():
            muted = not self._store.channels.is_muted(channel_id)
            await channels.set_muted(self._sync, channel_id, muted=muted)
            back = partial(channels.set_muted, self._sync, channel_id, muted=not muted)
            self._did(f"{self._channel(channel_id)} {'muted' if muted else 'unmuted'}.", back)

    async def _pin_channel(self, channel_id: ChannelId) -> None:
        with self.undoing.begun():
            subscription = self._store.channels.subscription(channel_id)
            pinned = subscription is not None and not subscription.pin_to_top
            await channels.set_pinned(self._sync, channel_id, pinned=pinned)
            back = partial(channels.set_pinned, self._sync, channel_id, pinned=not pinned)
            self._did(f"{self._channel(channel_id)} {'pinned' if pinned else 'unpinned'}.", back)

    async def leave_channel(self, channel_id: ChannelId) -> None:
        """Leave a channel, after a question."""
        words = "You will stop receiving its messages until you join again."
        question = Question(f"Leave {self._channel(channel_id)}?", words, yes="Leave")
        if await self._screen.app.push_screen_wait(question):
            await channels.unsubscribe(self._sync, channel_id)

    def _channel(self, channel_id: ChannelId) -> str:
        return names.narrow(self._store, ChannelNarrow(channel_id))

    # People

    async def mute_person(self, user_id: UserId) -> None:
        """Not hear somebody any more, or hear them again."""
        with self.undoing.begun():
            muted = user_id not in self._store.muted_users
            await muted_users.set_muted(self._sync, user_id, muted=muted)
            back = partial(muted_users.set_muted, self._sync, user_id, muted=not muted)
            name = names.person(self._store, user_id)
            self._did(f"{name} {'muted' if muted else 'unmuted'}.", back)

    async def _about_people(self, user_ids: frozenset[UserId]) -> None:
        others = self._others(user_ids)
        if len(others) <= 1:
            await show_person(self._screen, min(others, default=self._store.self_id))
        else:
            await choose_person(self._screen, others)

    def _others(self, user_ids: frozenset[UserId]) -> frozenset[UserId]:
        return user_ids - {self._store.self_id}

    # Reading

    async def mark_read(self, place: Narrow) -> None:
        """Everything there is read; everything everywhere only after a question."""
        with self.undoing.begun():
            match place:
                case TopicNarrow() | DmNarrow():
                    self._marked_read(await flags.mark_conversation_read(self._sync, place))
                case ChannelNarrow(channel_id):
                    self._marked_read(await flags.mark_channel_read(self._sync, channel_id))
                case Search() | Mentions() | Starred() | AllDms() | Unread():
                    changed = await flags.mark_found_read(self._sync, place)
                    back = partial(flags.mark_unread, self._sync, changed.known)
                    self._changed(changed, "marked as read", "No unread messages here.", back)
                case _:
                    question = Question(
                        "Mark everything as read?", "In all conversations.", yes="Mark read"
                    )
                    if await self._screen.app.push_screen_wait(question):
                        self._marked_read(await flags.mark_all_read(self._sync))

    async def _star_all(self, place: Narrow, *, on: bool) -> None:
        with self.undoing.begun():
            what = names.narrow(self._store, place)
            question = Question(
                f"{'Star' if on else 'Unstar'} all messages in {what}?",
                "Including messages that are not loaded here.",
                yes="Star" if on else "Unstar",
            )
            if await self._screen.app.push_screen_wait(question):
                changed = await flags.star_found(self._sync, place, on=on)
                back = partial(flags.star, self._sync, changed.known, on=not on)
                nothing = "All messages are already starred." if on else "No starred messages here."
                self._changed(changed, "starred" if on else "unstarred", nothing, back)

    def _changed(
        self, changed: flags.Changed, words: str, nothing: str, back: Callable[[], Awaitable[None]]
    ) -> None:
        """Say how many; it can be undone where all of them are known here."""
        count = counted(changed.count, "message", "messages")
        if not changed.count:
            self._screen.tell(nothing)
        elif changed.count == len(changed.known):
            self._did(f"{count} {words}", back)
        else:
            self._screen.tell(f"{count} {words}.")

    def _marked_read(self, was: frozenset[MessageId]) -> None:
        if not was:
            self._screen.tell("No unread messages here.")
            return
        count = counted(len(was), "message", "messages")
        self._did(f"{count} marked as read", partial(flags.mark_unread, self._sync, was))

    # Undo

    def _did(self, words: str, back: Callable[[], Awaitable[object]]) -> None:
        self.undoing.did(words, back)
        self._screen.tell(f"{words.removesuffix('.')} · Ctrl+Z to undo")

    async def _undo(self) -> None:
        if self._screen.composing.take_back_held():
            self._screen.composer.focus()
            return
        words = await self.undoing.undo()
        self._screen.tell("Nothing to undo." if words is None else "Undone.")


PLACE_ACTIONS: Final[Mapping[str, Callable[[ConversationActions, Narrow], Awaitable[None]]]] = {
    "info": ConversationActions.show_info,
    "mute": ConversationActions.mute,
    "follow": ConversationActions.follow,
    "pin": ConversationActions.pin,
    "read": ConversationActions.mark_read,
    "star": ConversationActions._star,
    "unstar": ConversationActions._unstar,
    "day": ConversationActions._go_to_day,
    "first_unread": ConversationActions._go_to_first_unread,
    "keep": ConversationActions._keep,
}
"""What the names in `place('…')` of `tui.keys` mean."""
ACTIONS_ANYWHERE: Final[Mapping[str, Callable[[ConversationActions], Awaitable[None]]]] = {
    "undo": ConversationActions._undo,
    "person": ConversationActions._choose_person,
}
"""Those that are about no place."""
