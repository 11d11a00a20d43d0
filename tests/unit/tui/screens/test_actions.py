"""The names in the tables of keys and the functions that they mean: none is missing, none is left over."""

import re
from collections.abc import Set as AbstractSet

import pytest

from tui import keys
from tui.screens.compose.actions import COMPOSE_ACTIONS
from tui.screens.messages.actions import ECHO_ACTIONS, MESSAGE_ACTIONS, ONLY_UNSENT
from tui.screens.navigation.actions import ACTIONS_ANYWHERE, PLACE_ACTIONS
from tui.widgets.message_rows import ECHO_BUTTONS

TABLES = (*keys.CONVERSATION, *keys.MESSAGE, *keys.OVERVIEW)


@pytest.mark.parametrize(
    ("runner", "functions"),
    [
        ("writing", COMPOSE_ACTIONS.keys()),
        ("place", PLACE_ACTIONS.keys() | ACTIONS_ANYWHERE.keys()),
        ("act", MESSAGE_ACTIONS.keys() | ONLY_UNSENT),
    ],
)
def test_each_key_does_something(runner: str, functions: AbstractSet[str]) -> None:
    """Textual passes words; a key whose word nobody knows would be a bug report, not an action."""
    named = {
        match[1]
        for action in TABLES
        if (match := re.fullmatch(rf"(?:screen\.)?{runner}\('(\w+)'\)", action.action))
    }
    assert named == functions


def test_what_is_clicked_below_an_unsent_message_does_something() -> None:
    """Retry, edit, discard."""
    assert {name for _, name in ECHO_BUTTONS} <= ECHO_ACTIONS.keys()
