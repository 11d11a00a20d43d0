"""Going to a moment in what is open: a day, or the first that is unread. Asks by dialogs."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo
from typing import TYPE_CHECKING

from tui.api.model import MessageId
from tui.commands.days import first_since
from tui.narrow import DmNarrow, Narrow, TopicNarrow
from tui.screens.dialogs.prompt import Prompt
from tui.view.parse_date import HINT, parse_day

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def go_to_day(screen: AccountScreen, narrow: Narrow) -> None:
    """Ask for a day, and show the first message of it, or of the next day that has one."""
    words = await screen.app.push_screen_wait(Prompt("Go to a day", hint=HINT))
    if not words or not words.strip():
        return
    day = parse_day(words, screen.today())
    if day is None:
        screen.tell(f"“{words}” is not a past date. Examples: {HINT}.")
        return
    with screen.leading_on("looking for the day"):
        beginning = _beginning(day, screen.times.zone)
        found = await first_since(screen.session.sync, narrow, beginning)
    if found is None:
        screen.tell("No messages since then.")
    else:
        screen.go(narrow, found)


async def go_to_first_unread(screen: AccountScreen, narrow: Narrow) -> None:
    """Show the oldest unread message of what is open."""
    found: MessageId | None
    if isinstance(narrow, TopicNarrow | DmNarrow):
        # Known here; the server may not have heard yet of what was read just now.
        found = min(screen.session.store.unread_ids(narrow), default=None)
    else:
        found = await screen.session.sync.history.around(narrow, "first_unread")
    if found is None:
        screen.tell("You have read everything here.")
    else:
        screen.go(narrow, found)


def _beginning(day: date, zone: tzinfo | None) -> datetime:
    return datetime.combine(day, time(0), tzinfo=zone).astimezone(UTC)
