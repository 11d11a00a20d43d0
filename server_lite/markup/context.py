"""State of one rendering: cached lookups, and what was found. No I/O of its own."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, cached_property, partial
from typing import Final

from markdown_it.ruler import StateBase
from markdown_it.utils import EnvType

from server_lite.ids import UserId
from server_lite.markup.code import Budget
from server_lite.markup.linkifiers import Allowance, all_hits
from server_lite.markup.lookup import Channel, CustomEmoji, Group, Lookup, Person, Upload
from server_lite.markup.scan import Scan, scan
from server_lite.markup.times import parse_moment

MAX_DEPTH: Final = 16
"""Maximum nesting of quotes, lists and spoilers; deeper ones stay text. This keeps the cost linear."""

_KEY: Final = "context"


class Context:
    """The mutable state of one rendering; rules access it by `context_of`."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup: Final = lookup
        self.settings: Final = lookup.settings
        self.depth = 0
        """How many containers the current rule is in; rules that open a container count it."""
        self.is_quoted = False
        self.highlighting: Final = Budget()
        self.user_ids: set[UserId] = set()
        self.group_ids: set[int] = set()
        self.mentions_channel = False
        self.mentions_topic = False
        self.has_link = False
        self.has_image = False
        self.path_ids: dict[str, None] = {}
        self._linkifiers: Final = lookup.linkifiers()
        self._allowance: Final = Allowance()
        self.lone_markers: Final[dict[int, bool]] = {}
        self._scans: dict[str, Scan] = {}

    # Most messages look nothing up, so the cache of lookups is created with the first one.

    @cached_property
    def people_named(self) -> Callable[[str], Sequence[Person]]:
        return cache(self.lookup.people_named)

    @cached_property
    def person(self) -> Callable[[int], Person | None]:
        return cache(self.lookup.person)

    @cached_property
    def group_named(self) -> Callable[[str], Group | None]:
        return cache(self.lookup.group_named)

    @cached_property
    def channel_named(self) -> Callable[[str], Channel | None]:
        return cache(self.lookup.channel_named)

    @cached_property
    def latest_message_id(self) -> Callable[[int, str], int | None]:
        return cache(self.lookup.latest_message_id)

    @cached_property
    def custom_emoji(self) -> Callable[[str], CustomEmoji | None]:
        return cache(self.lookup.custom_emoji)

    @cached_property
    def upload(self) -> Callable[[str], Upload | None]:
        return cache(self.lookup.upload)

    @cached_property
    def moment(self) -> Callable[[str], datetime | None]:
        return cache(partial(parse_moment, today=self.settings.today))

    def scan_of(self, source: str) -> Scan:
        """Return the places of interest in an inline text, scanned once."""
        result = self._scans.get(source)
        if result is None:
            hits = all_hits(source, self._linkifiers, self._allowance)
            result = scan(source, hits, self.settings)
            self._scans[source] = result
        return result

    @property
    def is_full(self) -> bool:
        """Whether no further container may be opened here."""
        return self.depth >= MAX_DEPTH

    def env(self) -> EnvType:
        """Return the environment in which rules find this context."""
        return {_KEY: self}


def context_of(state: StateBase) -> Context:
    """Return the context of the rendering that a rule works for."""
    context = state.env[_KEY]
    assert isinstance(context, Context)
    return context
