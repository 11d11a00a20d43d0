"""The table of keys: every action exists where it is said to be, and no key means two things."""

from collections import Counter

import pytest
from textual.widget import Widget

from tui import keys
from tui.keys import Action, key_names
from tui.screens.main import MainScreen
from tui.widgets.composer import Composer
from tui.widgets.row_lists import ConversationList

TABLES = [
    (keys.CONVERSATION, MainScreen),
    (keys.MESSAGE, ConversationList),
    (keys.COMPOSER, Composer),
]


@pytest.mark.parametrize(("table", "owner"), TABLES)
def test_every_action_can_be_carried_out(table: tuple[Action, ...], owner: type[Widget]) -> None:
    """A key that is listed and does nothing would be a lie."""
    for action in table:
        name = action.action.partition("(")[0]
        assert hasattr(owner, f"action_{name}"), action.id


@pytest.mark.parametrize(("table", "owner"), TABLES)
def test_no_key_stands_for_two_actions(table: tuple[Action, ...], owner: type[Widget]) -> None:
    """Within one place every key is unambiguous."""
    count = Counter(key for action in table for key in action.keys.split(","))
    assert [key for key, times in count.items() if times > 1] == []


def test_ids_are_unique_so_that_remapping_meets_one_action() -> None:
    """`config.toml` names actions by id."""
    ids = [action.id for table, _ in TABLES for action in table]
    assert len(set(ids)) == len(ids)


def test_keys_are_written_as_people_say_them() -> None:
    """Help shows signs and Ctrl, not Textual's names."""
    assert key_names("ctrl+k,f1,greater_than_sign,c") == "Ctrl+K F1 > c"
