"""The emoji to choose from: names, codes, and texts. Pure."""

from collections.abc import Iterator, Mapping
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


class UnicodeEmoji:
    """A server's list of emoji, kept as one text: as thousands of objects it would take ten times as much."""

    __slots__ = ("_lines",)

    def __init__(self, code_to_names: Mapping[str, object]) -> None:
        """Take a server's names by code; other entries are ignored, and so is a name that was there before."""
        lines: dict[str, str] = {}
        for code, names in code_to_names.items():
            for name in map(str, names) if isinstance(names, list) else ():
                line = f"{name}\t{code}\n"
                if line.count("\t") == line.count("\n") == 1:
                    lines.setdefault(name, line)
        self._lines: Final = "".join(lines.values())

    def having(self, letters: str) -> Iterator[Emoji]:
        """Yield the emoji whose names have these letters in a row, in the order of the list."""
        last_code, text = "", ":"
        for line in self._having(letters) if letters else self._lines.split("\n")[:-1]:
            name, _, code = line.partition("\t")
            if letters in name:  # not only in the code
                if code != last_code or text.startswith(":"):  # else another name of the same text
                    last_code, text = code, emoji_text("unicode_emoji", code, name)
                yield Emoji(name=name, code=code, type="unicode_emoji", text=text)

    def _having(self, letters: str) -> Iterator[str]:
        lines, start = self._lines, 0
        while (at := lines.find(letters, start)) >= 0:
            start, end = lines.rfind("\n", 0, at) + 1, lines.index("\n", at)
            yield lines[start:end]
            start = end + 1


NONE: Final = UnicodeEmoji({})
"""Where the server gives no list, or it is not loaded yet."""


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


def choice(store: Store, listed: UnicodeEmoji, letters: str = "") -> list[Emoji]:
    """Return the emoji whose names have these letters in a row: familiar ones first, then custom emoji."""
    by_name: dict[str, Emoji] = {}
    for emoji in (*FAMILIAR, *custom_emoji(store), *listed.having(letters), ZULIP):
        if letters in emoji.name:
            by_name.setdefault(emoji.name, emoji)
    return list(by_name.values())
