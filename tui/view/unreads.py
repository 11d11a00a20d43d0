"""Where to read on: of what is unread, the likeliest to be waited for. Pure."""

from tui.api.model import VisibilityPolicy
from tui.narrow import Conversation, DmNarrow, Narrow, TopicNarrow
from tui.store.store import Store


def next_unread(
    store: Store, after: Narrow | None, *, direct: bool = False
) -> Conversation | None:
    """Mentions and direct messages come first, muted places never; None: all is read.

    With `direct` only direct messages count.
    """
    places = [
        place
        for place in store.unreads.conversations()
        if store.unread_ids(place)
        and not store.is_muted(place)
        and (isinstance(place, DmNarrow) or not direct)
    ]
    places.sort(key=lambda place: _urgency(store, place))
    if after in places:
        at = places.index(after)  # type: ignore[arg-type]  # it is one of them
        places = places[at + 1 :] + places[:at]
    return places[0] if places else None


def _urgency(store: Store, place: Conversation) -> tuple[bool, bool, bool, int]:
    ids = store.unread_ids(place)
    followed = isinstance(place, TopicNarrow) and store.policy(place) == VisibilityPolicy.FOLLOWED
    return (
        not ids & store.unreads.mentions,
        not isinstance(place, DmNarrow),
        not followed,
        min(ids),
    )
