"""Reactions of a message as chips: one for each emoji, in the order of the first reactions. Pure."""

from collections.abc import Iterable

from tui.api.model import Reaction, UserId
from tui.content.sanitize import sanitize_line
from tui.view.rows import Chip


def chips(reactions: Iterable[Reaction], self_id: UserId) -> tuple[Chip, ...]:
    """Return the chips under a message."""
    groups: dict[tuple[str, str], list[Reaction]] = {}
    for reaction in reactions:
        groups.setdefault((reaction.reaction_type, reaction.emoji_code), []).append(reaction)
    return tuple(
        Chip(
            emoji_name=group[0].emoji_name,
            emoji_code=group[0].emoji_code,
            reaction_type=group[0].reaction_type,
            text=emoji_text(group[0].reaction_type, group[0].emoji_code, group[0].emoji_name),
            count=len(group),
            is_own=any(reaction.user_id == self_id for reaction in group),
        )
        for group in groups.values()
    )


def emoji_text(reaction_type: str, code: str, name: str) -> str:
    """Return the emoji's characters, or its name between colons where it is a picture."""
    if reaction_type == "unicode_emoji":
        try:
            text = "".join(chr(int(part, 16)) for part in code.split("-"))
        except (ValueError, OverflowError):
            text = ""
        # Plain ASCII would be a digit or a control character, which no emoji is.
        if text and not text.isascii():
            return sanitize_line(text)
    return sanitize_line(f":{name}:")
