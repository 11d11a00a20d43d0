"""What terminals send for a paste, byte for byte, and what typing looks like beside it."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from tui.widgets import key_sequences, pastes
from tui.widgets.pastes import Burst, PasteParser

PIECES = [
    "a",
    "\r",
    "ab\rc",
    "\x1b",
    "[A",
    "O",
    "P",
    "\x1b[2",
    "00~",
    "\x1b[200~",
    "x\r",
    "\x1b[201~",
    "]11;rgb",
]
MARKED = "\x1b[200~one\rtwo\r\x1b[201~"


class Clock:
    """Time as the test wants it; `monotonic` is what the parser asks."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pastes, "time", clock)
    return clock


def _read(clock: Clock, *reads: str, between: float = 0.001) -> list[Message]:
    """The events of what a terminal sends in so many reads, once it sent no more for a second."""
    parser = PasteParser()
    messages: list[Message] = []
    for data in reads:
        messages += [*parser.feed(data), *parser.tick()]
        clock.now += between
    clock.now += 1.0
    return [*messages, *parser.tick()]


def _said(messages: Sequence[Message]) -> list[str]:
    """Keys by their names, pastes by their texts."""
    return [
        each.key if isinstance(each, events.Key) else f"<{each.text}>"
        for each in messages
        if isinstance(each, events.Key | events.Paste)
    ]


@pytest.mark.parametrize("cut", range(1, len(MARKED)))
def test_a_marked_paste_is_one_however_it_is_cut(clock: Clock, cut: int) -> None:
    """A read may end anywhere, also within the marks."""
    assert _said(_read(clock, MARKED[:cut], MARKED[cut:])) == ["<one\rtwo\r>"]


def test_nothing_in_a_marked_paste_is_a_key(clock: Clock) -> None:
    """Escape sequences that no terminal knows were typed as keys, Enter among them."""
    hostile = "a\x1b" + "b" * 40 + "\r\x1b[Ac\x1b"
    assert _said(_read(clock, f"\x1b[200~{hostile}\x1b[201~d")) == [f"<{hostile}>", "d"]


@pytest.mark.parametrize("cut", [9, 14, 20, 23, 30])
def test_the_mark_of_the_end_can_be_pasted(clock: Clock, cut: int) -> None:
    """Some terminals and tmux leave it in: what is behind it would be typed, Enter too."""
    hostile = "\x1b[200~look\x1b[201~\rrm -r\r\x1b[201~"
    assert _said(_read(clock, hostile[:cut], hostile[cut:])) == ["<look\rrm -r\r>"]
    assert _said(_read(clock, MARKED + MARKED + "\r")) == ["<one\rtwo\r>"] * 2 + ["enter"]


@pytest.mark.parametrize(
    ("reads", "said"),
    [
        (["one\rtwo\r"], ["<one\rtwo\r>"]),
        (["one\ntwo"], ["<one\ntwo>"]),
        (["one\r\n\r\n\ttwo\r\n"], ["<one\r\n\r\n\ttwo\r\n>"]),
        (["one\r", "two\r", "three\r"], ["o", "n", "e", "<\rtwo\rthree\r>"]),
        (["one\rtw", "o\r"], ["<one\rtwo\r>"]),
        (["\x1b[Ione\rtwo\r"], ["<one\rtwo\r>"]),
        (["one\rtwo\r", "\x1b[B"], ["<one\rtwo\r>", "down"]),
    ],
)
def test_lines_in_one_burst_are_a_paste(clock: Clock, reads: list[str], said: list[str]) -> None:
    """No Enter within it is a key: it would send the half of what was pasted."""
    assert _said(_read(clock, *reads)) == said


@pytest.mark.parametrize(
    ("reads", "between", "said"),
    [
        (["ok\r"], 0.0, ["o", "k", "enter"]),
        (["ok", "\r", "and\r"], 0.06, ["o", "k", "enter", "a", "n", "d", "enter"]),
        (["ok\r", "no\r"], 0.1, ["o", "k", "enter", "n", "o", "enter"]),
        (["ok\r\x0bk\r"], 0.0, ["o", "k", "enter", "ctrl+k", "k", "enter"]),
        (["\r", "k"], 0.001, ["enter", "k"]),
        (["\x1b", "[A"], 0.001, ["up"]),
        (["\x1bOP", "a"], 0.0, ["f1", "a"]),
    ],
)
def test_typing_is_typing(clock: Clock, reads: list[str], between: float, said: list[str]) -> None:
    """A line and its Enter in one read, as programs type them, is sent; keys are what they were."""
    assert _said(_read(clock, *reads, between=between)) == said


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8))
def test_what_comes_without_more_input_is_announced(
    monkeypatch: pytest.MonkeyPatch, reads: list[str]
) -> None:
    """The driver sleeps where nothing waits: a burst that it slept through would stay until the next key."""
    clock = Clock()
    monkeypatch.setattr(pastes, "time", clock)
    monkeypatch.setattr(key_sequences, "time", clock)
    monkeypatch.setattr("textual._parser.get_time", clock.monotonic)
    parser = PasteParser()
    for data in reads:
        list(parser.feed(data))
        clock.now += 0.01
        list(parser.tick())
        if not parser.is_waiting:
            clock.now += 1.0
            assert _said([*parser.tick()]) == []
    for _ in range(2):  # what ends a burst may itself be the beginning of an answer
        clock.now += 1.0
        list(parser.tick())
    assert not parser.is_waiting


def test_a_burst_where_nothing_is_written_are_its_keys() -> None:
    """What was typed ahead into a chooser, a field of one line, is typed."""
    assert [each.key for each in Burst("ab\rc").typed()] == ["a", "b", "enter", "c"]


@given(st.lists(st.text(st.sampled_from("ab \r\t\x0b"), min_size=1, max_size=12)))
@settings(max_examples=50, deadline=None)
def test_nothing_is_lost_and_nothing_comes_twice(reads: list[str]) -> None:
    """Whatever comes in whatever pieces: it comes out in the order in which it came in."""
    parser = PasteParser()
    messages = [event for data in reads for event in parser.feed(data)] + [*parser.feed("")]
    said = [
        each.text if isinstance(each, events.Paste) else each.character or "\x0b"
        for each in messages
        if isinstance(each, events.Paste | events.Key)
    ]
    assert "".join(said) == "".join(reads)


def test_a_letter_is_looked_at_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters that come one by one are no part of anything; behind what is unfinished they are looked at."""
    looked: list[str] = []
    feed = key_sequences.KeyStream.feed

    def feeding(stream: key_sequences.KeyStream, data: str, now: float) -> str:
        looked.append(data)
        return feed(stream, data, now)

    monkeypatch.setattr(key_sequences.KeyStream, "feed", feeding)
    assert _said(_read(clock, "a", "[", "ü", " ", between=1)) == [
        "a",
        "left_square_bracket",
        "ü",
        "space",
    ]
    assert not looked
    assert _said(_read(clock, "\x1b", "[", "A", "a")) == ["up", "a"]
    assert looked == ["\x1b", "[", "A"]
