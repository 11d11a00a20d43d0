"""Tells what was pasted from what was typed, in the bytes that a terminal sends. Reads no terminal.

Most terminals mark a paste; its text is taken as it stands, so that nothing in it acts as a key.
From the others it comes as typing does, only faster: lines in one burst are a paste as well.
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
"""An Enter in one read with a word is one if so long nothing follows. Nobody types on so soon."""
QUIET_SECONDS: Final = 0.3
"""After so long without input a burst of lines is over; over a network it comes in pieces."""
_CONTROL: Final = re.compile(
    rf"({STRING}|{UNFINISHED}|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[OP\]]?.?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f])",
    re.DOTALL,
)
_KEPT_BACK: Final = len(BRACKETED_PASTE_END) - 1


class Burst(events.Paste):
    """Lines that came faster than anybody types; `text` has Enter as it was sent, "\\r"."""

    def typed(self) -> list[events.Key]:
        """The same as keys, for what is no field of several lines."""
        return [each for each in KeyParser().feed(self.text) if isinstance(each, events.Key)]


class PasteParser(KeyParser):
    """The parser of keys, behind one that takes out what was pasted."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasted: list[str] | None = None
        """What came of a marked paste so far; None outside of one."""
        self._begun = ""
        """The end of the last read, which may begin the mark of a paste or end it."""
        self._is_doubtful = False
        """Whether that is a paste which seems to be over, with more behind it."""
        self._is_escape = False
        """Whether the last read ended with an Esc, which may have been the first byte of a mark."""
        self._burst = ""
        """What came in a burst, since a line ended in it."""
        self._due = 0.0

    def feed(self, data: str) -> Iterator[Message]:
        """The events of what was read, those of a burst once it is over."""
        if not data:
            yield from self._release()
            yield from super().feed(data)
            return
        if time.monotonic() >= self._due:
            yield from self._release()
        yield from self._read(data)

    def _read(self, data: str, *, is_over: bool = False) -> Iterator[Message]:
        """`is_over`: a paste that seems to end in it does."""
        data, self._begun, self._is_doubtful = self._begun + data, "", False
        if self._is_escape and data.startswith(BRACKETED_PASTE_START[1:]):
            # Textual's parser has the Esc: it gets a paste of nothing, which is dropped.
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
                # Perhaps the mark was pasted, to make keys of what is behind it: the true end follows.
                self._begun, self._is_doubtful = data, True
                self._due = time.monotonic() + ENTER_SECONDS
                return
            whole = "".join([*self._pasted, text]).replace(BRACKETED_PASTE_END, "")
            self._pasted, data = None, rest
            yield events.Paste(whole.replace("\x00", ""))

    @property
    def is_waiting(self) -> bool:
        """As of keys; also while a burst may go on. What a marked paste lacks comes with more input only."""
        is_begun = self._pasted is None and bool(self._begun)
        return bool(self._burst) or self._is_doubtful or is_begun or super().is_waiting

    def tick(self) -> Iterator[Message]:
        """What no longer waits for more."""
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
        """`more` says whether something that is no burst comes behind it in the same read."""
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
            # Enter right behind a word: more may come, and then it was no Enter.
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
    """What belongs to a paste, the mark of its end ("" if that is not there), and what is behind it.

    It is the last mark before another paste begins: a program that pastes leaves those in that it finds.
    """
    until = data.find(BRACKETED_PASTE_START, data.find(BRACKETED_PASTE_END) + 1)
    here = data if until < 0 else data[:until]
    text, mark, rest = here.rpartition(BRACKETED_PASTE_END)
    return (text, mark, rest + data[len(here) :]) if mark else (data, "", "")


def _without_mark(typed: str) -> tuple[str, str]:
    """What was typed, and what at its end may be the beginning of a mark; Esc alone is a key."""
    for size in range(len(BRACKETED_PASTE_START) - 1, 1, -1):
        if typed.endswith(BRACKETED_PASTE_START[:size]):
            return typed[:-size], typed[-size:]
    return typed, ""


def parsed(data: str) -> list[Message]:
    """The events of all that a terminal sent."""
    parser = PasteParser()
    return [*parser.feed(data), *parser.feed("")] if data else []


def read_pastes() -> None:
    """Let Textual read the terminal so."""
    vars(linux_driver)["XTermParser"] = PasteParser


def _goes_on(text: str) -> bool:
    """Whether a line ends, and another one begins."""
    end = min((at for at in (text.find("\r"), text.find("\n")) if at >= 0), default=len(text))
    return bool(text[end:].strip())
