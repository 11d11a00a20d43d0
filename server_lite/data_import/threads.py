"""Topics for formats without them: a thread is named after its first message."""

import re
from datetime import UTC, datetime
from typing import Final

from server_lite.access.message_validation import MAX_TOPIC, clean_topic, is_writable
from server_lite.store.scratch import Scratch
from server_lite.store.topics import name_key

_MARKS: Final = re.compile(r"[*~`_]+|^\s*(?:>|#+|[-•])\s*")


class Threads:
    """The topics of all threads, on disk; `rest` is the topic of everything else."""

    def __init__(self, rest: str) -> None:
        self.rest = rest
        self._kept = Scratch()

    def topic(self, channel: str, thread: str, text: str, begun: float) -> str:
        """Return the topic of a channel's thread; `text` is its first message, if that comes first."""
        topic = self._kept.note("thread", channel, thread)
        if topic is None:
            topic = self._new(channel, text, begun)
            self._kept.put(topic, "thread", channel, thread)
        return topic

    def _new(self, channel: str, text: str, begun: float) -> str:
        first = next((line for line in text.splitlines() if line.strip()), "")
        cleaned = "".join(c for c in _MARKS.sub("", first) if is_writable(c)).strip()
        topic = clean_topic(cleaned) or f"Thread of {datetime.fromtimestamp(begun, UTC):%Y-%m-%d}"
        number, name = 2, topic
        if self._is_taken(channel, name):  # continues after the last number used with this name
            number = int(self._kept.note("number", channel, name_key(topic)) or 2)
        while self._is_taken(channel, name):
            end = f" ({number})"
            name = f"{topic[: MAX_TOPIC - len(end)].rstrip()}{end}"
            number += 1
        self._kept.put(str(number), "number", channel, name_key(topic))
        self._kept.put("", "taken", channel, name_key(name))
        return name

    def _is_taken(self, channel: str, name: str) -> bool:
        key = name_key(name)
        is_rest = key == name_key(self.rest)
        return is_rest or self._kept.note("taken", channel, key) is not None
