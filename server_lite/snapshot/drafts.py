"""Initial state: what I have begun to write: drafts, snippets, scheduled messages, reminders. Reads only."""

from typing import Final

from server_lite.snapshot.base import Section

SECTIONS: Final[dict[str, Section]] = {}
