"""Messages and conversations as records for programs: the output of `--json`, and hooks' input. Pure."""

from collections.abc import Mapping

from tui.api.model import Message
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.narrow import Conversation, DmNarrow, conversation_of
from tui.store import Store
from tui.view import permalinks
from tui.view.times import utc


def record_of_message(store: Store, message: Message, site: str) -> Mapping[str, object]:
    """Return the message with all its data; `time` is UTC, `text` is without formatting."""
    conversation = conversation_of(message)
    return {
        "id": message.id,
        "time": utc(message.timestamp).isoformat(),
        "sender": message.sender_full_name,
        "sender_id": message.sender_id,
        "sender_email": message.sender_email,
        **record_of_place(store, conversation),
        "text": text_of(message),
        "html": message.content,
        "flags": sorted(message.flags),
        "link": f"{site}/{permalinks.fragment(store, message)}",
    }


def record_of_place(store: Store, conversation: Conversation) -> Mapping[str, object]:
    """Return the conversation: a channel and topic, or the others in a direct conversation."""
    if isinstance(conversation, DmNarrow):
        others = sorted(conversation.user_ids - {store.self_id})
        users = [store.users.get(each) for each in others]
        return {"type": "direct", "with": [user.email for user in users if user is not None]}
    return {
        "type": "channel",
        "channel": store.channel_names.get(conversation.channel_id),
        "channel_id": conversation.channel_id,
        "topic": conversation.topic,
    }


def text_of(message: Message) -> str:
    """Return the message's text without formatting, spoilers too."""
    return plain_text(parse(message.content, is_me_message=message.is_me_message), reveal=True)
