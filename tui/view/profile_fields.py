"""Custom profile fields, as administrators edit them. Sanitized; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tui.api.model import UserId
from tui.api.organization import CustomProfileField
from tui.content.sanitize import sanitize_line
from tui.content.untrusted_json import parsed, whole

SHORT_TEXT, LONG_TEXT, OPTIONS, DATE, LINK, PEOPLE, ACCOUNT, PRONOUNS = range(1, 9)

KINDS: Final = {
    SHORT_TEXT: ("short text", "a line"),
    LONG_TEXT: ("long text", "a few lines"),
    OPTIONS: ("list of options", "one of your choices"),
    DATE: ("date", "e.g. a birthday"),
    LINK: ("link", "a web address"),
    PEOPLE: ("people", "other members"),
    ACCOUNT: ("account elsewhere", "a name on another site, shown as a link"),
    PRONOUNS: ("pronouns", "e.g. she/her"),
}
"""Labels and descriptions by the type's number."""

USERNAME: Final = "%(username)s"


def detail(field: CustomProfileField) -> str:
    """Return the field's type and options."""
    parts = [KINDS.get(field.type, ("of another type", ""))[0]]
    if field.type == OPTIONS:
        parts[0] += f": {', '.join(options(field.field_data))}"
    parts += ["required"] if field.required else []
    parts += ["in the profile summary"] if field.display_in_profile_summary else []
    parts += [] if field.editable_by_user else ["only administrators can edit"]
    return " · ".join(parts)


def options(field_data: str) -> list[str]:
    """Return the options' texts in order."""
    return [sanitize_line(text) for _, text in choices(field_data)]


def options_data(texts: Sequence[str], before: str = "") -> dict[str, dict[str, str]]:
    """Return the data of these options; existing ones keep their keys, so that no answer is lost."""
    keys = {sanitize_line(text): key for key, text in choices(before)}
    taken = {whole(key) or 0 for key in keys.values()}
    fresh = max(taken, default=-1) + 1
    data: dict[str, dict[str, str]] = {}
    for order, text in enumerate(texts, 1):
        key = keys.get(text)
        if key is None or key in data:
            key, fresh = str(fresh), fresh + 1
        data[key] = {"text": text, "order": str(order)}
    return data


def dropped(texts: Sequence[str], before: str) -> list[str]:
    """Return the options that were removed."""
    return [text for text in options(before) if text not in texts]


def url_pattern(field_data: str) -> str:
    """Return the URL pattern of accounts on another site; "" for a site that the server knows by name."""
    return sanitize_line(str(_data(field_data).get("url_pattern", "")))


def choices(field_data: str) -> list[tuple[str, str]]:
    """Return (key, text) of the options in order; the text is not sanitized."""
    ordered = [
        (str(each.get("order", "")), key, str(each.get("text", "")))
        for key, each in _data(field_data).items()
        if isinstance(each, dict)
    ]
    ordered.sort(key=lambda each: (whole(each[0]) or 0, each[1]))
    return [(key, text) for _, key, text in ordered]


def ids(value: str) -> list[UserId]:
    """Return the people in a field's value; empty for invalid values."""
    listed = parsed(value)
    numbers = [whole(each) for each in listed] if isinstance(listed, list) else []
    return [UserId(each) for each in numbers if each is not None]


def _data(field_data: str) -> Mapping[str, object]:
    data = parsed(field_data)
    return data if isinstance(data, dict) else {}
