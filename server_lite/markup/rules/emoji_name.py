""":name: of a custom, built-in or Unicode emoji. Pure."""

import re
from functools import lru_cache
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup import emoji, html
from server_lite.markup.context import Context, context_of
from server_lite.markup.rules.output import push_html

_NAME: Final = re.compile(r":([\w+-]{1,100}):")


def emoji_name(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse an emoji; custom emoji take precedence over Unicode names; unknown names stay text."""
    match = _NAME.match(state.src, state.pos, state.posMax)
    drawn = _drawn(context_of(state), match[1]) if match else None
    if match is None or drawn is None:
        return False
    push_html(state, drawn)
    state.pos = match.end()
    return True


def _drawn(context: Context, name: str) -> str | None:
    if custom := context.custom_emoji(name):
        return image_emoji(custom.name, custom.url)
    if name == emoji.EXTRA_NAME:
        return image_emoji(name, emoji.EXTRA_URL)
    code = emoji.name_to_code().get(name)
    return unicode_emoji(name, code) if code else None


@lru_cache(maxsize=2048)
def unicode_emoji(name: str, code: str) -> str:
    """Return a Unicode emoji by its name and code."""
    title = name.replace("_", " ")
    attributes = {"aria-label": title, "class": f"emoji emoji-{code}", "role": "img"}
    return html.element("span", {**attributes, "title": title}, html.text(f":{name}:"))


def image_emoji(name: str, url: str) -> str:
    """Return an emoji that is an image."""
    title = name.replace("_", " ")
    return html.tag("img", {"alt": f":{name}:", "class": "emoji", "src": url, "title": title})
