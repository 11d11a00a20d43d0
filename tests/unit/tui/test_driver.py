"""The terminal's input: what was read arrives, without another key."""

import os
import threading
from collections.abc import Iterator

import pytest
from textual.message import Message

from tui import driver
from tui.driver import TerminalDriver
from tui.widgets import pastes
from tui.widgets.pastes import Burst, read_pastes


@pytest.fixture
def pipes() -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The terminal's input, and what wakes the reader."""
    typed, wake = os.pipe(), os.pipe()
    yield typed, wake
    for end in (*typed, *wake):
        os.close(end)


def test_a_burst_arrives_without_another_key(
    pipes: tuple[tuple[int, int], tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However busy the machine is: lines that are held as a paste are not left until the next key."""
    monkeypatch.setattr(driver, "KEY_SECONDS", 0.0)
    monkeypatch.setattr(pastes, "QUIET_SECONDS", 0.01)
    read_pastes()
    (keyboard, terminal), (woken, waker) = pipes
    reader = TerminalDriver.__new__(TerminalDriver)
    reader.fileno, reader._debug = keyboard, False
    arrived: list[Message] = []
    burst = threading.Event()

    def take(event: Message) -> None:
        arrived.append(event)
        if isinstance(event, Burst):
            burst.set()

    monkeypatch.setattr(reader, "process_message", take)
    reading = threading.Thread(target=reader._read, args=(woken,), daemon=True)
    reading.start()
    os.write(terminal, b"milk\rplenty\r")
    came = burst.wait(5)
    os.write(waker, b"x")
    reading.join()
    assert came
