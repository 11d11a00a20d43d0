"""The terminal's input arrives without another key; its end waits for what is written."""

import os
import threading
from collections.abc import Callable, Iterator
from contextvars import Context
from types import SimpleNamespace

import pytest
from rich.rule import Rule
from textual.app import App, ComposeResult
from textual.events import Key
from textual.message import Message
from textual.widgets import Static

from tui import driver
from tui.driver import Output, TerminalDriver, Writer
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


def test_a_character_that_a_link_cuts_is_one_key(
    pipes: tuple[tuple[int, int], tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first byte alone is not the end of the input."""
    read_pastes()
    (keyboard, terminal), (woken, _) = pipes
    reader = TerminalDriver.__new__(TerminalDriver)
    reader.fileno, reader._debug = keyboard, False
    arrived: list[Message] = []
    reads = iter((b"a", *(bytes([byte]) for byte in "é🌍".encode()), b"b"))

    def received() -> bytes:
        try:
            return next(reads)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(reader, "process_message", arrived.append)
    monkeypatch.setattr(reader, "_received", received)
    os.write(terminal, b"x")  # so that there is something to read
    with pytest.raises(EOFError):
        reader._read(woken)
    assert [key.character for key in arrived if isinstance(key, Key)] == ["a", "é", "🌍", "b"]


def test_the_end_waits_for_what_is_on_its_way_to_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine so busy that saving a draft takes longer than the program is given to end."""
    monkeypatch.setattr(driver, "OUTPUT_SECONDS", 0.0)
    monkeypatch.setattr(driver, "LEAVING_SECONDS", 0.0)
    done: list[str] = []
    ended = threading.Event()

    def end(status: int) -> None:
        done.append(f"ended with {status}")
        ended.set()

    monkeypatch.setattr("tui.driver.os._exit", end)
    calls: list[Callable[[], None]] = []
    reader = TerminalDriver.__new__(TerminalDriver)
    reader._is_leaving, reader.attrs_before = False, None
    reader._app = SimpleNamespace(leave=lambda _status: done.append("saved"))  # type: ignore[assignment]  # what it asks of it
    reader._loop = SimpleNamespace(call_soon_threadsafe=calls.append)  # type: ignore[assignment]  # what it asks of it
    with open(os.devnull, "w") as nowhere:
        reader.output = SimpleNamespace(give_up=lambda: None, fileno=nowhere.fileno)  # type: ignore[assignment]  # what it asks of it
        reader._leave(129)
        assert not ended.wait(0.02)
        calls[0]()
        assert ended.wait(5)
    assert done == ["saved", "ended with 129"]


def test_what_a_full_terminal_does_not_take_follows_in_order() -> None:
    """A frame is written at once; where the terminal is slow the rest waits, and what comes after it too."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    output = Output.__new__(Output)
    output._is_over, output._blocks, output._descriptor = False, False, write
    writer = Writer(output)
    writer.write("at once ")
    assert os.read(read, 100) == b"at once "  # before the thread has begun
    pieces = [f"{at}:{'x' * 60_000} " for at in range(4)]
    for piece in pieces:
        writer.write(piece)
    writer.start()
    expected = "".join(pieces)
    taken = b""
    while len(taken) < len(expected):
        taken += os.read(read, 65_536)
    assert taken.decode() == expected
    writer.stop()
    os.close(read)
    os.close(write)


def test_a_title_goes_with_the_next_frame_or_soon() -> None:
    """Each call of the system for a message takes as long as a tenth of it, and so does waking for nothing."""
    written: list[str] = []
    calls: list[Callable[[], None]] = []
    writer = TerminalDriver.__new__(TerminalDriver)
    writer._soon, writer._writing = "", None

    def call_later(_: float, call: Callable[[], None]) -> SimpleNamespace:
        calls.append(call)
        return SimpleNamespace(cancel=calls.clear)

    writer._loop = SimpleNamespace(call_later=call_later)  # type: ignore[assignment]  # what it asks of it
    writer._writer_thread = SimpleNamespace(write=written.append)  # type: ignore[assignment]  # what it asks of it
    writer.write_with_frame("title ")
    writer.write("frame")
    assert written == ["title frame"]
    assert not calls
    writer.write_with_frame("alone")
    calls.pop()()
    assert written[1:] == ["alone"]


class _Said(App[None]):
    """Some words, as they are drawn in dialogs that nothing shows through, too."""

    def compose(self) -> ComposeResult:
        yield Static(Rule("words"))


async def test_all_is_drawn_when_the_program_goes_on_whatever_changed_meanwhile() -> None:
    """A signal comes outside of everything that the app knows about itself."""
    app = _Said()
    async with app.run_test():
        writer = TerminalDriver.__new__(TerminalDriver)
        writer._app = app
        app.query_one(Static).update(Rule("others"))
        Context().run(writer._draw_all)
        assert "others" in app.query_one(Static).render_line(0).text
