"""Converts text in Mattermost's Markdown to ours. Pure."""

import re
from collections.abc import Callable
from typing import Final

_CODE: Final = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
_BOLD: Final = re.compile(r"(?<![\w_])__(?=\S)([^_\n]+?)(?<=\S)__(?![\w_])")
_ITALIC: Final = re.compile(r"(?<![\w_/])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])")
_IMAGE: Final = re.compile(r"!(?=\[[^\[\]\n]{0,500}\]\(https?://)")
_PERSON: Final = re.compile(r"(?<![\w@/.])@([A-Za-z0-9][A-Za-z0-9._-]{0,63})")
_CHANNEL: Final = re.compile(r"(?<![\w~])~([a-z0-9][a-z0-9_-]{0,63})(?![\w~])")

Find = Callable[[str], str | None]


def markdown(text: str, person: Find, channel: Find) -> str:
    """Return the text; `person` and `channel` return the mention for a name, or None."""

    def mentioned(match: re.Match[str]) -> str:
        name = match[1].rstrip("._-")
        mention = person(name.lower())
        return match[0] if mention is None else f"{mention}{match[1][len(name) :]}"

    def linked(match: re.Match[str]) -> str:
        return channel(match[1]) or match[0]

    def written(part: str) -> str:
        part = _ITALIC.sub(r"*\1*", _BOLD.sub(r"**\1**", part))
        return _CHANNEL.sub(linked, _PERSON.sub(mentioned, _IMAGE.sub("", part)))

    parts = _CODE.split(text)
    return "".join(part if number % 2 else written(part) for number, part in enumerate(parts))
