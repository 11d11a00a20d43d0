"""The organization's own emoji in lines: the name, who added it, what is wrong with a new name. Pure."""

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
    """By name; those that were taken away last."""
    return sorted(emoji, key=lambda each: (each.deactivated, each.name, each.id))


def label(emoji: CustomEmoji) -> str:
    """Its name as it is written in messages."""
    return sanitize_line(f":{emoji.name}:")


def detail(store: Store, emoji: CustomEmoji) -> str:
    """Who added it, and what else there is to say."""
    parts = [f"by {names.person(store, emoji.author_id)}"] if emoji.author_id is not None else []
    parts += ["moves"] if emoji.still_url else []
    return " · ".join([*parts, *(["removed"] if emoji.deactivated else [])])


def may_take_away(store: Store, emoji: CustomEmoji) -> bool:
    """Whoever added it, and administrators."""
    return not emoji.deactivated and (is_administrator(store) or emoji.author_id == store.self_id)


def proposed_name(stem: str) -> str:
    """A name made of the file's."""
    return _UNWELCOME.sub("_", stem.casefold()).strip("._-")


def collision(name: str, emoji: Iterable[Emoji]) -> str:
    """What a new emoji of this name would stand in the way of; "" if nothing."""
    existing = next((each for each in emoji if each.name == name), None)
    if existing is None:
        return ""
    if existing.type == "realm_emoji":
        return f"The organization already has :{name}:."
    return f":{name}: is {existing.text} already: only administrators can replace it."
