"""Messages on their way up: the same handlers get them as in Textual, in fewer queues."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import wraps
from inspect import signature
from typing import ClassVar

import pytest
from textual import events, on
from textual._context import active_message_pump
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Input, Static

from tui.dispatch import (
    VisitsAll,
    _counted,
    deliver,
    pass_over_what_does_nothing,
    post_up,
    press_key,
)


class Pushed(Message):
    """One that some widgets handle."""


class Last(VisitsAll, bubble=True):
    """Arrives behind everything that was posted before."""


class Keyed(Vertical):
    """Has a method that is named for a key."""

    def key_x(self) -> None:
        self.app.query_one(Stopping).handled.append("key")


class Stopping(Vertical):
    """Handles the message, and perhaps stops it."""

    def __init__(self) -> None:
        super().__init__()
        self.handled: list[str] = []
        self.stops = False

    @on(Pushed)
    def _pushed(self, event: Pushed) -> None:
        self.handled.append("decorated")
        if self.stops:
            event.stop()


class Nested(App[None]):
    """A widget within containers, of which one does nothing."""

    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        pass_over_what_does_nothing()
        self.is_over = asyncio.Event()

    def compose(self) -> ComposeResult:
        with Stopping(), Vertical(), Keyed():
            yield Static("here", id="here")

    def on_pushed(self) -> None:
        self.query_one(Stopping).handled.append("named")

    def on_last(self) -> None:
        self.is_over.set()


@asynccontextmanager
async def nested(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[Nested, list[tuple[str, str]]]]:
    """Yield the app, and messages with the widgets in whose queues they were."""
    queued: list[tuple[str, str]] = []
    dispatch = MessagePump._dispatch_message

    async def dispatching(self: MessagePump, message: Message) -> None:
        queued.append((type(message).__name__, type(self).__name__))
        await dispatch(self, message)

    app = Nested()
    async with app.run_test(size=(20, 5)):
        monkeypatch.setattr(MessagePump, "_dispatch_message", dispatching)
        yield app, queued


async def posted(app: Nested, message: Message) -> None:
    """Post a message from the innermost widget, and wait until it has had its way."""
    for each in (message, Last(), Last()):
        app.is_over.clear()
        app.query_one("#here").post_message(each)
        if isinstance(each, Last):
            await app.is_over.wait()


async def test_a_message_is_queued_only_where_it_is_handled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Decorated handlers and named ones get it, also those for keys; `stop` stops it."""
    async with nested(monkeypatch) as (app, queued):
        handled = app.query_one(Stopping).handled
        await posted(app, Pushed())
        await posted(app, events.Key("x", "x"))
        assert handled == ["decorated", "named", "key"]
        app.query_one(Stopping).stops = True
        await posted(app, Pushed())
        assert handled[3:] == ["decorated"]

    def queues(name: str) -> list[str]:
        return [widget for message, widget in queued if message == name]

    assert queues("Pushed") == ["Static", "Stopping", "Nested", "Static", "Stopping"]
    assert queues("Key")[:4] == ["Static", "Keyed", "Screen", "Nested"]  # screens have keys
    everyone = ["Static", "Keyed", "Vertical", "Stopping", "Screen", "Nested"]
    assert queues("Last") == everyone * 6


async def test_nothing_goes_beyond_a_widget_that_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Textual: a container that is being removed passes nothing on."""
    async with nested(monkeypatch) as (app, _):
        app.query_one(Keyed)._closing = True
        await posted_nothing(app)
        assert app.query_one(Stopping).handled == []
        app.query_one(Keyed)._closing = False


async def posted_nothing(app: Nested) -> None:
    """Post a message that ends on its way, and wait for one that was posted after it, beside."""
    app.query_one("#here").post_message(Pushed())
    app.is_over.clear()
    app.query_one(Stopping).post_message(Last())
    await app.is_over.wait()


def test_parameters_are_counted_as_by_inspect() -> None:
    """Textual gives a handler as many arguments as it takes."""

    def keyword(one: int, *, two: int = 0) -> int:
        return one + two

    @wraps(keyword)
    def wrapping(*_: object, **__: object) -> None:
        pass

    for each in (keyword, wrapping, lambda: 0, lambda *a, **k: (a, k), lambda a, /, b=1: (a, b)):
        assert _counted(each) == len(signature(each).parameters)


class Pressed(App[None]):
    """A field and a widget that notes keys, in an app that hands keys on here."""

    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "note('bound')"),
        Binding("y", "note('first')", priority=True),
        Binding("home", "note('not the field')"),
    ]

    def __init__(self) -> None:
        super().__init__()
        pass_over_what_does_nothing()
        self.handled: list[str] = []

    def compose(self) -> ComposeResult:
        yield Noting()
        yield Input()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            await press_key(self, event)
        else:
            await super().on_event(event)

    def action_note(self, what: str) -> None:
        self.handled.append(what)


class Noting(Static, can_focus=True):
    """Handles keys by a plain function."""

    def on_key(self, event: events.Key) -> None:
        app = self.app
        assert isinstance(app, Pressed)
        app.handled.append(f"{event.key} in {type(active_message_pump.get()).__name__}")


async def test_a_key_visits_no_queue_but_where_a_coroutine_or_a_message_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each queue on the way costs as much as the step of a list that the key asks for."""
    queued: list[str] = []
    dispatch = MessagePump._dispatch_message

    async def dispatching(self: MessagePump, message: Message) -> None:
        if isinstance(message, events.Key):
            queued.append(type(self).__name__)
        await dispatch(self, message)

    app = Pressed()
    async with app.run_test() as pilot:
        monkeypatch.setattr(MessagePump, "_dispatch_message", dispatching)
        app.query_one(Noting).focus()
        await pilot.press("x", "y")
        assert app.handled == ["x in Noting", "bound", "first"]
        assert queued == ["Pressed", "Pressed"]
        app.post_message(events.Key("x", "x"))
        app.query_one(Noting).post_message(Pushed())  # it does not rest
        await pilot.pause()
        assert app.handled[3:] == ["x in Noting", "bound"]
        assert queued[2:] == ["Pressed", "Noting", "Screen", "Pressed"]


async def test_keys_are_bound_as_in_textual() -> None:
    """A field takes the letters that it types, and the keys that it has itself."""
    app = Pressed()
    async with app.run_test() as pilot:
        field = app.query_one(Input)
        field.focus()
        await pilot.press("a", "x", "y", "home", "b")
        assert field.value == "baxy"
        assert app.handled == []
        app.set_focus(None)
        await pilot.press("x", "y", "home")
        assert app.handled == ["bound", "first", "not the field"]


async def test_what_a_widget_leaves_to_those_above_passes_its_own_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless it has messages that it did not handle yet: their order stays."""
    async with nested(monkeypatch) as (app, queued):
        here = app.query_one("#here", Static)
        post_up(here, Pushed())
        here.post_message(Last())
        post_up(here, Pushed())
        await posted(app, Last())
        pushed = [widget for name, widget in queued if name == "Pushed"]
        assert sorted(pushed) == ["Nested", "Nested", "Static", "Stopping", "Stopping"]
        assert pushed.index("Stopping") < pushed.index("Static")


class Taking(Static):
    """Handles one message at once, and another one in a coroutine."""

    def __init__(self) -> None:
        super().__init__()
        self.handled: list[str] = []

    class Now(Message):
        """Handled by a function."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Soon(Message):
        """Handled by a coroutine."""

    def on_taking_now(self, event: Now) -> None:
        """Take it."""
        assert active_message_pump.get() is self
        self.handled.append(event.text)
        if event.text == "bad":
            raise ValueError(event.text)

    async def on_taking_soon(self) -> None:
        """Take it."""
        self.handled.append("soon")


class WithTaking(App[None]):
    """A widget, and the failures of its handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[Exception] = []

    def compose(self) -> ComposeResult:
        """The widget."""
        yield Taking()

    def _handle_exception(self, error: Exception) -> None:
        self.failures.append(error)


async def test_a_widget_that_rests_handles_a_message_where_it_comes() -> None:
    """After those that it has not handled yet; a failure is the app's, as of any handler."""
    app = WithTaking()
    async with app.run_test() as pilot:
        widget = app.query_one(Taking)
        await pilot.pause()
        deliver(widget, Taking.Now("first"))
        assert widget.handled == ["first"]
        deliver(widget, Taking.Now("bad"))
        assert [str(each) for each in app.failures] == ["bad"]
        deliver(widget, Taking.Soon())
        deliver(widget, Taking.Now("last"))
        assert widget.handled == ["first", "bad"]
        await pilot.pause()
        assert widget.handled == ["first", "bad", "soon", "last"]
        await widget.remove()
        deliver(widget, Taking.Now("gone"))
        assert len(widget.handled) == 4
