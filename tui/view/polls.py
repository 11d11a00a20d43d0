"""Polls, to-do lists and bots' choices in messages: lines with counts and ticks. Pure."""

from typing import Literal, TypeAlias

from tui.api.model import Message
from tui.content.submessages import (
    MessageWidget,
    Offer,
    Offers,
    Poll,
    PollOption,
    Task,
    message_widget,
)
from tui.dataclass import dataclass
from tui.store.store import Store
from tui.view import names

BallotKind: TypeAlias = Literal["poll", "todo", "offers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotLine:
    """An option, task or choice; `is_on`: the user voted for it, or it is done."""

    key: str
    """Its key in the API; for a bot's choice, the message that choosing it sends."""
    text: str
    detail: str
    """The voters, or the task's description."""
    is_on: bool
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PollView:
    """A poll, to-do list or choice in place of the message's text."""

    kind: BallotKind
    title: str
    lines: tuple[BallotLine, ...]
    is_own: bool = False
    """Whether the user created it, and may rename it."""


def ballot(store: Store, message: Message) -> PollView | None:
    """Return the poll, to-do list or choice of a message; None if it has none."""
    if not message.submessages:
        return None
    widget = message_widget(message.submessages, message.sender_id)
    is_own = message.sender_id == store.self_id
    return None if widget is None else _ballot(store, widget, is_own)


def _ballot(store: Store, widget: MessageWidget, is_own: bool) -> PollView:
    match widget:
        case Poll():
            lines = tuple(_option(store, each) for each in widget.options)
            return PollView(kind="poll", title=widget.question, lines=lines, is_own=is_own)
        case Offers():
            lines = tuple(map(_offer, widget.offers))
            return PollView(kind="offers", title=widget.heading, lines=lines)
        case _:
            lines = tuple(map(_task, widget.tasks))
            return PollView(kind="todo", title=widget.title, lines=lines, is_own=is_own)


def _offer(offer: Offer) -> BallotLine:
    text = "  ".join(filter(None, (offer.label, offer.text)))
    return BallotLine(key=offer.reply, text=text, detail="", is_on=False)


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
