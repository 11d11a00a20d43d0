"""The organization's settings, for those who run it. Draws nothing itself."""

from __future__ import annotations

from functools import partial

from tui.commands import settings
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.organization.settings_sections import show_themes
from tui.view.realm_settings import THEMES


async def show(context: AccountContext) -> None:
    """The themes; a form for each."""
    session = context.session
    await show_themes(
        context,
        f"Settings of {sanitize_line(session.store.realm.settings.name) or 'the organization'}",
        THEMES,
        record=lambda: session.store.realm.settings,
        send=partial(settings.update_realm, session.sync),
    )
