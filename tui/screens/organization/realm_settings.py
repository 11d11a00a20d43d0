"""The page of the organization's settings, for its administrators. Draws nothing itself."""

from __future__ import annotations

from functools import partial

from tui.commands import settings
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.organization.settings_sections import show_sections
from tui.view.realm_settings import SECTIONS


async def show(context: AccountContext) -> None:
    """Show the sections of settings, with a form for each."""
    session = context.session
    await show_sections(
        context,
        f"Settings of {sanitize_line(session.store.realm.settings.name) or 'the organization'}",
        SECTIONS,
        record=lambda: session.store.realm.settings,
        send=partial(settings.update_realm, session.sync),
    )
