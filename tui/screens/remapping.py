"""The list of actions with their keys: new keys are pressed, apply at once, and are saved.

Keys and conflicts are computed here from the tables. Draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

from tui import keys
from tui.config import Settings
from tui.dataclass import dataclass
from tui.keys import NO_KEY, Action, Keyboard
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.capture_key import NewKey
from tui.screens.dialogs.listing import ListDialog, ListingRow


@dataclass(frozen=True, slots=True)
class KeyContext:
    """Actions that are available together; those of the contexts in `within` may be too."""

    name: str
    actions: tuple[Action, ...]
    within: frozenset[str]


KEY_CONTEXTS: Final = (
    KeyContext("Conversations", keys.CONVERSATION, frozenset({"Anywhere"})),
    KeyContext("Message", keys.MESSAGE, frozenset({"Anywhere", "Conversations", "Lists"})),
    KeyContext(
        "Writing", (*keys.COMPOSER, *keys.EDITING), frozenset({"Anywhere", "Conversations"})
    ),
    KeyContext("Inbox", keys.OVERVIEW, frozenset({"Anywhere", "Conversations", "Lists"})),
    KeyContext("Sidebar", keys.SIDEBAR, frozenset({"Anywhere", "Lists"})),
    KeyContext("Lists", keys.LISTS, frozenset({"Anywhere", "Conversations"})),
    KeyContext("Anywhere", keys.APPLICATION, frozenset()),
)


class Application(Protocol):
    """The application, as this list sees it."""

    settings: Settings
    keyboard: Keyboard

    @property
    def push_screen_wait(self) -> Callable[..., Any]:
        """Shows a dialog and returns its result."""

    def remap(self, changes: Mapping[str, str | None]) -> None:
        """Change keys by the IDs of actions; None for the default. Raises ConfigError."""


def keys_of(action: Action, keymap: Mapping[str, str]) -> list[str]:
    """Return the current keys of an action."""
    named = keymap.get(action.id, action.keys)
    return [key for each in named.split(",") if (key := each.strip()) and key != NO_KEY]


def clashes(wanted: Action, key: str, keymap: Mapping[str, str]) -> list[Action]:
    """Return the other actions that have the key in contexts of this action."""
    own = next(place for place in KEY_CONTEXTS if wanted in place.actions)
    return [
        action
        for place in KEY_CONTEXTS
        if place is own or place.name in own.within or own.name in place.within
        for action in place.actions
        if action is not wanted and key in keys_of(action, keymap)
    ]


def given(
    action: Action, key: str, keymap: Mapping[str, str], *, also: bool
) -> dict[str, str | None]:
    """Return the changes that give the action the key, beside its others or in their place."""
    changes: dict[str, str | None] = {}
    for other in clashes(action, key, keymap):
        left = [each for each in keys_of(other, keymap) if each != key]
        changes[other.id] = ",".join(left) or NO_KEY
    before = keys_of(action, keymap) if also else []
    changes[action.id] = ",".join(dict.fromkeys([*before, key]))
    return changes


async def show(app: Application) -> None:
    """Show the list until Esc."""
    actions = {action.id: action for place in KEY_CONTEXTS for action in place.actions}

    def offered(key: Hashable | None) -> Sequence[DialogAction]:
        return () if key is None else _actions(app, actions[str(key)])

    await app.push_screen_wait(
        ListDialog(
            "Keys",
            rows=lambda: rows(keys.keymap(app.settings), app.keyboard),
            actions=offered,
        )
    )


def rows(keymap: Mapping[str, str], keyboard: Keyboard) -> list[ListingRow]:
    """Return a row for every action, by context, with the keys that the terminal sends."""
    return [
        ListingRow(
            key=action.id,
            label=f"{place.name}: {action.label}",
            detail=(_named(keys_of(action, keymap), keyboard), action.help),
        )
        for place in KEY_CONTEXTS
        for action in place.actions
    ]


def _named(of_action: Sequence[str], keyboard: Keyboard) -> str:
    if not of_action:
        return "no key"
    return keyboard.names(",".join(of_action)) or "no key in this terminal"


def _actions(app: Application, action: Action) -> Sequence[DialogAction]:
    return (
        DialogAction(key="enter", label="change", run=partial(_press, app, action, also=False)),
        DialogAction(key="a", label="add another", run=partial(_press, app, action, also=True)),
        DialogAction(key="x", label="no key", run=partial(_set, app, action, NO_KEY)),
        DialogAction(key="r", label="reset to default", run=partial(_set, app, action, None)),
    )


async def _set(app: Application, action: Action, named: str | None) -> None:
    app.remap({action.id: named})


async def _press(app: Application, action: Action, *, also: bool) -> None:
    """Ask for a key, and add it to the action's keys or put it in their place."""
    keymap = keys.keymap(app.settings)
    now = _named(keys_of(action, keymap), app.keyboard)
    key: str | None = await app.push_screen_wait(
        NewKey(
            action.label,
            f"{action.help} Now: {now}.",
            taken_by=lambda key: ", ".join(
                f"“{each.label}”" for each in clashes(action, key, keymap)
            ),
            after_prefix=action.id.removeprefix("app.") not in keys.PREFIXES,
        )
    )
    if key is not None:
        app.remap(given(action, key, keymap, also=also))
