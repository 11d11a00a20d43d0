"""The page of default settings for new users, chosen by administrators. Draws nothing itself."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from tui.commands import settings
from tui.screens.context import AccountContext
from tui.screens.organization.settings_sections import show_sections
from tui.view.preferences import SECTIONS

_THEIR_OWN: Final = frozenset({"allow_private_data_export", "timezone"})
"""Settings that cannot be chosen for others."""


async def show(context: AccountContext) -> None:
    """Show the sections of settings, with a form for each."""
    session = context.session
    if session.store.realm.new_user_settings is None:
        context.toast("This server is too old for this.")
        return
    text = "For people who join from now on. Existing members keep their settings."
    sections = [
        replace(
            section,
            settings=tuple(each for each in section.settings if each.name not in _THEIR_OWN),
            text=text,
        )
        for section in SECTIONS
    ]
    await show_sections(
        context,
        "Defaults for new members",
        sections,
        record=lambda: session.store.realm.new_user_settings,
        send=partial(settings.update_defaults, session.sync),
    )
