"""Messages on their way up: the same handlers get them as in Textual, in fewer queues."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import wraps
from inspect import signature

import pytest
from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Static

from tui.dispatch import VisitsAll, _counted, pass_over_what_does_nothing


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
