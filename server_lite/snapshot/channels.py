"""Initial state: channels, subscriptions, topics I follow or mute. Reads only."""

from typing import Final

from server_lite.snapshot.base import Section

SECTIONS: Final[dict[str, Section]] = {}
