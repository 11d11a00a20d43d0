"""Initial state: who is here, and what they say of themselves. Reads only."""

from typing import Final

from server_lite.snapshot.base import Section

SECTIONS: Final[dict[str, Section]] = {}
