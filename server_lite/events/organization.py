"""Events about the organization: settings, bots, emoji, domains, linkifiers, playgrounds, profile fields."""

from collections.abc import Mapping, Sequence

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUpdated(Event[None]):
    """Settings have new values; names are without the prefix of register."""

    type = "realm"
    op = "update_dict"
    changed: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(property="default", data=self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultSettingChanged(Event[None]):
    """A personal setting has a new default for people to come."""

    type = "realm_user_settings_defaults"
    op = "update"
    property: str
    value: bool | int | str | None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(property=self.property, value=self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAdded(Event[None]):
    """There is a bot to look after, as a Bot object."""

    type = "realm_bot"
    op = "add"
    bot: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotUpdated(Event[None]):
    """What changed of a bot, beside its `user_id`."""

    type = "realm_bot"
    op = "update"
    bot: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotDeleted(Event[None]):
    """These readers look after the bot no longer."""

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
    """There is a new emoji, as a RealmEmoji object."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainAdded(Event[None]):
    """There is a new domain."""

    type = "realm_domains"
    op = "add"
    domain: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(realm_domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainChanged(Event[None]):
    """A domain with what is true of it now."""

    type = "realm_domains"
    op = "change"
    domain: Object

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(realm_domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainRemoved(Event[None]):
    """A domain is gone."""

    type = "realm_domains"
    op = "remove"
    domain: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(domain=self.domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitesChanged(Event[None]):
    """The list of invitations is another one; who wants it fetches it."""

    type = "invites_changed"

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkifiersChanged(Event[None]):
    """All linkifiers in their order, as the API lists them."""

    type = "realm_linkifiers"
    linkifiers: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if not shape.linkifier_url_template:
            return None
        return self.base_payload(realm_linkifiers=self.linkifiers)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaygroundsChanged(Event[None]):
    """All playgrounds, as the API lists them."""

    type = "realm_playgrounds"
    playgrounds: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(realm_playgrounds=self.playgrounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFieldsChanged(Event[None]):
    """All fields in their order, as the API lists them."""

    type = "custom_profile_fields"
    fields: Sequence[Object]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(fields=self.fields)
