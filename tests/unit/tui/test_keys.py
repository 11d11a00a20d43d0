"""The table of keys: every action exists where it is said to be, and no key means two things."""

from collections import Counter

import pytest
from textual.dom import DOMNode

from tui import keys
from tui.app import ChinwagApp
from tui.config import Settings
from tui.keys import NO_KEY, Action, key_names, keymap
from tui.screens.account_screen import AccountScreen
from tui.screens.remapping import KEY_CONTEXTS, clashes, given, keys_of, rows
from tui.widgets.composer import Composer
from tui.widgets.row_lists import ConversationList

TABLES = [
    (keys.APPLICATION, ChinwagApp),
    (keys.CONVERSATION, AccountScreen),
    (keys.MESSAGE, ConversationList),
    (keys.COMPOSER, Composer),
]


def test_the_defaults_do_not_clash_where_they_meet() -> None:
    """What holds anywhere is not taken from it by a list or the composer."""
    clash = {
        (action.id, key, other.id)
        for action in keys.APPLICATION
        for key in keys_of(action, {})
        for other in clashes(action, key, {})
    }
    assert clash == set()


def test_a_preset_takes_no_key_from_another_action() -> None:
    """With vim's keys everything can be reached still, and no key does two things."""
    vim = keymap(Settings(keys_preset="vim"))
    actions = {action.id: action for place in KEY_CONTEXTS for action in place.actions}
    clash = {
        (name, key, other.id)
        for name in keys.PRESETS["vim"]
        for key in keys_of(actions[name], vim)
        for other in clashes(actions[name], key, vim)
    }
    assert clash == {("app.undo", "ctrl+z", "composer.undo")}, "this one is meant: typing first"


def test_a_key_goes_from_one_action_to_another() -> None:
    """Who loses the only key has none; who has others keeps them; places that never meet share."""
    jump, write = (a for a in keys.CONVERSATION if a.id in ("app.jump", "app.write"))
    reply = next(a for a in keys.MESSAGE if a.id == "message.reply")
    assert given(jump, "c", {}, also=True) == {"app.write": "none", "app.jump": "ctrl+k,c"}
    assert given(write, "n", {}, also=False) == {
        "app.next_unread": "ctrl+n,alt+a",
        "app.write": "n",
    }
    assert [a.id for a in clashes(reply, "j", {})] == ["list.next"]
    assert "composer.send" not in [a.id for a in clashes(reply, "enter", {})]


def test_without_enter_the_other_keys_send() -> None:
    """The hints name the keys that hold."""
    assert keymap(Settings()) == {}
    chosen = {"composer.send": "ctrl+s"}
    assert keymap(Settings(keys=chosen, enter_sends=False))["composer.send"] == "ctrl+s"
    assert (
        keymap(Settings(enter_sends=False))["composer.newline"]
        == "enter,alt+enter,shift+enter,ctrl+j"
    )


@pytest.mark.parametrize(("table", "owner"), TABLES)
def test_every_action_can_be_carried_out(table: tuple[Action, ...], owner: type[DOMNode]) -> None:
    """A key that is listed and does nothing would be a lie."""
    for action in table:
        where, _, name = action.action.partition("(")[0].rpartition(".")
        of: type[DOMNode] = ChinwagApp if where == "app" else owner
        assert hasattr(of, f"action_{name}"), action.id


@pytest.mark.parametrize(("table", "owner"), TABLES)
def test_no_key_stands_for_two_actions(table: tuple[Action, ...], owner: type[DOMNode]) -> None:
    """Within one place every key is unambiguous."""
    count = Counter(key for action in table for key in action.keys.split(","))
    del count[NO_KEY]
    assert [key for key, times in count.items() if times > 1] == []


def test_ids_are_unique_so_that_remapping_meets_one_action() -> None:
    """`config.toml` names actions by id."""
    ids = [action.id for table, _ in TABLES for action in table]
    assert len(set(ids)) == len(ids)


def test_keys_are_written_as_people_say_them() -> None:
    """Help shows signs and Ctrl, not Textual's names."""
    assert key_names("ctrl+k,f1,greater_than_sign,c,home,end") == "Ctrl+K F1 > c Home End"


def test_the_list_of_keys_names_those_that_arrive() -> None:
    """Where Alt is lost, what stands for it; the same words as in the help."""
    keymap = {"composer.preview_up": "alt+enter"}
    details = {row.key: row.columns[0] for row in rows(keymap, keys.Keyboard(exact=False))}
    assert details["app.next_unread"].startswith("n  Ctrl+N  Ctrl+G a")
    assert details["composer.preview_up"].startswith("no key in this terminal")
    exact = {row.key: row.columns[0] for row in rows(keymap, keys.Keyboard())}
    assert exact["app.next_unread"].startswith("n  Ctrl+N  Alt+A")


@pytest.mark.parametrize(
    ("chosen", "meant"),
    [
        ("app.jmup", "app.jump"),
        ("message.quot", "message.quote"),
        ("composer.sent", "composer.send"),
    ],
)
def test_an_action_that_does_not_exist_is_named_with_the_nearest(chosen: str, meant: str) -> None:
    """A slip under `[keys]` costs nothing in silence; what exists is not mentioned."""
    (sentence,) = keys.unknown_ids({"app.jump": "ctrl+j", chosen: "x"})
    assert (
        sentence == f"config.toml, [keys]: there is no action {chosen!r}. Did you mean {meant!r}?"
    )
    assert "lists all actions" in keys.unknown_ids(["zzz"])[0]
    assert keys.unknown_ids(keys.PRESETS["vim"]) == []


def test_a_sentence_names_the_key_that_works() -> None:
    """The user's own, one that the terminal sends, or where to find the action without one."""
    plain = keys.Keyboard(exact=False)
    assert (plain.key("app.jump"), plain.key("app.recent")) == ("Ctrl+K", "Ctrl+G t")
    assert keys.Keyboard().key("app.recent") == "Alt+T"
    own = keys.Keyboard(keymap={"app.jump": "f12", "app.undo": keys.NO_KEY})
    assert own.key("app.jump") == "F12"
    assert own.key("app.undo") == "“Undo” among the commands"
