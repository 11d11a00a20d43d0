"""Sites on which code can be tried, and the address of a piece of code there. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tui.api.organization import Playground
from tui.content.sanitise import sanitise_line
from tui.view import url_templates


def detail(playground: Playground) -> str:
    """For which language, and where."""
    language = sanitise_line(playground.pygments_language)
    return f"{language} → {sanitise_line(playground.url_template)}"


def address(playground: Playground, code: str) -> str:
    """Where this code can be tried."""
    if "{" not in playground.url_template:  # older servers append the code
        return playground.url_template + url_templates.expand("{code}", {"code": code})
    return url_templates.expand(playground.url_template, {"code": code})


def fitting(playgrounds: Sequence[Playground], language: str) -> list[Playground]:
    """The sites for a language, which is named as at the code block or as its highlighter calls it."""
    wanted = language.casefold()
    return [each for each in playgrounds if each.pygments_language.casefold() == wanted]
