"""Permalinks of messages, as the organization's server understands them. Pure."""

from tui.api.features import LINKS_BY_CHANNEL
from tui.api.model import Message
from tui.narrow import TopicNarrow, conversation_of, format_permalink
from tui.store import Store


def fragment(store: Store, message: Message) -> str:
    """Return `#narrow/channel/9-tea/topic/milk/near/12`; older servers write `stream` for `channel`."""
    place = conversation_of(message)
    name = store.channel_names.get(place.channel_id) if isinstance(place, TopicNarrow) else None
    modern = LINKS_BY_CHANNEL.is_in(store.realm.feature_level)
    return format_permalink(
        place, near=message.id, channel_name=name, channel_word="channel" if modern else "stream"
    )


def in_text(store: Store, message: Message) -> str:
    """Return the link of a quote: the whole URL, which also works in an email.

    A Chinwag server sends no URL, and people reach it by addresses of their own: then only the fragment.
    """
    home = store.realm.settings.url.rstrip("/")
    if store.realm.idempotency_keys or not home:
        return fragment(store, message)
    return f"{home}/{fragment(store, message)}"
