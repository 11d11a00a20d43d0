"""Polls and to-do lists as a message shows them: lines with counts, ticks and names. Pure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tui.api.model import Message
from tui.content.submessages import MessageWidget, Poll, PollOption, Task, message_widget
from tui.store.store import Store
from tui.view import names

BallotKind: TypeAlias = Literal["poll", "todo"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotLine:
    """An option or a task; `is_on`: the reader voted for it, or it is done."""

    key: str
    text: str
    detail: str
    """Who voted, or what the task is about."""
    is_on: bool
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """What takes the place of the message's text."""

    kind: BallotKind
    title: str
    lines: tuple[BallotLine, ...]


def ballot(store: Store, message: Message) -> Ballot | None:
    """The poll or to-do list of a message; None if it is neither."""
    if not message.submessages:
        return None
    widget = message_widget(message.submessages, message.sender_id)
    return None if widget is None else _ballot(store, widget)


def _ballot(store: Store, widget: MessageWidget) -> Ballot:
    if isinstance(widget, Poll):
        lines = tuple(_option(store, each) for each in widget.options)
        return Ballot(kind="poll", title=widget.question, lines=lines)
    return Ballot(kind="todo", title=widget.title, lines=tuple(map(_task, widget.tasks)))


def _option(store: Store, option: PollOption) -> BallotLine:
    return BallotLine(
        key=option.key,
        text=option.text,
        detail=names.listed(names.person(store, voter) for voter in option.voters),
        is_on=store.self_id in option.voters,
        count=len(option.voters),
    )


def _task(task: Task) -> BallotLine:
    return BallotLine(key=task.key, text=task.text, detail=task.detail, is_on=task.is_done)
