"""The command palette: all actions and themes by name, with their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.app import App

from tui import keys
from tui.dataclass import dataclass
from tui.keys import Action, Keyboard, keyboard_of
from tui.screens.account_screen import AccountScreen
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.organization.administration import offered
from tui.view.offers import lacks


@dataclass(frozen=True, slots=True)
class Command:
    """An action string, and the ID of the widget that it belongs to ("" for screen or app)."""

    action: str
    where: str = ""


def choices(app: App[Any], keymap: Mapping[str, str], *, in_account: bool) -> list[Choice[Command]]:
    """Return the commands to choose from; without an open account only those of the app."""
    commands: list[Choice[Command]] = []
    keyboard = keyboard_of(app)
    if in_account:
        commands += [
            _choice(keyboard, keymap, action, Command(action.action))
            for action in keys.CONVERSATION
            if _is_there(app, action)
        ]
        commands += [
            _choice(keyboard, keymap, action, Command(action.action, "messages"), of="Message: ")
            for action in keys.MESSAGE
            if _is_there(app, action)
        ]
        commands += _pages(app)
        commands += [
            Choice(
                value=Command("app.account('sign_out')"),
                label="Sign out…",
                detail="sign out of this account on this machine",
            ),
            Choice(
                value=Command("app.account('new_key')"),
                label="New API key…",
                detail="sign out all other devices and scripts of this account",
            ),
        ]
    commands += [
        _choice(keyboard, keymap, action, Command(f"app.{action.action}"))
        for action in keys.APPLICATION
        if not action.action.startswith("show_account")
    ]
    commands += [
        Choice(value=Command(f"app.use_theme('{name}')"), label=f"Theme: {name}")
        for name in sorted(app.available_themes)
    ]
    return commands


def _is_there(app: App[Any], action: Action) -> bool:
    """Whether the server has the feature of an action; True for all before there is a snapshot."""
    screen = app.screen
    if not isinstance(screen, AccountScreen) or not screen.account.is_ready:
        return True
    return lacks(screen.account.session.store, action.action) is None


def _pages(app: App[Any]) -> list[Choice[Command]]:
    screen = app.screen
    if not isinstance(screen, AccountScreen) or not screen.account.is_ready:
        return []
    return [
        Choice(value=Command(f"organization('{page.name}')"), label=page.label, detail=page.help)
        for page in offered(screen.account)
    ]


def _choice(
    keyboard: Keyboard,
    keymap: Mapping[str, str],
    action: Action,
    command: Command,
    of: str = "",
) -> Choice[Command]:
    named = keymap.get(action.id, action.keys)
    return Choice(
        value=command, label=f"{of}{action.label}", keys=keyboard.names(named), detail=action.help
    )


async def choose_and_run(app: App[Any], keymap: Mapping[str, str], *, in_account: bool) -> None:
    """Ask for a command, and run it on its widget; `keymap` holds the user's own keys."""
    screen = app.screen
    command: Command | None = await app.push_screen_wait(
        Chooser(
            "Commands", choices(app, keymap, in_account=in_account), hint="type a part of a name"
        )
    )
    if command is None:
        return
    if command.where:
        widget = screen.query_one(f"#{command.where}")
        widget.focus()
        await app.run_action(command.action, widget)
    else:
        await app.run_action(command.action, screen)
