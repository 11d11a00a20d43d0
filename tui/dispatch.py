"""Shortens the way of Textual's messages and keys past what does nothing with them. Knows of no screens.

Textual queues a message that bubbles in every widget on its way, wakes each one's task, looks through all base
classes for handlers, and says "idle" to it afterwards. Here a message goes on to the next widget with a handler
for it, and what was looked up for a class is kept (docs/decisions/0053).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from inspect import CO_VARARGS, CO_VARKEYWORDS, iscoroutinefunction
from types import FunctionType, MethodType
from typing import Any, Final, TypeAlias

from textual import _callback
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import Event, Key
from textual.keys import key_to_character
from textual.message import Message
from textual.message_pump import MessagePump
from textual.messages import Prompt
from textual.reactive import Reactive
from textual.widget import Widget

Handlers: TypeAlias = tuple[tuple[type, str], ...]
"""Classes with the names of their handlers, in the order in which they are called."""

_look_up = MessagePump._get_dispatch_methods
_count = _callback._count_parameters
_check = App._check_bindings
_read = Reactive.__get__
_UNSET: Final = object()
_handlers: Final[dict[tuple[type, type[Message], str], Handlers | None]] = {}
"""By widget, message and handler name; None where a selector may decide."""
_takes: Final[dict[tuple[type, type[Message]], bool]] = {}
_plain: Final[dict[tuple[type, type[Message]], bool]] = {}


class VisitsAll(Event, bubble=True):
    """An event that is queued in every widget on its way up, behind everything that is there already."""


def pass_over_what_does_nothing() -> None:
    """Install this from now on, in every app of this process."""
    # Textual has no hooks for these.
    vars(_callback)["_count_parameters"] = _counted
    MessagePump._get_dispatch_methods = _methods  # type: ignore[method-assign]  # see above
    Message._bubble_to = _bubble_to  # type: ignore[method-assign]  # see above
    App._check_bindings = _check_bindings  # type: ignore[method-assign]  # see above
    Reactive.__get__ = _get  # type: ignore[method-assign]  # see above


def _methods(
    self: MessagePump, method_name: str, message: Message
) -> Iterable[tuple[type, Callable[[Message], Any]]]:
    """Yield the handlers, as Textual's."""
    kind, of = type(self), type(message)
    try:
        handlers = _handlers[kind, of, method_name]
    except KeyError:
        handlers = _handlers[kind, of, method_name] = _found(kind, of, method_name)
    if handlers is None:
        return _look_up(self, method_name, message)
    return _bound(self, handlers, message) if handlers else ()


def _bound(
    pump: MessagePump, handlers: Handlers, message: Message
) -> Iterable[tuple[type, Callable[[Message], Any]]]:
    for owner, name in handlers:
        if message._no_default_action:
            return
        yield owner, owner.__dict__[name].__get__(pump, owner)


def _found(kind: type, of: type[Message], method_name: str) -> Handlers | None:
    """Return the handlers by name; None if some are decorated: then Textual looks each time."""
    messages = [each for each in of.__mro__ if issubclass(each, Message)]
    handlers: list[tuple[type, str]] = []
    for owner in kind.__mro__:
        decorated = owner.__dict__.get("_decorated_handlers") or {}
        if any(each in decorated for each in messages):
            return None
        names = (f"_{method_name}", method_name)
        name = next((each for each in names if owner.__dict__.get(each)), None)
        if name is not None and not hasattr(owner.__dict__[name], "_textual_on"):
            handlers.append((owner, name))
    return tuple(handlers)


def _bubble_to(self: Message, widget: MessagePump) -> None:
    """Queue the message in the next widget that has a handler for it."""
    self._no_default_action = False
    pump: MessagePump | None = widget
    while pump is not None:
        if pump._closing or pump._closed or not pump.check_message_enabled(self):
            return
        if self._sender is pump:
            self.stop()  # as in Textual: a message goes no further than to its sender
        if _is_taken(pump, self):
            pump.post_message(self)
            return
        if self._stop_propagation:
            return
        pump = pump._parent


def post_up(widget: Widget, message: Message) -> bool:
    """Post a message of a widget to the first one above it that has a handler, without a stop in its own queue.

    Returns whether it was posted, as far as the widget is concerned. What the widget handles itself, or was
    posted after messages that it has not handled yet, goes through its queue.
    """
    queued: Iterable[object] = widget._message_queue.values
    waits = any(type(each) is not Prompt for each in queued)
    if waits or not (widget.is_running and message.bubble) or _is_taken(widget, message):
        return MessagePump.post_message(widget, message)
    if widget._closing or widget._closed or not widget.check_message_enabled(message):
        return False
    message._prevent.update(widget._get_prevented_messages())
    parent = widget._parent
    if parent is not None and widget.is_parent_active and widget.is_attached:
        message._bubble_to(parent)
    return True


def deliver(pump: MessagePump, message: Message) -> None:
    """Let a widget handle a message at once, as far as it can; else post it. Not to be called by its own handlers.

    It can where it waits for the next message, and its handlers are plain functions.
    """
    if not (rests(pump) and _is_plain(type(pump), type(message))):
        pump.post_message(message)
    elif not (pump._closing or pump._closed) and pump.check_message_enabled(message):
        try:
            with pump._context():
                for _, handle in pump._get_dispatch_methods(message.handler_name, message):
                    handle(message)
        except Exception as error:  # noqa: BLE001  # any failure of a handler, as `tui.pumps`
            pump.app._handle_exception(error)


async def press_key(app: App[Any], key: Key) -> None:
    """Hand a key on as Textual does, from the focused widget up to the app; called by a handler of the app.

    Here and at once where a widget waits for its next message and has plain functions for keys; else through
    its queue.
    """
    app.app_focus = True
    if app.focused:
        app.screen._clear_tooltip()
    if await app._check_bindings(key.key, priority=True):
        return
    key._set_forwarded()
    pump: MessagePump | None = app.focused or app.screen
    while pump is not app:
        if pump is None or pump._closing or pump._closed or not pump.check_message_enabled(key):
            return
        is_taken = _is_taken(pump, key)
        if not rests(pump) or (is_taken and not _is_plain(type(pump), type(key))):
            pump.post_message(key)
            return
        if is_taken:
            with pump._context():
                for _, handle in pump._get_dispatch_methods(key.handler_name, key):
                    await _callback.invoke(handle, key)
            if key._stop_propagation or not (pump.is_parent_active and pump.is_attached):
                return
            key._no_default_action = False
        pump = pump._parent
    await MessagePump.on_event(app, key)


def rests(pump: MessagePump) -> bool:
    """Whether a widget has nothing to do before the next message that is posted to it."""
    ready: asyncio.Event = pump._message_queue.ready_event
    # A Python whose events lack this attribute makes keys slower, as if no widget ever rested.
    waits = bool(getattr(ready, "_waiters", ())) and not ready.is_set()
    return waits and not pump._next_callbacks and pump._pending_message is None


def _is_taken(pump: MessagePump, message: Message) -> bool:
    """Whether this class of widgets may do something with that class of messages."""
    kind, of = type(pump), type(message)
    try:
        return _takes[kind, of]
    except KeyError:
        _takes[kind, of] = is_taken = _may_take(kind, of)
        return is_taken


def _may_take(kind: type[MessagePump], of: type[Message]) -> bool:
    if issubclass(of, VisitsAll):
        return True
    if kind._on_message is not MessagePump._on_message:
        return True
    if issubclass(of, Event) and kind.on_event is not MessagePump.on_event:
        return True
    handlers = _found(kind, of, of.handler_name)
    if issubclass(of, Key) and handlers == ((Widget, "_on_key"),):
        # It calls methods that are named for keys.
        return any(name.startswith(("key_", "_key_")) for name in dir(kind))
    return handlers is None or bool(handlers)


def _is_plain(kind: type[MessagePump], of: type[Message]) -> bool:
    """Whether all that a class does with such messages are functions that end at once, and no coroutines."""
    try:
        return _plain[kind, of]
    except KeyError:
        _plain[kind, of] = is_plain = _may_be_plain(kind, of)
        return is_plain


def _may_be_plain(kind: type[MessagePump], of: type[Message]) -> bool:
    handlers = _found(kind, of, of.handler_name)
    if handlers is None or kind.on_event is not MessagePump.on_event:
        return False
    functions = [owner.__dict__[name] for owner, name in handlers if owner is not Widget]
    if issubclass(of, Key):
        named = (name for name in dir(kind) if name.startswith(("key_", "_key_")))
        functions += [getattr(kind, name) for name in named]
    return not any(map(iscoroutinefunction, functions))


def _counted(callback: Callable[..., Any]) -> int:
    """Return the number of parameters; of a method that is called later, counted once and not each time.

    A function says it itself: Textual makes one at each change of focus, and `inspect` takes as long as a key.
    """
    if type(callback) is FunctionType and not vars(callback):
        code = callback.__code__
        more = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
        return code.co_argcount + code.co_kwonlyargcount + more
    if isinstance(callback, MethodType):
        known = getattr(callback, "_param_count", None)
        return _callback.count_parameters(callback) if known is None else int(known)
    return _count(callback)


async def _check_bindings(self: App[Any], key: str, priority: bool = False) -> bool:
    """As Textual's, which copies all bindings of all widgets, and asks fields for the key of each."""
    if self._keymap:  # the user's own keys
        if priority and not _may_come_first(self, key):
            return False
        return await _check(self, key, priority)
    for node, binding in _bound_to(self, key, priority=priority):
        if binding.priority == priority and await self.run_action(binding.action, node):
            return True
    return False


def _bound_to(app: App[Any], key: str, *, priority: bool) -> list[tuple[DOMNode, Binding]]:
    """Return what a key is bound to, without what a field takes as text: from the app down with `priority`,
    else from the focused widget up to the first modal screen.
    """
    nodes = _chain(app)
    places = list(enumerate(nodes))
    if priority:
        places.reverse()
    else:
        last = next((at for at, node in places if node.is_modal), len(nodes))
        places = places[: last + 1]
    bound = [
        (at, node, each)
        for at, node in places
        for each in node._bindings.key_to_bindings.get(key, ())
    ]
    if not bound:
        return []
    character = key_to_character(key)
    takes = (at for at, node in enumerate(nodes) if node.check_consume_key(key, character))
    field = next(takes, len(nodes))
    return [(node, each) for at, node, each in bound if at <= field]


def _chain(app: App[Any]) -> list[DOMNode]:
    focused = app.focused
    if focused is None or focused.loading:
        return [app.screen, app]
    return focused.ancestors_with_self


def _may_come_first(app: App[Any], key: str) -> bool:
    """Whether a key may be bound above the focused widget, by default or by the user."""
    bound = (each for node in _chain(app) for each in node._bindings.key_to_bindings.get(key, ()))
    chosen = (each for named in app._keymap.values() for each in named.split(","))
    return any(each.priority for each in bound) or key in chosen


def _get(self: Reactive[Any], obj: Any, obj_type: type[Any]) -> Any:
    """Return a reactive attribute's value; as Textual, which asks four questions, where it is computed or not
    there yet.
    """
    if obj is not None:
        value = obj.__dict__.get(self.internal_name, _UNSET)
        if value is not _UNSET and self.name not in obj._computes:
            return value
    return _read(self, obj, obj_type)
