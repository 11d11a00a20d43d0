"""Navigation dialogs: jump, new message, browse channels, drafts.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any, Literal, TypeVar

from tui.api.model import ChannelId, UserId
from tui.commands import channels
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import ApiError
from tui.narrow import (
    AllMessages,
    ChannelNarrow,
    Conversation,
    DmNarrow,
    Mentions,
    Narrow,
    Starred,
    TopicNarrow,
)
from tui.narrow.permalink import Link
from tui.screens.compose import drafts
from tui.screens.context import ChatContext
from tui.screens.dialogs.choices import Choice, Search
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.new_topic import topic_chooser
from tui.screens.dialogs.question import Question
from tui.screens.messages.links import pasted
from tui.screens.messages.open_link import follow
from tui.store import Changes, Store
from tui.sync.status import Status
from tui.view import names
from tui.view.jump_targets import JumpTarget, JumpTargets
from tui.view.purpose import purpose
from tui.view.sidebar_rows import ViewName

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class ChannelChoice:
    """An action on a channel; None as ID creates one of that name."""

    act: Literal["open", "join", "leave", "create"]
    channel_id: ChannelId | None
    name: str


@dataclass(frozen=True, slots=True)
class NewTopic:
    """The name of a topic to begin."""

    name: str


class Navigator:
    """Navigation to other places; each method asks for the target, and opens it."""

    def __init__(
        self,
        context: ChatContext,
        *,
        show_scheduled: Callable[[], Awaitable[None]],
    ) -> None:
        """`show_scheduled` shows the scheduled messages."""
        self._context = context
        self._show_scheduled = show_scheduled
        self._known: JumpTargets[Choice[Any]] = JumpTargets(_choice)
        self._places: Search[Any] = Search(())
        self._destinations: Search[Any] = Search(())
        """Those that were offered last: with thousands of topics an index takes as long as a frame."""
        context.session.sync.listen(self)

    def store_changed(self, changes: Changes) -> None:
        """Update the targets; called by the sync machine."""
        if self._known.follow(self._store, changes):
            self._places = self._destinations = Search(())  # out of date, and a megabyte

    def status_changed(self, status: Status) -> None:
        """Ignored: changes say all that matters here."""

    @property
    def _store(self) -> Store:
        return self._context.session.store

    def _all_places(self) -> Search[Any]:
        self._places = self._places.of(self._known.places(self._store))
        return self._places

    def _all_destinations(self) -> Search[Any]:
        self._destinations = self._destinations.of(self._known.destinations(self._store))
        return self._destinations

    async def jump(self) -> None:
        """Open the jump dialog: a place by a few letters, or by a copied link."""
        session = self._context.session
        chooser: Chooser[Narrow | ViewName | Link] = Chooser(
            "Jump",
            self._all_places(),
            hint="a channel, topic, person or view; or a link",
            made_of=lambda text: pasted(text, session.site, self._store.self_id),
            new_detail="link",
        )
        chosen = await self._ask_meanwhile(chooser, self._all_places)
        match chosen:
            case None:
                pass
            case str():
                await self.open_view(chosen)
            case Link():
                await follow(self._context, chosen)
            case _:
                self._context.go(chosen)

    async def _ask_meanwhile(
        self,
        chooser: Chooser[A],
        where: Callable[[], Search[A]],
        *,
        made_of: Callable[[str], A] | None = None,
    ) -> A | None:
        """Open the chooser at once with the loaded targets; topics of other channels are added as they load.

        Loading ends once the user has chosen. `made_of` makes a value of a new name, once all are loaded:
        before, a name that seems new may be a topic's.
        """
        lists = count(1)

        def came() -> None:
            number = next(lists)
            if number >= 8 and number & (number - 1) == 0:  # at 8, 16, 32…: each offer reads all
                chooser.offer(where())

        async def complete() -> None:
            with suppress(ApiError):  # the loaded topics have to do
                await self._context.topic_lists.load_more(came)
            chooser.offer(where(), made_of=made_of)

        loading = self._context.run(complete, group="topics")
        try:
            return await self._context.ask(chooser)
        finally:
            loading.cancel()

    async def open_view(self, view: str) -> None:
        """Open a view by its name in the table of actions and in the sidebar."""
        match view:
            case "all":
                self._context.go(AllMessages())
            case "mentions":
                self._context.go(Mentions())
            case "starred":
                self._context.go(Starred())
            case "inbox":
                self._context.go("inbox")
            case "recent":
                self._context.go("recent")
            case "drafts":
                await drafts.show(self._context)
            case "scheduled":
                await self._show_scheduled()
            case "browse":
                await self.browse()

    # New messages

    async def new_message(self) -> None:
        """Ask for a channel and topic, or people, and begin a draft there."""
        place = await self.destination()
        if place is None:
            return
        self._context.composing.address(place)
        self._context.go(place)
        self._context.composing.focus()

    async def destination(self, title: str = "Write to") -> Conversation | None:
        """Ask for the destination of a message; None if canceled."""
        here = self._open_channel
        in_channel = f" in {names.narrow(self._store, ChannelNarrow(here))}" if here else ""
        chooser: Chooser[Narrow | ViewName | NewTopic] = Chooser(
            title,
            self._all_destinations(),
            hint="a channel, topic or person; or a new topic's name",
            new_detail=f"new topic{in_channel}",
        )
        narrow = await self._ask_meanwhile(chooser, self._all_destinations, made_of=NewTopic)
        match narrow:
            case NewTopic(name):
                channel_id = here or await self._channel_for(name)
                return None if channel_id is None else TopicNarrow(channel_id, name)
            case TopicNarrow():
                return narrow
            case DmNarrow(user_ids):
                return await self._more_people(user_ids)
            case ChannelNarrow(channel_id):
                return await self._topic(channel_id)
            case _:
                return None

    @property
    def _open_channel(self) -> ChannelId | None:
        """The subscribed channel whose messages are open."""
        match self._context.current_narrow:
            case ChannelNarrow(channel_id) | TopicNarrow(channel_id):
                return channel_id if channel_id in self._store.channels.subscribed else None
            case _:
                return None

    async def _channel_for(self, topic: str) -> ChannelId | None:
        store = self._store
        channel_choices = [
            Choice(value=each.channel_id, label=names.narrow(store, ChannelNarrow(each.channel_id)))
            for each in store.channels.subscriptions()
            if not each.is_archived
        ]
        return await self._context.ask(
            Chooser(f"Channel for “{sanitize_line(topic)}”", channel_choices, hint="channel name")
        )

    async def _topic(self, channel_id: ChannelId) -> TopicNarrow | None:
        store = self._store
        if channel_id not in store.topics.complete:
            await self._context.session.sync.history.topics(channel_id)
        topic_names = [sanitize_line(topic.name) for topic in store.topics.of(channel_id)]
        unnamed = None if store.realm.settings.mandatory_topics else names.topic(store, "")
        channel = names.narrow(store, ChannelNarrow(channel_id))
        topic = await self._context.ask(topic_chooser(channel, topic_names, unnamed=unnamed))
        return None if topic is None else TopicNarrow(channel_id, topic)

    async def _more_people(self, user_ids: frozenset[UserId]) -> DmNarrow:
        """Ask for people one by one, until Enter on the first choice, "Done"."""
        store = self._store
        chosen = user_ids
        while True:
            done: Choice[UserId | None] = Choice(value=None, label="Done", weight=9.0)
            others: list[Choice[UserId | None]] = [
                Choice(value=user.user_id, label=names.person(store, user.user_id))
                for user in store.users.by_id.values()
                if user.is_active and user.user_id not in chosen
            ]
            choices = [done, *others]
            title = f"To {names.people(store, DmNarrow(chosen))}"
            added = await self._context.ask(
                Chooser[UserId | None](title, choices, hint="add another person, or press Enter")
            )
            if added is None:
                return DmNarrow(chosen)
            chosen |= {added}

    # Channels

    async def browse(self) -> None:
        """Show all channels: open, join or leave them, or create one."""
        store = self._store
        choices: list[Choice[ChannelChoice]] = []
        for channel in store.channels.by_id.values():
            if channel.is_archived:
                continue
            joined = channel.channel_id in store.channels.subscribed
            choice = ChannelChoice("open" if joined else "join", channel.channel_id, channel.name)
            label = names.narrow(store, ChannelNarrow(channel.channel_id))
            state = "" if joined else "not joined"
            about = " · ".join(filter(None, (state, purpose(channel))))
            choices.append(
                Choice(value=choice, label=label, detail=about, weight=0.0 if joined else 1.0)
            )
        for channel in store.channels.subscriptions():
            label = f"leave {names.narrow(store, ChannelNarrow(channel.channel_id))}"
            choice = ChannelChoice("leave", channel.channel_id, channel.name)
            choices.append(Choice(value=choice, label=label, weight=-1.0))
        chosen: ChannelChoice | None = await self._context.ask(
            Chooser(
                "All channels",
                choices,
                hint="channel name (a new name creates it)",
                made_of=lambda text: ChannelChoice("create", None, text.lstrip("#")),
            )
        )
        if chosen is not None:
            await self._do(chosen)

    async def _do(self, choice: ChannelChoice) -> None:
        sync = self._context.session.sync
        channel_id = choice.channel_id
        if channel_id is None:
            from tui.screens.channels.new import make_and_open

            await make_and_open(self._context, choice.name)
        elif choice.act == "leave":
            label = names.narrow(self._store, ChannelNarrow(channel_id))
            text = "You will stop receiving its messages until you join again."
            if await self._context.ask(Question(f"Leave {label}?", text, yes="Leave")):
                await channels.unsubscribe(sync, channel_id)
        else:
            if choice.act == "join":
                await channels.subscribe(sync, channel_id)
            self._context.go(ChannelNarrow(channel_id))


def _choice(place: JumpTarget) -> Choice[Any]:
    return Choice(value=place.narrow, label=place.label, detail=place.detail, weight=place.weight)
