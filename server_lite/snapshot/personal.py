"""Initial state: my own settings, alert words, muted people, devices. Reads only."""

from typing import Final

from server_lite.snapshot.base import Section

SECTIONS: Final[dict[str, Section]] = {}
