"""Tells pastes from typing, in the bytes that a terminal sends. Reads no terminal.

Most terminals mark a paste; its text is taken as it is, so that nothing in it acts as a key. From the others
it comes as typing does, only faster: lines in one burst are a paste as well.
"""

import re
import time
from collections.abc import Iterator
from typing import Final

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START
from textual.drivers import linux_driver
from textual.message import Message

from tui.widgets.key_sequences import STRING, UNFINISHED, KeyParser

ENTER_SECONDS: Final = 0.05
"""Seconds of silence after which an Enter in one read with a word counts as typed. Nobody types on so soon.
"""
QUIET_SECONDS: Final = 0.3
"""Seconds without input after which a burst of lines is over; over a network it comes in pieces."""
_CONTROL: Final = re.compile(
    rf"({STRING}|{UNFINISHED}|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[OP\]]?.?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f])",
    re.DOTALL,
)
_KEPT_BACK: Final = len(BRACKETED_PASTE_END) - 1


class Burst(events.Paste):
    """Lines that came faster than anybody types; `text` has Enter as it was sent, "\\r"."""

    def typed(self) -> list[events.Key]:
        """Return the burst as keys, for widgets other than fields of several lines."""
        return [each for each in KeyParser().feed(self.text) if isinstance(each, events.Key)]


class PasteParser(KeyParser):
    """The parser of keys, behind one that takes pastes out."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasted: list[str] | None = None
        """The text of a marked paste so far; None outside of one."""
        self._begun = ""
        """The end of the last read, which may be part of a paste's mark."""
        self._is_doubtful = False
        """Whether `_begun` is a paste that seems to be over, with more behind it."""
        self._is_escape = False
        """Whether the last read ended with an Esc, which may have been the first byte of a mark."""
        self._burst = ""
        """The text of a burst, since a line ended in it."""
        self._due = 0.0

    def feed(self, data: str) -> Iterator[Message]:
        """Yield the events of a read, those of a burst once it is over."""
        if not data:
            yield from self._release()
            yield from super().feed(data)
            return
        if time.monotonic() >= self._due:
            yield from self._release()
        if self._pasted is None and not self._is_escape and self.is_letter(data):
            self._due = time.monotonic() + ENTER_SECONDS
            yield from self.letter(data)
            return
        yield from self._read(data)

    def _read(self, data: str, *, is_over: bool = False) -> Iterator[Message]:
        """Yield the events of input; `is_over`: a paste that seems to end in it does."""
        data, self._begun, self._is_doubtful = self._begun + data, "", False
        if self._is_escape and data.startswith(BRACKETED_PASTE_START[1:]):
            # Textual's parser has the Esc: it gets an empty paste, which is dropped.
            list(super().feed(BRACKETED_PASTE_START[1:] + BRACKETED_PASTE_END))
            data, self._pasted = data[len(BRACKETED_PASTE_START) - 1 :], []
        self._is_escape = self._pasted is None and data.endswith("\x1b")
        while data:
            if self._pasted is None:
                typed, mark, data = data.partition(BRACKETED_PASTE_START)
                if mark:
                    self._pasted = []
                else:
                    typed, self._begun = _without_mark(typed)
                    self._due = time.monotonic() + ENTER_SECONDS
                yield from self._type(typed, more=bool(mark))
                continue
            text, mark, rest = _end_of_paste(data)
            if not mark:
                self._begun = text[-_KEPT_BACK:]
                self._pasted.append(text[:-_KEPT_BACK])
                return
            if rest and not is_over and not rest.startswith(BRACKETED_PASTE_START):
                # The mark may be part of the pasted text, to turn what follows into keys: the true end comes
                # later.
                self._begun, self._is_doubtful = data, True
                self._due = time.monotonic() + ENTER_SECONDS
                return
            whole = "".join([*self._pasted, text]).replace(BRACKETED_PASTE_END, "")
            self._pasted, data = None, rest
            yield events.Paste(whole.replace("\x00", ""))

    @property
    def is_waiting(self) -> bool:
        """Whether events wait for a `tick`: as of keys, and while a burst may go on. An unfinished marked
        paste waits for input only.
        """
        is_begun = self._pasted is None and bool(self._begun)
        return bool(self._burst) or self._is_doubtful or is_begun or super().is_waiting

    def tick(self) -> Iterator[Message]:
        """Yield the events of what waited long enough."""
        if time.monotonic() >= self._due:
            yield from self._release()
        yield from super().tick()

    def _release(self) -> Iterator[Message]:
        yield from self._settle()
        if self._is_doubtful:
            yield from self._read("", is_over=True)
        elif self._pasted is None and self._begun:
            begun, self._begun = self._begun, ""
            yield from super().feed(begun)

    def _type(self, typed: str, *, more: bool) -> Iterator[Message]:
        """Yield the events of typed input; `more`: input that is no burst follows in the same read."""
        parts = _CONTROL.split(typed)
        for at, part in enumerate(parts):
            if at % 2:
                yield from self._settle()
                yield from super().feed(part)
            elif part:
                yield from self._type_text(part, is_last=at == len(parts) - 1 and not more)
        if more:
            yield from self._settle()

    def _type_text(self, text: str, *, is_last: bool) -> Iterator[Message]:
        if not self._burst and not _goes_on(text):
            line = text.rstrip("\r\n")
            if not line.strip() or line == text or not is_last:
                yield from super().feed(text)
                return
            # Enter right after a word: more may come, and then it was no Enter.
            yield from super().feed(line)
            text = text[len(line) :]
        self._burst += text
        is_one = _goes_on(self._burst)
        self._due = time.monotonic() + (QUIET_SECONDS if is_one else ENTER_SECONDS)

    def _settle(self) -> Iterator[Message]:
        burst, self._burst = self._burst, ""
        if _goes_on(burst):
            yield Burst(burst)
        elif burst:
            yield from super().feed(burst)


def _end_of_paste(data: str) -> tuple[str, str, str]:
    """Return the text of a paste, the mark of its end ("" if it is not there), and the rest.

    The mark is the last one before another paste begins: a program that pastes leaves marks within the text.
    """
    until = data.find(BRACKETED_PASTE_START, data.find(BRACKETED_PASTE_END) + 1)
    here = data if until < 0 else data[:until]
    text, mark, rest = here.rpartition(BRACKETED_PASTE_END)
    return (text, mark, rest + data[len(here) :]) if mark else (data, "", "")


def _without_mark(typed: str) -> tuple[str, str]:
    """Split typed input from the possible beginning of a mark at its end; Esc alone is a key."""
    for size in range(len(BRACKETED_PASTE_START) - 1, 1, -1):
        if typed.endswith(BRACKETED_PASTE_START[:size]):
            return typed[:-size], typed[-size:]
    return typed, ""


def parsed(data: str) -> list[Message]:
    """Return the events of all input of a terminal."""
    parser = PasteParser()
    return [*parser.feed(data), *parser.feed("")] if data else []


def read_pastes() -> None:
    """Make Textual parse the terminal's input with `PasteParser`."""
    vars(linux_driver)["XTermParser"] = PasteParser


def _goes_on(text: str) -> bool:
    """Whether a line ends in the text, and another one begins."""
    end = min((at for at in (text.find("\r"), text.find("\n")) if at >= 0), default=len(text))
    return bool(text[end:].strip())
