"""Polls and to-do lists: parses `/poll` and `/todo`, validates submessages. Pure."""

import re
from typing import Final

import orjson

from server_lite.errors import ApiError

_COMMAND: Final = re.compile(r"/(poll|todo)(?:\s+|$)")
_BULLET: Final = re.compile(r"\s*[-*]?\s*")
TODO_TITLE: Final = "Task list"
WIDGET: Final = "widget"


def widget_of(content: str) -> str | None:
    """Return the first submessage of a poll or a to-do list, as JSON text; None for other messages."""
    command = _COMMAND.match(content)
    if command is None:
        return None
    title, _, rest = content[command.end() :].partition("\n")
    lines = [line for raw in rest.splitlines() if (line := _BULLET.sub("", raw.strip(), count=1))]
    extra: dict[str, object]
    if command[1] == "poll":
        extra = {"question": title.strip(), "options": lines}
    else:
        tasks = [line.partition(":") for line in lines]
        extra = {
            "task_list_title": title.strip() or TODO_TITLE,
            "tasks": [{"task": task.strip(), "desc": desc.strip()} for task, _, desc in tasks],
        }
    return orjson.dumps({"widget_type": command[1], "extra_data": extra}).decode()


def check_widget(text: str) -> str:
    """Validate the widget that a bot sends with its message: an object with a type and its data."""
    widget = _json(text, "Widgets: API programmer sent invalid JSON content")
    if not isinstance(widget, dict) or not isinstance(widget.get("widget_type"), str):
        raise ApiError("Widgets: widget_type is not in widget_content")
    if not isinstance(widget.get("extra_data"), dict):
        raise ApiError("Widgets: extra_data is not a dict")
    if widget["widget_type"] != "zform":
        raise ApiError(f"Widgets: unknown widget type: {widget['widget_type']}")
    return orjson.dumps(widget).decode()


def check_addition(first: str, addition: str, *, is_author: bool) -> None:
    """Refuse a submessage that does not fit the widget whose first submessage is `first`."""
    action = _json(addition, "Invalid json for submessage")
    widget = _json(first, "Invalid widget")
    kind = widget.get("widget_type") if isinstance(widget, dict) else None
    if not isinstance(action, dict) or not isinstance(action.get("type"), str):
        raise ApiError("Invalid json for submessage")
    fields = _ACTIONS.get((str(kind), action["type"]))
    if fields is None:
        raise ApiError(f"Unknown type for {kind} data: {action['type']}")
    for name, type_ in fields.items():
        value = action.get(name)
        if not isinstance(value, type_) or (type_ is int and isinstance(value, bool)):
            raise ApiError(f"{name} is not {_WORDS[type_]}")
    if action["type"] == "vote" and action["vote"] not in (1, -1):
        raise ApiError("vote is not 1 or -1")
    if action["type"] in ("question", "new_task_list_title") and not is_author:
        raise ApiError("You can't edit this message: you are not its author")


_ACTIONS: Final[dict[tuple[str, str], dict[str, type]]] = {
    ("poll", "vote"): {"key": str, "vote": int},
    ("poll", "new_option"): {"idx": int, "option": str},
    ("poll", "question"): {"question": str},
    ("todo", "new_task"): {"key": int, "task": str, "desc": str, "completed": bool},
    ("todo", "strike"): {"key": str},
    ("todo", "new_task_list_title"): {"title": str},
}
_WORDS: Final = {str: "a string", int: "an integer", bool: "a boolean"}


def _json(text: str, complaint: str) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ApiError(complaint) from error
