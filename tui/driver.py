"""The terminal while the screen is up: its keys, what is drawn, and its end. No screens, no chat.

Theory of operation. Textual's driver treats the end of the input as a pause and blocks on a full
terminal, so a program whose terminal is gone would loop for ever, and one whose terminal is stuck could
not even be told to end. Here

- reading waits for input or for `disable_input`, and wakes for nothing else;
- the input's end or error, and SIGHUP, SIGTERM or SIGINT end the program by `SupportsLeave.leave`;
- writing never blocks for ever: the terminal is opened anew, in a mode of its own, without blocking;
- if the program has not ended by itself within `LEAVING_SECONDS`, it is killed, but not while drafts are
  still on their way to a slow disk.
"""

import asyncio
import os
import select
import signal
import sys
import termios
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from queue import Queue
from typing import Any, Final, Protocol, cast

from textual.drivers import linux_driver
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from tui import bugs, frames
from tui.terminal import other_keys, terminal_of

HANG_UP: Final = 128 + signal.SIGHUP
"""The exit status where the terminal is gone."""
OUTPUT_SECONDS: Final = 0.6
"""Seconds in which the terminal takes the last output."""
LEAVING_SECONDS: Final = 1.5
"""Seconds in which the program ends by itself."""
SAVING_SECONDS: Final = 10.0
"""Further seconds while the drafts are not on disk yet."""
TICK_SECONDS: Final = 0.02
RESIZED_SECONDS: Final = 0.1
"""Seconds in which a frame of the window's new size is drawn."""
SOON_SECONDS: Final = 0.05
"""Seconds for which a title waits for a frame to go with."""
LATIN_KEYS: Final = "\x1b[=4;2u"
"""Adds a flag of the Kitty protocol to those that Textual sets: keys are reported in a Latin layout, too."""
_RESTORE: Final = "\x1b[<u\x1b[>4m\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h"
"""Restores the terminal after an abnormal end."""


class SupportsLeave(Protocol):
    """The app's interface for ending it."""

    def leave(self, status: int) -> None:
        """Save the drafts, and exit with this status. Called on the app's loop."""


class Output:
    """A terminal to write to that can be abandoned; a file as far as Textual is concerned."""

    def __init__(self, descriptor: int, gone: Callable[[], None]) -> None:
        """`gone` is called, in any thread, when the terminal takes nothing any more."""
        self._gone = gone
        self._is_over = False
        self._descriptor = _opened_anew(descriptor)
        self._blocks = os.get_blocking(self._descriptor)

    def write(self, text: str) -> None:
        """Write all of the text, unless the terminal is gone or abandoned."""
        self.write_bytes(text.encode("utf-8", "replace"))

    def write_some(self, data: bytes) -> bytes:
        """Write what the terminal takes without waiting; return the rest."""
        if self._blocks or self._is_over:
            return data
        try:
            return data[os.write(self._descriptor, data) :]
        except (OSError, ValueError):
            return data  # it is full, or gone: `write_bytes` finds out which

    def write_bytes(self, data: bytes) -> None:
        """As `write`."""
        left = data
        while left and not self._is_over:
            try:
                _, ready, _ = select.select([], [self._descriptor], [], 0.1)
                if ready:
                    left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:
                continue
            except (OSError, ValueError):
                self.give_up()
                self._gone()

    def give_up(self) -> None:
        """Write nothing any more, and end a waiting write."""
        self._is_over = True

    def flush(self) -> None:
        """Nothing is buffered."""

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    def isatty(self) -> bool:
        """Return True: it is a terminal."""
        return True


class Writer(WriterThread):
    """Writes at once what the terminal takes at once, and the rest in this thread.

    Handing each frame to a thread costs as much as writing it.
    """

    def __init__(self, output: Output) -> None:
        super().__init__(cast("Any", output))
        self._output = output
        self._bytes: Queue[bytes | None] = Queue(MAX_QUEUED_WRITES)
        self._lock = threading.Lock()
        self._waiting = 0
        """Pieces that are queued or being written by the thread."""

    def write(self, text: str) -> None:
        """Write the text after everything written before; called by the event loop's thread only."""
        left = text.encode("utf-8", "replace")
        with self._lock:
            if not self._waiting:
                left = self._output.write_some(left)
            if not left:
                return
            self._waiting += 1
        self._bytes.put(left)

    def run(self) -> None:
        """Write what the terminal did not take at once."""
        while (data := self._bytes.get()) is not None:
            self._output.write_bytes(data)
            with self._lock:
                self._waiting -= 1

    def stop(self) -> None:
        """End when all is written."""
        self._bytes.put(None)
        self.join()


class TerminalDriver(LinuxDriver):
    """Textual's driver for Unix, with an end."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.output = Output(sys.__stdout__.fileno(), self._hung_up)  # type: ignore[union-attr]  # a terminal, as was checked
        self._file = cast("Any", self.output)
        self._wake: tuple[int, int] | None = None
        self._is_leaving = False
        self._soon = ""
        self._writing: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None

    # Ending

    def _hung_up(self) -> None:
        self.output.give_up()
        self._leave(HANG_UP)

    def _leave(self, status: int) -> None:
        """End the program, from any thread, or from a signal's handler."""
        if self._is_leaving:
            return
        self._is_leaving = True
        saved = threading.Event()
        threading.Thread(target=self._end_soon, args=(status, saved), daemon=True).start()

        def leave() -> None:
            try:
                cast("SupportsLeave", self._app).leave(status)
            finally:
                saved.set()

        try:
            self._loop.call_soon_threadsafe(leave)
        except RuntimeError:  # the loop has ended already
            saved.set()

    def _end_soon(self, status: int, saved: threading.Event) -> None:
        """End the process, whatever the rest of the program waits for."""
        time.sleep(OUTPUT_SECONDS)
        self.output.give_up()  # a waiting write goes on
        time.sleep(LEAVING_SECONDS - OUTPUT_SECONDS)
        saved.wait(SAVING_SECONDS)
        with suppress(OSError):
            os.write(self.output.fileno(), _RESTORE.encode())
        if self.attrs_before is not None:
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
        os._exit(status)

    def start_application_mode(self) -> None:
        """Set the terminal up, also after the program was stopped and goes on."""
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _: self._leave(128 + number))
        self._wake = os.pipe()
        frames.shown_by(self._app).forget()  # the terminal begins empty
        vars(linux_driver)["WriterThread"] = Writer  # Textual has no hook for it
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's
        self._follow_window()
        terminal = terminal_of(self._app)
        if terminal.key_level:
            self.write(other_keys(terminal.key_level))
            self.flush()
        elif terminal.exact_keys:
            self.write(LATIN_KEYS)
            self.flush()

    # The window

    def _follow_window(self) -> None:
        """Draw all again after a size that no frame was drawn for, as of a window that was small for a moment.

        The terminal dropped what did not fit, and to Textual nothing has changed.
        """
        resize = cast("Callable[[int, object], None]", signal.getsignal(signal.SIGWINCH))

        def resized(number: int, stack: object) -> None:
            resize(number, stack)
            with suppress(RuntimeError):  # the loop has ended already
                self._loop.call_soon_threadsafe(self._await_frame)

        signal.signal(signal.SIGWINCH, resized)

    def _await_frame(self) -> None:
        if self._resizing is not None:
            self._resizing.cancel()
        forgotten = frames.shown_by(self._app).forgotten
        self._resizing = self._loop.call_later(RESIZED_SECONDS, self._draw_lost, forgotten)

    def _draw_lost(self, forgotten: int) -> None:
        shown = frames.shown_by(self._app)
        if shown.forgotten == forgotten and self._wake is not None:
            shown.forget()
            self._draw_all()

    def _get_terminal_size(self) -> tuple[int, int]:
        """As Textual's, which imports `shutil` for it."""
        try:
            size = os.get_terminal_size(self.fileno)
        except OSError:
            size = os.terminal_size((0, 0))
        named = (os.environ.get(name, "") for name in ("COLUMNS", "LINES"))
        columns, lines = (int(each) if each.isdecimal() else 0 for each in named)
        return columns or size.columns or 80, lines or size.lines or 24

    def resume_application_mode(self) -> None:
        """Set the terminal up again and draw the whole screen: Textual draws only what it knows to have changed."""
        super().resume_application_mode()
        self._loop.call_soon_threadsafe(self._draw_all)

    def _draw_all(self) -> None:
        app = self._app
        if not (app._running and app._screen_stack):
            return  # it has not begun, or ends
        with app._context():  # a signal has none
            screen, behind = app.screen, app._background_screens
            app._display(screen, screen._compositor.render_update(full=True, screen_stack=behind))

    def stop_application_mode(self) -> None:
        """Restore the terminal, also for another program."""
        if terminal_of(self._app).key_level:
            self.write(other_keys(0))
        super().stop_application_mode()

    # Stopping and going on: by the loop, since a signal can come in the middle of a write

    def _sigtstp_application(self, *_: Any) -> None:
        stop = super()._sigtstp_application
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(stop)

    def _sigcont_application(self, *_: Any) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._go_on)

    def _go_on(self) -> None:
        """Set the terminal up again, however the program was stopped.

        SIGSTOP cannot be handled: after it the terminal is still set up, and Textual would start to read it twice.
        """
        if not self._auto_restart:
            return  # an editor has the terminal
        if not self._is_in_foreground():
            os.kill(os.getpid(), signal.SIGSTOP)  # `bg`: the shell draws there now
            return
        if self._wake is not None:
            self.suspend_application_mode()
        self.resume_application_mode()

    def _is_in_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self.fileno) == os.getpgrp()
        except OSError:  # a terminal that no shell controls
            return True

    def disable_input(self) -> None:
        """End the thread that reads."""
        wake, self._wake = self._wake, None
        if wake is not None:
            os.close(wake[1])
        super().disable_input()
        if wake is not None:
            os.close(wake[0])

    # Output

    def write(self, data: str) -> None:
        """Write, behind all that was to be written with it."""
        if self._soon:
            data, self._soon = self._soon + data, ""
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        super().write(data)

    def write_with_frame(self, data: str) -> None:
        """Write with what is written next, or soon; called on the app's loop."""
        if not self._soon:
            self._writing = self._loop.call_later(SOON_SECONDS, self._write_soon)
        self._soon += data

    def _write_soon(self) -> None:
        if self._soon and self._writer_thread is not None:
            self.write("")

    # Input

    def send_message(self, message: Message) -> None:
        """Post a message to the app, from the reading thread: without a task for each key."""
        self._loop.call_soon_threadsafe(self._app.post_message, message)

    def _run_input_thread(self) -> None:
        """Read until the input ends or `disable_input` is called; a bug costs the keys just read."""
        wake = self._wake
        while wake is not None and not self.exit_event.is_set():
            try:
                self._read(wake[0])
            except (OSError, EOFError):
                self._hung_up()
                return
            except Exception as error:  # noqa: BLE001  # the next keys can be read
                bugs.report(error, "Reading the keyboard")
            else:
                return

    def _read(self, wake: int) -> None:
        parser = vars(linux_driver)["XTermParser"](self._debug)  # whichever is in use there
        decode = getincrementaldecoder("utf-8")("replace").decode
        while True:
            timeout = TICK_SECONDS if parser.is_waiting else None
            ready, _, _ = select.select([self.fileno, wake], [], [], timeout)
            if wake in ready:
                return
            if ready:
                text = decode(self._received())
                # A link can cut within a character: to the parser, no text is the end of the input.
                for event in parser.feed(text) if text else ():
                    self.process_message(event)
            for event in parser.tick():
                self.process_message(event)

    def _received(self) -> bytes:
        data = os.read(self.fileno, 4096)
        if not data:
            raise EOFError
        return data


def _opened_anew(descriptor: int) -> int:
    """Open the same terminal, not blocking, for this program alone; return the descriptor itself where that
    fails.
    """
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        return os.open(os.ttyname(descriptor), flags)
    except OSError:
        return descriptor
