"""Code playgrounds: sites for trying code, and the URL of a piece of code there. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tui.api.organization import Playground
from tui.content.extracts import code_blocks
from tui.content.nodes import Link, Node, Text
from tui.content.sanitize import sanitize_line
from tui.view import url_templates

LONGEST: Final = 8000
"""Longest URL that browsers and servers accept, in characters."""


def detail(playground: Playground) -> str:
    """Return the playground's language and URL template."""
    language = sanitize_line(playground.pygments_language)
    return f"{language} → {sanitize_line(playground.url_template)}"


def address(playground: Playground, code: str) -> str:
    """Return the URL of the code in a playground."""
    if "{" not in playground.url_template:  # older servers append the code
        return playground.url_template + url_templates.expand("{code}", {"code": code})
    return url_templates.expand(playground.url_template, {"code": code})


def links(playgrounds: Sequence[Playground], nodes: Sequence[Node]) -> list[Link]:
    """Return links to playgrounds for each code block of a message."""
    playground_links = []
    for block in code_blocks(nodes):
        for each in playgrounds:
            # Both sides name a language as its highlighter does.
            if block.language and block.language.casefold() == each.pygments_language.casefold():
                href = address(each, block.text)
                if len(href) <= LONGEST:
                    label = f"try the {sanitize_line(block.language)} in {sanitize_line(each.name)}"
                    playground_links.append(Link(href, (Text(label),)))
    return playground_links
