"""Going to an unread message: the first one here, further down, in the next conversation or account."""

from __future__ import annotations

from functools import partial

from tui.api.model import MessageId
from tui.narrow import DmNarrow, Narrow, TopicNarrow
from tui.screens.context import AccountContext, ChatContext
from tui.view.unreads import next_unread


def go_to_next_unread(context: ChatContext, *, direct: bool = False) -> None:
    """Show the next unread message; `direct`: of direct messages only."""
    here = None if context.open_overview else context.current_narrow
    if (isinstance(here, DmNarrow) or not direct) and _read_on(context, here):
        return
    place = next_unread(context.session.store, here, direct=direct)
    if place is not None:
        context.go(place)
    elif here is not None and _is_behind(context, here):
        context.run(partial(go_to_first_unread, context, here))
    elif direct:
        context.toast("You have read every direct message.")
    elif not context.home.read_on(context):
        context.toast("You have read everything.")


async def go_to_first_unread(context: AccountContext, narrow: Narrow) -> None:
    """Show the oldest unread message of the open narrow."""
    message_id: MessageId | None
    if isinstance(narrow, TopicNarrow | DmNarrow):
        # From the store: the server may not know yet what was read just now.
        message_id = min(context.session.store.unread_ids(narrow), default=None)
    else:
        message_id = await context.session.sync.history.around(narrow, "first_unread")
    if message_id is None:
        context.toast("You have read everything here.")
    else:
        context.go(narrow, message_id)


def _read_on(context: ChatContext, here: Narrow | None) -> bool:
    """Scroll down by a screen if unread messages end below; return whether it did."""
    if not isinstance(here, TopicNarrow | DmNarrow) or not context.open_narrow.is_shown(here):
        return False
    messages = context.panes.messages
    end = messages.read_to
    unread = context.session.store.unread_ids(here)
    below = [each for each in unread if not isinstance(end, int) or each > end]
    if not below or context.seen.is_paused:
        return False
    if messages.at_end:  # the unread messages are not loaded yet
        # Not a jump: `Alt+←` would lead back through everything that was read.
        context.run(partial(context.open_narrow.open, here, min(below)), group="open")
    else:
        messages.action_page(1)
    return True


def _is_behind(context: ChatContext, here: Narrow) -> bool:
    """Whether the open conversation's first unread message is off screen."""
    if not isinstance(here, TopicNarrow | DmNarrow):
        return False
    first = min(context.session.store.unread_ids(here), default=None)
    return first is not None and not context.panes.messages.shows(first)
