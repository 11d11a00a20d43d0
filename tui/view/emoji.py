"""The emoji to choose from: names, codes, and texts. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from tui.api.model import ReactionType
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.store import Store
from tui.view.reactions import emoji_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """An emoji; `name` is without colons."""

    name: str
    code: str
    type: ReactionType
    text: str


_FAMILIAR = (
    ("+1", "1f44d"), ("heart", "2764"), ("tada", "1f389"), ("smile", "1f642"), ("joy", "1f602"),
    ("eyes", "1f440"), ("check", "2705"), ("rocket", "1f680"), ("octopus", "1f419"),
    ("working_on_it", "1f6e0"), ("wave", "1f44b"), ("clap", "1f44f"), ("fire", "1f525"),
    ("thinking", "1f914"), ("cry", "1f622"), ("open_mouth", "1f62e"), ("-1", "1f44e"),
    ("100", "1f4af"), ("question", "2753"), ("coffee", "2615"),
)  # fmt: skip

ZULIP: Final = Emoji(name="zulip", code="zulip", type="service_extra_emoji", text=":zulip:")
"""The only extra emoji of servers: the Zulip logo."""

FAMILIAR: Final = tuple(
    Emoji(name=name, code=code, type="unicode_emoji", text=emoji_text("unicode_emoji", code, name))
    for name, code in _FAMILIAR
)
"""The most used emoji, offered first; all there are where the server gives no list."""


def unicode_emoji(code_to_names: Mapping[str, object]) -> tuple[Emoji, ...]:
    """Return the emoji of a server's list of names by code; other entries are ignored."""
    emoji: list[Emoji] = []
    for code, listed in code_to_names.items():
        for name in listed if isinstance(listed, list) else ():
            text = emoji_text("unicode_emoji", code, str(name))
            emoji.append(Emoji(name=str(name), code=code, type="unicode_emoji", text=text))
    return tuple(emoji)


def custom_emoji(store: Store) -> tuple[Emoji, ...]:
    """Return the custom emoji of the organization."""
    return tuple(
        Emoji(
            name=each.name,
            code=each.id,
            type="realm_emoji",
            text=sanitize_line(f":{each.name}:"),
        )
        for each in store.realm.emoji.values()
        if not each.deactivated
    )


def choice(store: Store, listed: Iterable[Emoji]) -> list[Emoji]:
    """Return all emoji: familiar ones first, then the organization's custom emoji."""
    by_name: dict[str, Emoji] = {}
    for emoji in (*FAMILIAR, *custom_emoji(store), *listed, ZULIP):
        by_name.setdefault(emoji.name, emoji)
    return list(by_name.values())
