"""Initial state: settings of the organisation, its emoji, linkifiers and limits. Reads only."""

from typing import Final

from server_lite.snapshot.base import Section

SECTIONS: Final[dict[str, Section]] = {}
