"""One's own settings that the server keeps for all clients. Draws nothing itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tui.commands import settings
from tui.screens.organization.settings_sections import show_themes
from tui.view.preferences import THEMES

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show(screen: AccountScreen) -> None:
    """The themes; a form for each."""
    session = screen.session
    await show_themes(
        screen,
        "Your settings on this server",
        THEMES,
        record=lambda: session.store.settings,
        send=partial(settings.update, session.sync),
    )
