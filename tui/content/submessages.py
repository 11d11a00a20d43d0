"""Polls, to-do lists and bots' choices, as the sum of submessages. Pure: no I/O, no Textual.

The first submessage defines the widget, each later one is a person's action on it, in the order of their IDs.
Actions come from any client: invalid ones are ignored, as by other clients, so that all of them show the
same. Texts have passed the sanitizer; keys are those of the API.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from tui.api.model import Submessage, UserId
from tui.content import untrusted_json
from tui.content.sanitize import sanitize_line
from tui.content.untrusted_json import whole
from tui.dataclass import dataclass

MAX_INDEX: Final = 1000
"""The highest index that a person's added option or task may have."""

LIST_TITLE: Final = "Task list"
"""The title of a to-do list without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PollOption:
    """An option and its voters, the first voter first."""

    key: str
    text: str
    voters: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """A poll; everybody may vote for any number of its options."""

    question: str
    options: tuple[PollOption, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task of a to-do list."""

    key: str
    text: str
    detail: str
    is_done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoList:
    """A to-do list; anybody may tick tasks and add to them."""

    title: str
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A choice that a bot offers: `reply` is the message that choosing it sends."""

    label: str
    text: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """A bot's question with choices."""

    heading: str
    offers: tuple[Offer, ...]


MessageWidget: TypeAlias = Poll | TodoList | Offers
_Act: TypeAlias = Mapping[str, object]


def message_widget(submessages: Iterable[Submessage], author: UserId) -> MessageWidget | None:
    """Return the poll, to-do list or choices of a message by `author`; None if it has none."""
    ordered = sorted((s for s in submessages if s.msg_type == "widget"), key=lambda s: s.id)
    if not ordered:
        return None
    begun = _begun(_decoded(ordered[0].content))
    for submessage in ordered[1:]:
        act, by = _decoded(submessage.content), submessage.sender_id
        if isinstance(begun, Poll):
            begun = _after_poll_act(begun, act, by, author)
        elif isinstance(begun, TodoList):
            begun = _after_todo_act(begun, act, by, author)
    return begun


def next_index(widget: MessageWidget, by: UserId) -> int:
    """Return an index that no option or task added by this person has yet."""
    pairs: list[tuple[str, ...]] = []
    match widget:
        case Poll():
            pairs = [option.key.partition(",")[::2] for option in widget.options]
        case TodoList():
            pairs = [task.key.partition(",")[::-2] for task in widget.tasks]
        case Offers():
            pass  # nobody adds to a bot's choices
    used = [whole(number) or 0 for person, number in pairs if person == str(by)]
    return max(used, default=0) + 1


def _decoded(content: str) -> _Act:
    value = untrusted_json.parsed(content)
    return value if isinstance(value, dict) else {}


def _begun(first: _Act) -> MessageWidget | None:
    given = first.get("extra_data")
    extra: _Act = given if isinstance(given, dict) else {}
    match first.get("widget_type"):
        case "poll":
            options = extra.get("options")
            texts = [o for o in options if isinstance(o, str)] if isinstance(options, list) else []
            return Poll(
                question=_text(extra.get("question")),
                options=tuple(
                    PollOption(key=f"canned,{at}", text=sanitize_line(text))
                    for at, text in enumerate(texts)
                ),
            )
        case "todo":
            tasks = extra.get("tasks")
            listed = tasks if isinstance(tasks, list) else []
            return TodoList(
                title=_text(extra.get("task_list_title")) or LIST_TITLE,
                tasks=tuple(
                    Task(
                        key=f"{at},canned", text=_text(task["task"]), detail=_text(task.get("desc"))
                    )
                    for at, task in enumerate(listed)
                    if isinstance(task, dict) and isinstance(task.get("task"), str)
                ),
            )
        case "zform" if extra.get("type") == "choices":
            choices = extra.get("choices")
            return Offers(
                heading=_text(extra.get("heading")),
                offers=tuple(
                    Offer(
                        label=_text(choice.get("short_name")),
                        text=_text(choice.get("long_name")),
                        reply=choice["reply"],
                    )
                    for choice in (choices if isinstance(choices, list) else [])
                    if isinstance(choice, dict) and isinstance(choice.get("reply"), str)
                ),
            )
        case _:
            return None


def _after_poll_act(poll: Poll, act: _Act, by: UserId, author: UserId) -> Poll:
    match act:
        case {"type": "vote", "key": str(key), "vote": int(vote)} if _is_vote(vote):
            return replace(
                poll,
                options=tuple(
                    _voted(each, by, on=vote == 1) if each.key == key else each
                    for each in poll.options
                ),
            )
        case {"type": "new_option", "idx": int(index), "option": str(text)} if _is_index(index):
            key, option = f"{by},{index}", sanitize_line(text)
            if any(each.key == key or each.text == option for each in poll.options):
                return poll
            return replace(poll, options=(*poll.options, PollOption(key=key, text=option)))
        case {"type": "question", "question": str(question)} if by == author:
            return replace(poll, question=sanitize_line(question))
        case _:
            return poll


def _after_todo_act(todo: TodoList, act: _Act, by: UserId, author: UserId) -> TodoList:
    match act:
        case {"type": "new_task", "key": int(index), "task": str(text)} if _is_index(index):
            key, task = f"{index},{by}", sanitize_line(text)
            if any(each.key == key or each.text == task for each in todo.tasks):
                return todo
            done = act.get("completed") is True
            added = Task(key=key, text=task, detail=_text(act.get("desc")), is_done=done)
            return replace(todo, tasks=(*todo.tasks, added))
        case {"type": "strike", "key": str(key)}:
            return replace(
                todo,
                tasks=tuple(
                    replace(each, is_done=not each.is_done) if each.key == key else each
                    for each in todo.tasks
                ),
            )
        case {"type": "new_task_list_title", "title": str(title)} if by == author:
            return replace(todo, title=sanitize_line(title) or LIST_TITLE)
        case _:
            return todo


def _voted(option: PollOption, by: UserId, *, on: bool) -> PollOption:
    others = tuple(voter for voter in option.voters if voter != by)
    if on and by in option.voters:
        return option
    return replace(option, voters=(*others, by) if on else others)


def _is_vote(number: int) -> bool:
    # JSON's true is an int to Python.
    return number in (1, -1) and not isinstance(number, bool)


def _is_index(number: int) -> bool:
    return 0 <= number <= MAX_INDEX and not isinstance(number, bool)


def _text(value: object) -> str:
    return sanitize_line(value) if isinstance(value, str) else ""
