"""Events about the organization, as frozen types: its settings, emoji, linkifiers, bots. Pure."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, TypeAlias

from tui.api.events.base import BaseEvent
from tui.api.model import EmojiId, UserId
from tui.api.organization import (
    BotSettings,
    CustomEmoji,
    CustomProfileField,
    Export,
    Linkifier,
    Playground,
    RealmDomain,
)
from tui.api.wire import Key
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUpdateEvent(BaseEvent):
    """One setting of the organization, by its name without `realm_`."""

    type: ClassVar = "realm"
    op: ClassVar = "update"
    property: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUpdateDictEvent(BaseEvent):
    """Settings of the organization, by their names without `realm_`."""

    type: ClassVar = "realm"
    op: ClassVar = "update_dict"
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmDeactivatedEvent(BaseEvent):
    """The organization was deactivated."""

    type: ClassVar = "realm"
    op: ClassVar = "deactivated"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmUserSettingsDefaultsUpdateEvent(BaseEvent):
    """A default setting of new users changed."""

    type: ClassVar = "realm_user_settings_defaults"
    op: ClassVar = "update"
    property: str
    value: bool | int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmEmojiUpdateEvent(BaseEvent):
    """All custom emoji, deactivated ones too."""

    type: ClassVar = "realm_emoji"
    op: ClassVar = "update"
    emoji: Annotated[Mapping[EmojiId, CustomEmoji], Key("realm_emoji")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmEmojiAddEvent(BaseEvent):
    """A custom emoji was added."""

    type: ClassVar = "realm_emoji"
    op: ClassVar = "add"
    emoji: CustomEmoji


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEmojiChange:
    """The changed fields of an emoji; None is unchanged."""

    deactivated: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmEmojiEditEvent(BaseEvent):
    """A custom emoji was changed; some servers spell the op `edit`."""

    type: ClassVar = "realm_emoji"
    op: ClassVar = "update_one"
    emoji_id: EmojiId
    data: CustomEmojiChange


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmLinkifiersEvent(BaseEvent):
    """All linkifiers, in the order in which they apply."""

    type: ClassVar = "realm_linkifiers"
    linkifiers: Annotated[tuple[Linkifier, ...], Key("realm_linkifiers")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmFiltersEvent(BaseEvent):
    """The older form of `RealmLinkifiersEvent`, not sent since level 176."""

    type: ClassVar = "realm_filters"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmPlaygroundsEvent(BaseEvent):
    """All playgrounds."""

    type: ClassVar = "realm_playgrounds"
    playgrounds: Annotated[tuple[Playground, ...], Key("realm_playgrounds")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmDomainsAddEvent(BaseEvent):
    """A domain was added whose email addresses may join."""

    type: ClassVar = "realm_domains"
    op: ClassVar = "add"
    realm_domain: RealmDomain


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmDomainsChangeEvent(BaseEvent):
    """Whether a domain's subdomains may join has changed."""

    type: ClassVar = "realm_domains"
    op: ClassVar = "change"
    realm_domain: RealmDomain


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmDomainsRemoveEvent(BaseEvent):
    """A domain was removed from those that may join."""

    type: ClassVar = "realm_domains"
    op: ClassVar = "remove"
    domain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomProfileFieldsEvent(BaseEvent):
    """All custom profile fields, in order."""

    type: ClassVar = "custom_profile_fields"
    fields: tuple[CustomProfileField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmBotAddEvent(BaseEvent):
    """A bot was created that the user may administer."""

    type: ClassVar = "realm_bot"
    op: ClassVar = "add"
    bot: BotSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmBotUpdateEvent(BaseEvent):
    """A bot's settings changed: fetch them where they are shown."""

    type: ClassVar = "realm_bot"
    op: ClassVar = "update"
    user_id: Annotated[UserId, Key("bot.user_id")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmBotRemoveEvent(BaseEvent):
    """A bot was deactivated; not sent since level 222."""

    type: ClassVar = "realm_bot"
    op: ClassVar = "remove"
    user_id: Annotated[UserId, Key("bot.user_id")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmBotDeleteEvent(BaseEvent):
    """The user cannot administer a bot any more."""

    type: ClassVar = "realm_bot"
    op: ClassVar = "delete"
    user_id: Annotated[UserId, Key("bot.user_id")]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitesChangedEvent(BaseEvent):
    """An invitation changed: fetch them where they are shown."""

    type: ClassVar = "invites_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmExportEvent(BaseEvent):
    """All exports, with their progress."""

    type: ClassVar = "realm_export"
    exports: tuple[Export, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmExportConsentEvent(BaseEvent):
    """A user's consent to the export of private data changed."""

    type: ClassVar = "realm_export_consent"
    user_id: UserId
    consented: bool


OrganizationEvents: TypeAlias = (
    RealmUpdateEvent
    | RealmUpdateDictEvent
    | RealmDeactivatedEvent
    | RealmUserSettingsDefaultsUpdateEvent
    | RealmEmojiUpdateEvent
    | RealmEmojiAddEvent
    | RealmEmojiEditEvent
    | RealmLinkifiersEvent
    | RealmFiltersEvent
    | RealmPlaygroundsEvent
    | RealmDomainsAddEvent
    | RealmDomainsChangeEvent
    | RealmDomainsRemoveEvent
    | CustomProfileFieldsEvent
    | RealmBotAddEvent
    | RealmBotUpdateEvent
    | RealmBotRemoveEvent
    | RealmBotDeleteEvent
    | InvitesChangedEvent
    | RealmExportEvent
    | RealmExportConsentEvent
)
