"""Events about the organization: settings, bots, emoji, domains, linkifiers, playgrounds, profile fields."""

from collections.abc import Mapping, Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUpdated(Event[None]):
    """Sent when organization settings changed; names are without the prefix of register."""

    type = "realm"
    op = "update_dict"
    changed: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(property="default", data=self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultSettingChanged(Event[None]):
    """Sent when the default of a personal setting for new users changed."""

    type = "realm_user_settings_defaults"
    op = "update"
    property: str
    value: bool | int | str | None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(property=self.property, value=self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAdded(Event[None]):
    """Sent when the user got a bot to manage, as a Bot object."""

    type = "realm_bot"
    op = "add"
    bot: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotUpdated(Event[None]):
    """Sent when a bot was changed: its `user_id` and the changed values."""

    type = "realm_bot"
    op = "update"
    bot: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotDeleted(Event[None]):
    """Sent to users who stopped managing the bot."""

    type = "realm_bot"
    op = "delete"
    user_id: UserId

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(bot={"user_id": self.user_id})


Emoji = Mapping[str, Object]


def _all(everything: Emoji) -> Payload:
    return {"type": "realm_emoji", "op": "update", "realm_emoji": everything}


@dataclass(frozen=True, slots=True, kw_only=True)
class EmojiAdded(Event[None]):
    """Sent when an emoji was added, as a RealmEmoji object."""

    type = "realm_emoji"
    op = "add"
    emoji: Object
    everything: Emoji

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        if not shape.individual_emoji_changes:
            return _all(self.everything)
        return self.base_payload(emoji=self.emoji)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmojiEdited(Event[None]):
    """Sent when an emoji was changed. Logged as `edit`, its first name; clients know it as `update_one`."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainAdded(Event[None]):
    """Sent when an allowed domain was added."""

    type = "realm_domains"
    op = "add"
    domain: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(realm_domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainChanged(Event[None]):
    """Sent when an allowed domain was changed, with its new values."""

    type = "realm_domains"
    op = "change"
    domain: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(realm_domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainRemoved(Event[None]):
    """Sent when an allowed domain was removed."""

    type = "realm_domains"
    op = "remove"
    domain: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitesChanged(Event[None]):
    """Sent when the list of invitations changed; clients fetch it if needed."""

    type = "invites_changed"

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkifiersChanged(Event[None]):
    """Sent when linkifiers changed: all of them in their order, as the API lists them."""

    type = "realm_linkifiers"
    linkifiers: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if not shape.linkifier_url_template:
            return None
        return self.base_payload(realm_linkifiers=self.linkifiers)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaygroundsChanged(Event[None]):
    """Sent when playgrounds changed: all of them, as the API lists them."""

    type = "realm_playgrounds"
    playgrounds: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(realm_playgrounds=self.playgrounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFieldsChanged(Event[None]):
    """Sent when profile fields changed: all of them in their order, as the API lists them."""

    type = "custom_profile_fields"
    fields: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(fields=self.fields)
