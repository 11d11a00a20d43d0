"""The page of drafts: every unsent text, opened or deleted. Draws nothing itself.

Also drafts without a recipient, several of one conversation, and those of deleted conversations.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final, TypeAlias

from tui.api.model import Draft
from tui.cache.edits import KeptEdit
from tui.content.sanitize import sanitize_line
from tui.narrow import Conversation, DmNarrow
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.messages.editing import edit_message
from tui.screens.page import Page
from tui.store import Store
from tui.store.drafts import LocalDraft, conversation_of, destination_of
from tui.view import names

Kept: TypeAlias = LocalDraft | Draft | KeptEdit
LONGEST: Final = 60
"""Characters shown of the beginning of a draft."""


async def show(context: AccountContext) -> None:
    """Show the drafts until Esc; open the chosen one."""
    page = Drafts(context)
    await page.show()
    if page.chosen is not None:
        await open_draft(context, page.chosen)


class Drafts(Page):
    """The drafts, newest first."""

    title = "Drafts"
    nothing = "No drafts."

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self.chosen: Kept | None = None

    def rows(self) -> Sequence[ListingRow]:
        drafts = sorted(self._all().items(), key=lambda each: -_changed(each[1]))
        return [
            ListingRow(key=key, label=_beginning(each.content), detail=_to(self.store, each))
            for key, each in drafts
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        kept = self._all().get(key)
        if kept is None:
            return []
        return [
            DialogAction(key="enter", label="open", run=partial(self._choose, kept)),
            DialogAction(key="d", label="delete", run=partial(self._ask_to_delete, kept)),
        ]

    async def _choose(self, kept: Kept) -> bool:
        self.chosen = kept
        return True

    async def _ask_to_delete(self, kept: Kept) -> None:
        if await self.confirms("Delete this draft?", _beginning(kept.content), yes="Delete"):
            self._delete(kept)

    def _all(self) -> dict[Hashable, Kept]:
        drafts = self.store.drafts
        kept: list[Kept] = [*drafts.local.values(), *drafts.only_on_server()]
        return {_key(each): each for each in [*kept, *self.context.session.edits.all()]}

    def _delete(self, kept: Kept) -> None:
        session, composing = self.context.session, self.context.composing
        composing.keep()
        match kept:
            case KeptEdit(message_id=message_id):
                if composing.editing is not None and composing.editing.message_id == message_id:
                    composing.cancel_edit()
                session.edits.remove(message_id)
            case LocalDraft(local_id=local_id):
                session.drafts.discard(local_id)
            case Draft():
                session.drafts.discard(session.drafts.open(kept).local_id)


async def open_draft(context: AccountContext, kept: Kept) -> None:
    """Open a draft, in its conversation if that still exists."""
    if isinstance(kept, KeptEdit):
        await edit_message(context, kept.message_id)
        return
    local = context.session.drafts.open(kept) if isinstance(kept, Draft) else kept
    store = context.session.store
    place = place_of(store, local)
    context.composing.open_draft(local, place)
    if place is not None:
        context.go(place)
    context.composing.focus()


def place_of(store: Store, draft: LocalDraft) -> Conversation | None:
    """Return the conversation of a draft; None without a recipient, or if it is gone."""
    if draft.destination is None:
        return None
    place = conversation_of(draft.destination, store.self_id)
    return None if _is_gone(store, place) else place


def _is_gone(store: Store, place: Conversation) -> bool:
    if isinstance(place, DmNarrow):
        return not place.user_ids <= store.users.by_id.keys()
    channel = store.channels.by_id.get(place.channel_id)
    return channel is None or channel.is_archived


def _to(store: Store, kept: Kept) -> str:
    if isinstance(kept, KeptEdit):
        return "edit of a message"
    to = destination_of(kept) if isinstance(kept, Draft) else kept.destination
    if to is None:
        return "no recipient"
    place = conversation_of(to, store.self_id)
    if _is_gone(store, place):
        return "recipient is gone" if isinstance(place, DmNarrow) else "channel is gone"
    return f"to {names.conversation(store, place)}"


def _key(kept: Kept) -> Hashable:
    match kept:
        case KeptEdit():
            return ("edit", kept.message_id)
        case Draft():
            return ("server", kept.id)
        case _:
            return ("local", kept.local_id)


def _changed(kept: Kept) -> float:
    return kept.timestamp if isinstance(kept, Draft) else kept.updated


def _beginning(content: str) -> str:
    line = sanitize_line(content.strip()[: 2 * LONGEST])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
