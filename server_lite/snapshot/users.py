"""Initial state: people and bots, and who I am. Reads only."""

from typing import Final

from server_lite.snapshot.base import Section

SECTIONS: Final[dict[str, Section]] = {}
