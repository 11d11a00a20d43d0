"""Going to a date in the open narrow. Asks by a dialog."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo

from tui.commands.days import first_since
from tui.narrow import Narrow
from tui.screens.context import AccountContext
from tui.screens.dialogs.prompt import Prompt
from tui.view.parse_date import HINT, parse_day


async def go_to_day(context: AccountContext, narrow: Narrow) -> None:
    """Ask for a day, and show its first message, or the next one after it."""

    def trouble(text: str) -> str:
        is_day = not text.strip() or parse_day(text, context.today()) is not None
        return "" if is_day else f"“{text}” is not a past date."

    text = await context.ask(Prompt("Go to a day", hint=HINT, trouble=trouble))
    day = parse_day(text or "", context.today())
    if day is None:
        return
    with context.hold_type_ahead("looking for the day"):
        beginning = _beginning(day, context.times.zone)
        message_id = await first_since(context.session.sync, narrow, beginning)
    if message_id is None:
        context.toast("No messages since then.")
    else:
        context.go(narrow, message_id)


def _beginning(day: date, zone: tzinfo | None) -> datetime:
    return datetime.combine(day, time(0), tzinfo=zone).astimezone(UTC)
