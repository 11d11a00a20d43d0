"""Custom emoji as lines: name, author, and conflicts of a new name. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tui.api.organization import CustomEmoji
from tui.content.sanitize import sanitize_line
from tui.store import Store
from tui.view import names
from tui.view.emoji import Emoji
from tui.view.permissions import is_administrator

_UNWELCOME: Final = re.compile(r"[^0-9a-z._-]+")


def in_order(emoji: Iterable[CustomEmoji]) -> list[CustomEmoji]:
    """Return the emoji by name; deactivated ones last."""
    return sorted(emoji, key=lambda each: (each.deactivated, each.name, each.id))


def label(emoji: CustomEmoji) -> str:
    """Return the emoji as it is written in messages."""
    return sanitize_line(f":{emoji.name}:")


def detail(store: Store, emoji: CustomEmoji) -> str:
    """Return the emoji's author, and whether it is animated or deactivated."""
    parts = [f"by {names.person(store, emoji.author_id)}"] if emoji.author_id is not None else []
    parts += ["moves"] if emoji.still_url else []
    return " · ".join([*parts, *(["removed"] if emoji.deactivated else [])])


def may_take_away(store: Store, emoji: CustomEmoji) -> bool:
    """Whether the user may deactivate the emoji: its author, and administrators."""
    return not emoji.deactivated and (is_administrator(store) or emoji.author_id == store.self_id)


def proposed_name(stem: str) -> str:
    """Return a name for the emoji, made of the file's."""
    return _UNWELCOME.sub("_", stem.casefold()).strip("._-")


def collision(name: str, emoji: Iterable[Emoji]) -> str:
    """Return the error of a name that an emoji has already; "" for a new one."""
    existing = next((each for each in emoji if each.name == name), None)
    if existing is None:
        return ""
    if existing.type == "realm_emoji":
        return f"The organization already has :{name}:."
    return f":{name}: is {existing.text} already: only administrators can replace it."
