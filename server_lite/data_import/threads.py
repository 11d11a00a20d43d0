"""Topics for what has none elsewhere: a thread is called after its first message. Pure."""

import re
from datetime import UTC, datetime
from typing import Final

from server_lite.access.message_validation import MAX_TOPIC, clean_topic, is_writable
from server_lite.store.topics import name_key

_MARKS: Final = re.compile(r"[*~`_]+|^\s*(?:>|#+|[-•])\s*")


class Threads:
    """The topics of all threads; `rest` is where everything else goes."""

    def __init__(self, rest: str) -> None:
        self.rest = rest
        self._topics: dict[tuple[str, str], str] = {}
        self._taken: dict[str, set[str]] = {}

    def topic(self, channel: str, thread: str, text: str, begun: float) -> str:
        """The topic of a thread of a channel; `text` is its first message, when that comes first."""
        if (channel, thread) not in self._topics:
            self._topics[channel, thread] = self._new(channel, text, begun)
        return self._topics[channel, thread]

    def _new(self, channel: str, text: str, begun: float) -> str:
        first = next((line for line in text.splitlines() if line.strip()), "")
        words = "".join(c for c in _MARKS.sub("", first) if is_writable(c)).strip()
        topic = clean_topic(words) or f"Thread of {datetime.fromtimestamp(begun, UTC):%Y-%m-%d}"
        taken = self._taken.setdefault(channel, {name_key(self.rest)})
        number, name = 2, topic
        while name_key(name) in taken:
            end = f" ({number})"
            name = f"{topic[: MAX_TOPIC - len(end)].rstrip()}{end}"
            number += 1
        taken.add(name_key(name))
        return name
