"""A terminal that is asked what it can: played at the other end of a real pseudo-terminal."""

import os
import pty
import threading
from dataclasses import dataclass, field

import pytest

from tui.terminal import SAMPLES, Cluster, Probe, broken, known_graphics

TMUX: dict[Cluster, int] = {"variation": 1, "keycap": 1, "tone": 4}
"""Cells that tmux 3.3a takes, where they are not two."""


@dataclass
class Played:
    """The other side: it answers each question about the cursor, each sample with its own width."""

    widths: dict[Cluster, int]
    attributes: bytes = b""
    silent: bool = False
    source: int = 0
    master: int = 0
    heard: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.master, self.source = pty.openpty()
        self._player = threading.Thread(target=self._play, daemon=True)
        self._player.start()

    def _play(self) -> None:
        waiting = list(SAMPLES)
        while True:
            try:
                self.heard += os.read(self.master, 4096)
            except OSError:
                return
            if self.silent:
                continue
            while waiting and self.heard.count(b"\x1b[6n") > len(SAMPLES) - len(waiting):
                kind = waiting.pop(0)
                os.write(self.master, b"\x1b[7;%dR" % (1 + self.widths.get(kind, 2)))
            if self.attributes and self.heard.endswith(b"\x1b[c"):
                os.write(self.master, self.attributes)

    def close(self) -> None:
        os.close(self.source)
        self._player.join(1)
        os.close(self.master)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "STY", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("tui.terminal.QUICK", 20.0)  # the one who answers is on a busy machine


def ask(played: Played, *, patience: float = 20.0) -> tuple[frozenset[Cluster], str]:
    probe = Probe(played.source, played.source)
    able = probe.finish(patience)
    played.close()
    return able.broken, able.graphics


def test_a_terminal_that_agrees_keeps_every_emoji() -> None:
    """Nothing is replaced where all samples are as wide as they are counted."""
    assert ask(Played({}, attributes=b"\x1b[?62;4;22c")) == (frozenset(), "sixel")


def test_what_comes_out_otherwise_is_known_before_the_first_frame() -> None:
    """tmux draws hearts and keycaps in one cell, and a skin tone beside its hand."""
    assert ask(Played(TMUX, attributes=b"\x1b[?1;2c")) == (frozenset(TMUX), "blocks")


def test_a_terminal_that_does_not_answer_costs_no_time() -> None:
    """Start goes on, with the forms that every terminal draws alike, and without a second question."""
    played = Played({}, silent=True)
    terminal = ask(played, patience=0.02)
    assert terminal == (frozenset(SAMPLES), "blocks")
    assert b"\x1b[c" not in played.heard
    assert played.heard.endswith(b"\r\x1b[K"), "the samples are wiped away"


def test_pictures_in_cells_are_known_by_the_terminals_name() -> None:
    """Kitty and Ghostty fill cells of text; what runs inside tmux gets no pictures through."""
    assert known_graphics({"TERM": "xterm-kitty"}) == "kitty"
    assert known_graphics({"TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"}) == "kitty"
    assert known_graphics({"TERM": "xterm-kitty", "TMUX": "/tmp/1"}) == "blocks"
    assert known_graphics({"TERM": "xterm-256color"}) is None


def test_an_answer_that_is_missing_counts_as_another_width() -> None:
    """Half an answer is no reason to trust the rest."""
    assert broken([3, 3]) == frozenset(list(SAMPLES)[2:])


def test_what_is_typed_while_it_is_asked_is_not_lost() -> None:
    """Fast fingers: everything between the answers comes out, and no answer is taken for keys."""
    played = Played({}, silent=True)
    probe = Probe(played.source, played.source, asks_sixel=False)
    answer = b"\x1b[7;3R"
    os.write(played.master, b"c" + answer * 3 + "grüße\r".encode() + answer * 3)
    able = probe.finish(2.0)
    probe.restore()
    played.close()
    assert able.typed == "cgrüße\r"
    assert able.broken == frozenset()
