"""Events: the organization's own emoji come and go. No I/O.

Clients without `individual_emoji_changes` are told all emoji at each change.
"""

from collections.abc import Mapping

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload

Emoji = Mapping[str, Object]


def _all(everything: Emoji) -> Payload:
    return {"type": "realm_emoji", "op": "update", "realm_emoji": everything}


@dataclass(frozen=True, slots=True, kw_only=True)
class EmojiAdded(Event[None]):
    """There is a new emoji, as a RealmEmoji object."""

    type = "realm_emoji"
    op = "add"
    emoji: Object
    everything: Emoji

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if not shape.individual_emoji_changes:
            return _all(self.everything)
        return self.told(emoji=self.emoji)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmojiEdited(Event[None]):
    """What changed of an emoji. Logged as `edit`, its first name; clients know it as `update_one`."""

    type = "realm_emoji"
    op = "edit"
    emoji_id: str
    data: Object
    everything: Emoji

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if not shape.individual_emoji_changes:
            return _all(self.everything)
        changed = {"emoji_id": self.emoji_id, "data": self.data}
        return {"type": self.type, "op": "update_one", **changed}
