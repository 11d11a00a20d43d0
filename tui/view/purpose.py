"""What a channel or a folder is for, on one line without its Markdown. Sanitized; pure."""

from typing import Protocol

from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.content.sanitize import sanitize_line


class HasDescription(Protocol):
    """What has a description, as it was written and as HTML."""

    @property
    def description(self) -> str:
        """Markdown."""

    @property
    def rendered_description(self) -> str:
        """HTML; "" if the server sends none."""


def purpose(described: HasDescription) -> str:
    """Its text as people read it."""
    rendered = described.rendered_description
    return sanitize_line(plain_text(parse(rendered)) if rendered else described.description)
