"""Keys that come faster than their effects: each goes where it would have gone if typed slowly.

Textual hands a key to the focused widget before the previous key has moved the focus or opened a dialog. Here
the key waits until that is done. No bindings of its own, and no clock but a limit.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.events import Event

from tui import bugs
from tui.dispatch import VisitsAll, rests
from tui.errors import TuiError

if TYPE_CHECKING:
    # Imported after the first frame.
    from tui.widgets.composer import Composer

READY_SECONDS: Final = 3.0
"""Seconds to wait at most for earlier effects, so that no key can be blocked for good."""
CALM: Final = 2
"""Rounds through all queues without a change of focus, after which all effects are done."""
SLOW_SECONDS: Final = 0.3
"""Seconds of holding keys back after which a note says what they wait for."""
LOOK_SECONDS: Final = 0.01
"""Seconds between checks whether the widget, whose queue is awaited, still exists."""
ENDLESS: Final = frozenset({"session", "title"})
"""Groups of workers that run as long as the program."""


class Passed(VisitsAll, bubble=True):
    """Follows a key through the queues; where it arrives, everything before it was handled."""

    def __init__(self, arrived: Callable[[], None]) -> None:
        super().__init__()
        self.arrived = arrived


class TypeAhead:
    """Input that waits for its turn, in order.

    Text into a field goes on at once: it does not move the focus. After any other key, the next input waits
    until its effects are done.
    """

    def __init__(self, app: App[Any], is_ready: Callable[[], bool]) -> None:
        """`is_ready` returns whether there is a widget yet that takes keys."""
        self._app = app
        self._is_ready = is_ready
        self._waiting: deque[Event] = deque()
        self._turn: Event | None = None
        self._had_turn = asyncio.Event()
        self._playing: asyncio.Task[None] | None = None
        self._unsettled = False
        self._unsettled_text = False
        self._stopped_waiting = False
        """Whether waiting for readiness took too long once: then keys are no longer held back for it."""
        self._holds: list[Callable[[], object]] = []

    @contextmanager
    def held(self, give_up: Callable[[], object]) -> Iterator[None]:
        """Hold input back during the block, since its result gets what is typed.

        Esc calls `give_up`, and Ctrl+Q ends the program at once.
        """
        self._holds.append(give_up)
        try:
            yield
        finally:
            self._holds.remove(give_up)

    def take_text(self) -> str:
        """Remove the text that waits, and return it: it was meant for something that does not come."""
        waiting = list(self._waiting)
        self._waiting.clear()
        return "".join(map(_text, waiting))

    def defers(self, event: Event) -> bool:
        """Whether the event is not due yet; it is posted again when it is."""
        if event is self._turn:
            return False
        if isinstance(event, events.Key):
            if self._holds and event.key == "escape":
                self._holds[-1]()
                return True
            if event.key == "ctrl+q" and (self._holds or not self._ready):
                return False
        is_playing = self._playing is not None and not self._playing.done()
        if not (is_playing or self._may_go(event)) and self._is_over():
            self._unsettled = self._unsettled_text = False
        if not is_playing and self._may_go(event) and not self._holds and self._ready:
            return False
        self._waiting.append(event)
        if not is_playing:
            self._go_on()
        return True

    def went(self, event: Event, *, is_text: bool) -> None:
        """Note that an event was handed on; `is_text`: as text for the focused field."""
        if is_text:
            self._unsettled_text = True
        elif isinstance(event, events.Key | events.Paste | events.MouseUp):
            self._unsettled = True
        if event is self._turn:
            self._turn = None
            self._had_turn.set()

    def instead(self, event: Event, others: Sequence[Event]) -> None:
        """Hand on other events in the place of one that is due."""
        self._waiting.extendleft(reversed(others))
        self.went(event, is_text=False)
        if self._waiting and (self._playing is None or self._playing.done()):
            self._go_on()

    def _go_on(self) -> None:
        self._playing = bugs.start(self._play(), "Passing on keys typed early")

    def is_text(self, event: Event) -> bool:
        """Whether the event is a character for the focused field."""
        if not isinstance(event, events.Key):
            return False
        field = self._app.focused
        return field is not None and field.check_consume_key(event.key, event.character)

    def _may_go(self, event: Event) -> bool:
        if self._unsettled:
            return not isinstance(event, events.Key | events.Paste | events.MouseDown)
        return not self._unsettled_text or self.is_text(event) or _is_motion(event)

    def _is_over(self) -> bool:
        """Whether all earlier effects are certainly done, as where keys come one by one."""
        over = all(each.is_finished or each.group in ENDLESS for each in self._app.workers)
        return over and _all_rest(self._app)

    async def _play(self) -> None:
        while self._waiting:
            if not self._may_go(self._waiting[0]) or self._holds or not self._ready:
                await self._settle()
                if not self._waiting:
                    return  # taken as text
            self._had_turn.clear()
            self._turn = self._waiting.popleft()
            if not self._app.post_message(self._turn):
                return  # the program ends
            await self._had_turn.wait()

    async def _settle(self) -> None:
        end = time.monotonic() + READY_SECONDS
        calm, before = 0, None
        while calm < CALM and (self._holds or time.monotonic() < end):
            if self._holds or not self._ready:
                calm = 0
                await asyncio.sleep(LOOK_SECONDS)
                continue
            target = self._app.focused or self._app.screen
            calm = calm + 1 if target is before else 0
            before = target
            await self._pass(target, end)
        self._unsettled = self._unsettled_text = False
        self._stopped_waiting = self._stopped_waiting or not self._ready

    @property
    def _ready(self) -> bool:
        return self._stopped_waiting or self._is_ready()

    async def _pass(self, target: DOMNode, end: float) -> None:
        """Wait until the target, and everything above it, has handled what is in its queue now."""
        arrived = asyncio.get_running_loop().create_future()

        def arrive() -> None:
            if not arrived.done():
                arrived.set_result(None)

        target.post_message(Passed(arrive))
        while not arrived.done() and target.is_attached and time.monotonic() < end:
            await asyncio.wait({arrived}, timeout=LOOK_SECONDS)


def _all_rest(app: App[Any]) -> bool:
    """Whether nothing is left to do for earlier events; called in a handler of the app itself.

    Then every widget waits for its next message, nothing waits for a frame, and the app has no other message.
    """
    if app.message_queue_size or app._next_callbacks or app.screen._callbacks:
        return False
    return all(map(rests, app._registry))


def _is_motion(event: Event) -> bool:
    return isinstance(event, events.MouseEvent) and not isinstance(
        event, events.MouseDown | events.MouseUp
    )


def _text(event: Event) -> str:
    match event:
        case events.Key(key="enter"):
            return "\n"
        case events.Key() if event.is_printable:
            return event.character or ""
        case events.Paste(text=text):
            return text
        case _:
            return ""


def type_ahead_of(app: App[Any]) -> TypeAhead | None:
    """Return the app's type-ahead; None where it has none."""
    type_ahead = getattr(app, "type_ahead", None)
    return type_ahead if isinstance(type_ahead, TypeAhead) else None


@contextmanager
def hold_type_ahead(
    composer: Composer, text: str, note: Callable[[str, str], None]
) -> Iterator[None]:
    """Hold keys back while the block fetches what they are meant for.

    If it takes long, `note` gets `text` with a hint, and "" at the end. Where the block fails, or Esc cancels
    it, the keys held back become text in the composer, since they were hardly meant for the list.
    """
    type_ahead, task = type_ahead_of(composer.app), asyncio.current_task()
    assert type_ahead is not None
    assert task is not None
    telling = composer.set_timer(SLOW_SECONDS, lambda: note(text, f"{text}… · Esc to cancel"))
    try:
        with type_ahead.held(task.cancel):
            try:
                yield
            except (TuiError, asyncio.CancelledError):
                composer.insert_at_cursor(type_ahead.take_text())
                raise
    finally:
        telling.stop()
        note(text, "")
