"""The range of a narrow that one fetch of messages covers. Pure."""

from tui.api.model import Message
from tui.dataclass import dataclass
from tui.narrow import Narrow
from tui.store.windows import NEWEST, OLDEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A narrow's messages from `low` to `high` (IDs, both included): these and no others."""

    narrow: Narrow
    low: int
    high: int
    messages: tuple[Message, ...]


def page(
    narrow: Narrow,
    messages: tuple[Message, ...],
    *,
    anchor: int,
    include_anchor: bool,
    found_oldest: bool,
    found_newest: bool,
    num_before: int,
    num_after: int,
) -> Page:
    """Return the range that follows from a request and its answer.

    Between the anchor and the messages on either side of it there are no others, so the anchor's ID belongs
    to the range, except where the request left it out on its outer side.
    """
    ids: list[int] = [message.id for message in messages]
    low_anchor = anchor + 1 if num_before == 0 and not include_anchor else anchor
    high_anchor = anchor - 1 if num_after == 0 and not include_anchor else anchor
    return Page(
        narrow=narrow,
        low=OLDEST if found_oldest else min([*ids, low_anchor]),
        high=NEWEST if found_newest else min(max([*ids, high_anchor]), NEWEST - 1),
        messages=messages,
    )
