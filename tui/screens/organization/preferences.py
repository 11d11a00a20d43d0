"""The page of the user's settings that the server keeps for all clients. Draws nothing itself."""

from __future__ import annotations

from functools import partial

from tui.commands import settings
from tui.screens.context import AccountContext
from tui.screens.organization.settings_sections import show_sections
from tui.view.preferences import SECTIONS


async def show(context: AccountContext) -> None:
    """Show the sections of settings, with a form for each."""
    session = context.session
    await show_sections(
        context,
        "Your settings on this server",
        SECTIONS,
        record=lambda: session.store.settings,
        send=partial(settings.update, session.sync),
    )
