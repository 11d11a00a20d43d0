"""What people to come begin with: settings of theirs that administrators choose. Draws nothing itself."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from tui.commands import settings
from tui.screens.organization.settings_sections import show_themes
from tui.view.preferences import THEMES

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

_THEIR_OWN: Final = frozenset({"allow_private_data_export", "timezone"})
"""What nobody can choose for somebody else."""


async def show(screen: AccountScreen) -> None:
    """The themes; a form for each."""
    session = screen.session
    if session.store.realm.new_user_settings is None:
        screen.tell("This server is too old for this.")
        return
    words = "For people who join from now on. Existing members keep their settings."
    themes = [
        replace(
            theme,
            settings=tuple(each for each in theme.settings if each.name not in _THEIR_OWN),
            words=words,
        )
        for theme in THEMES
    ]
    await show_themes(
        screen,
        "Defaults for new members",
        themes,
        record=lambda: session.store.realm.new_user_settings,
        send=partial(settings.update_defaults, session.sync),
    )
