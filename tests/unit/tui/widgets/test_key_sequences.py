"""Keys as terminals send them are the keys that the tables of actions name."""

from collections.abc import Sequence
from typing import Final

import pytest
from textual import _parser, events
from textual.binding import Binding

from tests.keyboards import Keyboard as Protocol
from tests.keyboards import encode
from tui import keys
from tui.keys import Keyboard
from tui.widgets.composer import Composer
from tui.widgets.key_sequences import KeyStream
from tui.widgets.pastes import PasteParser

PROTOCOLS: Final[dict[Protocol, Keyboard]] = {
    "legacy": Keyboard(exact=False),
    "tmux": Keyboard(exact=False),
    "kitty": Keyboard(exact=True),
    "modify_other_keys": Keyboard(exact=True),
}
TABLES: Final = (
    keys.APPLICATION, keys.CONVERSATION, keys.MESSAGE, keys.SIDEBAR, keys.OVERVIEW, keys.COMPOSER,
    keys.LISTS,
)  # fmt: skip
ALL_KEYS: Final = sorted(
    {key for table in TABLES for action in table for key in action.keys.split(",")}
    | {binding.key for binding in Binding.make_bindings(Composer.BINDINGS)}
)
PRESSED: Final = [
    key for key in ALL_KEYS if key.partition("+")[0] not in keys.PREFIXES and key != keys.NO_KEY
]


class Clock:
    """The time for the parsers, which goes on only when it is said."""

    now = 100.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.delenv("TERM_PROGRAM", raising=False)
    monkeypatch.setattr("tui.widgets.key_sequences.time.monotonic", lambda: clock.now)
    monkeypatch.setattr(_parser, "get_time", lambda: clock.now)
    return clock


def told(clock: Clock, *reads: str) -> list[str]:
    """The keys that come of these reads, one right after the other, and then nothing more."""
    parser = PasteParser()
    parsed = [event for read in reads for event in parser.feed(read)]
    for _ in range(2):
        clock.now += 1
        parsed += parser.tick()
    return [event.key for event in parsed if isinstance(event, events.Key)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_key_that_a_terminal_sends_arrives(protocol: Protocol, clock: Clock) -> None:
    """What the hints name for a kind of terminal is what the action gets there."""
    names = {"at": "@"}
    wrong = {
        key: arrived
        for key in PRESSED
        if PROTOCOLS[protocol].sends(key)
        and (arrived := told(clock, encode(key, protocol).decode())) != [names.get(key, key)]
    }
    assert wrong == {}, wrong


def test_what_may_not_arrive_has_another_way() -> None:
    """Whatever the terminal: every action has a key that it sends, or the leader and a letter."""
    plain = Keyboard(exact=False)
    lost = [
        action.id for table in TABLES for action in table if not plain.ways(action.keys.split(","))
    ]
    assert lost == []


@pytest.mark.parametrize("key", "cknrot1T>")
def test_escape_and_a_letter_are_two_keys(key: str, clock: Clock) -> None:
    """However fast, and where tmux hands them on in one burst; then what follows is typed as well."""
    assert told(clock, f"\x1b{key}") == told(clock, "\x1b", key) == ["escape", *told(clock, key)]
    assert told(clock, f"\x1b{key}ab") == ["escape", *told(clock, key), "a", "b"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_escape_and_any_character_are_two_keys_in_every_terminal(
    protocol: Protocol, clock: Clock
) -> None:
    """In one burst or in two, whatever was typed next: no key with Alt, and nothing is lost."""
    escape = encode("escape", protocol).decode()
    wrong = {}
    for character in map(chr, range(33, 127)):
        typed = character if character not in "+@" else {"+": "plus", "@": "at"}[character]
        pressed = encode(typed, protocol).decode()
        wanted = ["escape", *told(clock, pressed)]
        arrived = told(clock, escape + pressed), told(clock, escape, pressed)
        if arrived != (wanted, wanted) or len(wanted) != 2:
            wrong[character] = arrived
    assert wrong == {}


def test_escape_and_an_arrow_are_two_keys(clock: Clock) -> None:
    """rxvt sends this for Alt with the arrow; for Escape and the arrow all terminals do."""
    assert told(clock, "\x1b\x1b[A") == told(clock, "\x1b", "\x1b[A") == ["escape", "up"]
    assert told(clock, "\x1b\t") == ["escape", "tab"]


def test_alt_with_a_letter_where_i_said_that_it_is_sent(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then one burst is Alt, and two presses are two keys still."""
    monkeypatch.setattr(KeyStream, "alt_letters", True)
    assert told(clock, "\x1bc", "\x1b1") == ["alt+c", "alt+1"]
    assert told(clock, "\x1b", "c") == ["escape", "c"]
    assert [e.character for e in PasteParser().feed("\x1bw") if isinstance(e, events.Key)] == [None]


def test_option_with_an_arrow_on_a_mac(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It moves by a word, and does not leave what I write."""
    monkeypatch.setenv("TERM_PROGRAM", "Apple_Terminal")
    assert told(clock, "\x1bb", "\x1bf") == ["alt+b", "alt+f"]
    assert told(clock, "\x1bc") == told(clock, "\x1b", "c") == ["escape", "c"]


ALT_ENTER: Final = (
    "\x1b\r",
    "\x1b\n",
    "\x1b[27;3;13~",
    "\x1b[13;3u",
    "\x1b[13;131u",
)
SHIFT_ENTER: Final = ("\x1b[27;2;13~", "\x1b[13;2u", "\x1b[13;130u")


@pytest.mark.parametrize("sequence", ALT_ENTER + SHIFT_ENTER)
def test_alt_and_shift_enter_in_every_form(sequence: str, clock: Clock) -> None:
    """None of them is Enter, which would send half a message."""
    wanted = "alt+enter" if sequence in ALT_ENTER else "shift+enter"
    assert told(clock, sequence) == [wanted]


@pytest.mark.parametrize(
    ("sequence", "wanted"),
    [
        ("\x1b[27u", ["escape"]),
        ("\x1bOM", ["enter"]),
        ("\x1b[57414u", ["enter"]),
        ("\x1b[13;129u", ["enter"]),
        ("\x1b[57413;;43u", ["plus"]),
        ("\x1b[57410;129;47u", ["slash"]),
        ("\x1b[57411;1:2;42u", ["asterisk"]),
        ("\x1b[57400;129;49u", ["1"]),
        ("\x1b[57409;129;44u", ["comma"]),
        ("\x1b[107;69u", ["ctrl+k"]),
        ("\x1b[27;5;107~", ["ctrl+k"]),
        ("\x1b[27;6;90~", ["ctrl+shift+z"]),
        ("\x1b[122;6u", ["ctrl+shift+z"]),
        ("\x1b[27;2;64~", ["@"]),
        ("\x1b[97;2u", ["A"]),
        ("\x1b[11~", ["f1"]),
        ("\x1b[[A", ["f1"]),
        ("\x1b[P", ["f1"]),
        ("\x1b[7$", ["shift+home"]),
        ("\x1b\x7f", ["alt+backspace"]),
        ("\x1b[127;3u", ["alt+backspace"]),
        ("\x1b[127;2u", ["backspace"]),
        ("\x1b[127;130u", ["backspace"]),
        ("\x1b[27;2;127~", ["backspace"]),
        ("\x1b[27;5;8~", ["ctrl+backspace"]),
        ("\x1b[27;2;32~", ["space"]),
        ("\x1b[32;2u", ["space"]),
        ("\x1b[1083::107;5u", ["ctrl+k"]),
        ("\x1b[1088::104;69u", ["ctrl+h"]),
        ("\x1b[1083::107;;1083u", ["л"]),
        ("\x1b[1083:1051:107;2;1051u", ["Л"]),
        ("\x1b[110::98;5u", ["ctrl+n"]),
    ],
)
def test_other_forms(sequence: str, wanted: Sequence[str], clock: Clock) -> None:
    """Keypads, locks, the Linux console and rxvt."""
    names = {"@": "at"}
    assert told(clock, sequence) == [names.get(key, key) for key in wanted]


@pytest.mark.parametrize(
    "whole", ["\x1b[1;5C", "\x1bOP", "\x1b[200~one\rtwo\x1b[201~", "\x1b[27;3;13~"]
)
def test_a_sequence_that_is_cut_anywhere_is_the_same(whole: str, clock: Clock) -> None:
    """Over a network it comes in two reads; only a pause makes keys of it."""

    def parsed(*reads: str) -> list[str]:
        parser = PasteParser()
        return [repr(event) for read in reads for event in parser.feed(read)]

    for at in range(1, len(whole)):
        assert parsed(whole[:at], whole[at:]) == parsed(whole)


def test_a_late_answer_is_no_key(clock: Clock) -> None:
    """A slow line: what a Kitty answers is taken for what it is, and the hints may follow it."""
    parsed = list(PasteParser().feed("\x1b[?25u\x1b[>4;2m"))
    assert [type(each).__name__ for each in parsed] == ["ExactKeys"]


@pytest.mark.parametrize(
    ("sequence", "wanted"),
    [
        ("\x1b[97:65u", ["a"]),
        ("\x1b[107;5:1u", ["ctrl+k"]),
        ("\x1b[107;5:2u", ["ctrl+k"]),
        ("\x1b[107;5:3u", []),
        ("\x1b[1;1:1A", ["up"]),
        ("\x1b[97:65:99;2:1;65u", ["A"]),
        ("\x1b[1114112u", []),
        ("\x1b[97;1;1114112u", []),
        ("\x1b[" + "9" * 5000 + "u", []),
        ("\x1b[27;" + "9" * 5000 + ";97~", []),
        ("\x1b[27;5;1114112~", []),
        ("\x1b[" + "9" * 5000 + ";1R", []),
        ("\x1b[<" + "9" * 5000 + ";1;1M", []),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_no_sequence_costs_the_keys_around_it(
    sequence: str, wanted: Sequence[str], clock: Clock
) -> None:
    """Kinds of events and other layouts, though nobody asked for them, and what no key has."""
    assert told(clock, f"c{sequence}d") == ["c", *wanted, "d"]


@pytest.mark.parametrize("size", ["0;0;0;0", "24;0;480;0", "99999;80;1;1"])
def test_a_size_that_no_terminal_has_is_left_out(size: str, clock: Clock) -> None:
    """The screen would have no cells, or fill the memory."""
    parsed = list(PasteParser().feed(f"\x1b[48;{size}ta"))
    assert [getattr(each, "key", each) for each in parsed] == ["a"]


ANSWERS = [
    "\x1b[?62;4;22c",
    "\x1b[>41;354;0c",
    "\x1b[?12;40R",
    "\x1b[?1;2;256S",
    "\x1b[?997;1n",
    "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
    "\x1b]10;rgb:ffff/ffff/ffff\x07",
    "\x1b]4;1;rgb:ff/00/00\x07",
    "\x1bP>|kitty(0.31)\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_a_terminal_says_of_itself_is_not_typed(answer: str, clock: Clock) -> None:
    """Attributes, colors, its name: whenever it comes, no letter of it is a key."""
    parsed = list(PasteParser().feed(f"a{answer}b"))
    assert [getattr(each, "key", each) for each in parsed] == ["a", "b"]


@pytest.mark.parametrize("answer", ANSWERS)
def test_no_cut_makes_keys_of_it(answer: str, clock: Clock) -> None:
    """Over a network it comes in two reads, the second one late: its beginning is no key already."""
    for cut in range(1, len(answer)):
        parser = PasteParser()
        parsed = [*parser.feed("a" + answer[:cut]), *parser.tick()]
        clock.now += 0.3 if cut >= 5 else 0.01  # no key has five such characters
        parsed += [*parser.tick(), *parser.feed(answer[cut:] + "b")]
        clock.now += 2.0
        parsed += parser.tick()
        assert [getattr(each, "key", each) for each in parsed] == ["a", "b"], (cut, answer)


def test_spaces_of_every_width_and_joiners_are_typed() -> None:
    """An input method sends the wide space of Japanese; emoji and Persian words hold joiners."""
    text = "\u65e5\u672c\u3000\u8a9e \U0001f469\u200d\U0001f4bb \u0645\u06cc\u200c\u062e a\u00a0!"
    typed = [each for each in PasteParser().feed(text) if isinstance(each, events.Key)]
    assert "".join(key.character or "" for key in typed if key.is_printable) == text
    assert {key.handler_name for key in typed} == {"on_key"}


def test_characters_that_no_paste_may_have_are_not_typed() -> None:
    """They would show a line in another order than it is sent, or are controls."""
    typed = PasteParser().feed("\u202e\u2066\x85\U000e0041")
    assert not [each for each in typed if isinstance(each, events.Key) and each.is_printable]
