"""The description of a channel or folder, on one line without its Markdown. Sanitized; pure."""

from typing import Protocol

from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.content.sanitize import sanitize_line


class HasDescription(Protocol):
    """A channel or folder: has a description, in Markdown and as HTML."""

    @property
    def description(self) -> str:
        """Markdown."""

    @property
    def rendered_description(self) -> str:
        """HTML; "" if the server sends none."""


def purpose(described: HasDescription) -> str:
    """Return the description as plain text."""
    rendered = described.rendered_description
    return sanitize_line(plain_text(parse(rendered)) if rendered else described.description)
