"""Rendering of text that is nothing but words: the same HTML as the server's. Pure.

All other Markdown is rendered by the server, which alone knows all people, channels and linkifiers.
"""

from typing import Final

LONGEST: Final = 1_000
"""Characters; servers have limits for the whole message."""


def html_of_words(text: str) -> str | None:
    """Return the HTML of one line of words that are letters only; None for any other text.

    Where linkifiers are set, a word of letters may be a link: not for those.
    """
    is_plain = len(text) <= LONGEST and all(word.isalpha() for word in text.split(" "))
    return f"<p>{text}</p>" if is_plain else None
