"""The emoji one can choose from: names, codes, and what they look like. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from tui.api.model import ReactionType
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.store import Store
from tui.view.reactions import emoji_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """One emoji; `name` is without colons."""

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
"""The one picture that servers of the ecosystem bring with them."""

FAMILIAR: Final = tuple(
    Emoji(name=name, code=code, type="unicode_emoji", text=emoji_text("unicode_emoji", code, name))
    for name, code in _FAMILIAR
)
"""What people use most, offered first; the whole choice where the server tells no more."""


def unicode_emoji(code_to_names: Mapping[str, object]) -> tuple[Emoji, ...]:
    """Emoji from a server's list of names by code; what is not such a list is left out."""
    emoji: list[Emoji] = []
    for code, listed in code_to_names.items():
        for name in listed if isinstance(listed, list) else ():
            text = emoji_text("unicode_emoji", code, str(name))
            emoji.append(Emoji(name=str(name), code=code, type="unicode_emoji", text=text))
    return tuple(emoji)


def custom_emoji(store: Store) -> tuple[Emoji, ...]:
    """The organization's own."""
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
    """Everything one can choose from: the familiar first, then the organization's own."""
    by_name: dict[str, Emoji] = {}
    for emoji in (*FAMILIAR, *custom_emoji(store), *listed, ZULIP):
        by_name.setdefault(emoji.name, emoji)
    return list(by_name.values())
