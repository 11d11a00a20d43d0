"""Events about organization and server: their fields, for the API description. Contains types only."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.bots import BotObject, Service
from server_lite.objects.events.base import EventBase
from server_lite.objects.json_schema import JsonSchema
from server_lite.objects.organization import (
    DomainObject,
    EmojiObject,
    LinkifierObject,
    PlaygroundObject,
)
from server_lite.objects.profile_fields import ProfileFieldObject
from server_lite.objects.settings import REALM_SETTINGS


class RealmUpdateEvent(EventBase):
    """Organization settings were changed; names without `realm_`."""

    type: Literal["realm"]
    op: Literal["update_dict"]
    property: Literal["default"]
    data: Annotated[
        dict[str, object],
        JsonSchema({"type": "object", "properties": REALM_SETTINGS, "additionalProperties": False}),
    ]


class DefaultSettingEvent(EventBase):
    """The default of a personal setting for new users was changed."""

    type: Literal["realm_user_settings_defaults"]
    op: Literal["update"]
    property: str
    value: bool | int | str | None


class EmojiAddEvent(EventBase):
    """An emoji was added; for clients with `individual_emoji_changes`."""

    type: Literal["realm_emoji"]
    op: Literal["add"]
    emoji: EmojiObject


class EmojiChange(TypedDict, total=False):
    """The changed values."""

    deactivated: bool


class EmojiUpdateOneEvent(EventBase):
    """An emoji was changed; for clients with `individual_emoji_changes`."""

    type: Literal["realm_emoji"]
    op: Literal["update_one"]
    emoji_id: str
    data: EmojiChange


class EmojiUpdateEvent(EventBase):
    """All emoji by ID; for older clients."""

    type: Literal["realm_emoji"]
    op: Literal["update"]
    realm_emoji: dict[str, EmojiObject]


class LinkifiersEvent(EventBase):
    """All linkifiers in their order; for clients with `linkifier_url_template`."""

    type: Literal["realm_linkifiers"]
    realm_linkifiers: list[LinkifierObject]


class PlaygroundsEvent(EventBase):
    """All playgrounds."""

    type: Literal["realm_playgrounds"]
    realm_playgrounds: list[PlaygroundObject]


class DomainEvent(EventBase):
    """An allowed domain was added or changed."""

    type: Literal["realm_domains"]
    op: Literal["add", "change"]
    realm_domain: DomainObject


class DomainRemoveEvent(EventBase):
    """An allowed domain was removed."""

    type: Literal["realm_domains"]
    op: Literal["remove"]
    domain: str


class ProfileFieldsEvent(EventBase):
    """All profile fields in their order."""

    type: Literal["custom_profile_fields"]
    fields: list[ProfileFieldObject]


class BotAddEvent(EventBase):
    """A bot was created; sent to users who manage it."""

    type: Literal["realm_bot"]
    op: Literal["add"]
    bot: BotObject


class ChangedBot(TypedDict):
    """The bot, with the changed values."""

    user_id: UserId
    default_sending_stream: NotRequired[str | None]
    default_events_register_stream: NotRequired[str | None]
    default_all_public_streams: NotRequired[bool]
    services: NotRequired[list[Service]]


class BotUpdateEvent(EventBase):
    """A bot was changed."""

    type: Literal["realm_bot"]
    op: Literal["update"]
    bot: ChangedBot


class BotId(TypedDict):
    """A bot whose owner changed."""

    user_id: UserId


class BotDeleteEvent(EventBase):
    """The user does not manage the bot now."""

    type: Literal["realm_bot"]
    op: Literal["delete"]
    bot: BotId


class InvitesChangedEvent(EventBase):
    """The list of invitations changed: fetch it."""

    type: Literal["invites_changed"]


class HeartbeatEvent(EventBase):
    """No event; must be acknowledged as any other."""

    type: Literal["heartbeat"]


class RestartEvent(EventBase):
    """The server was restarted; `server_generation` in UNIX seconds."""

    type: Literal["restart"]
    service_feature_level: int
    zulip_feature_level: int
    zulip_version: str
    zulip_merge_base: str
    server_generation: int


OrganizationEvents = (
    RealmUpdateEvent
    | DefaultSettingEvent
    | EmojiAddEvent
    | EmojiUpdateOneEvent
    | EmojiUpdateEvent
    | LinkifiersEvent
    | PlaygroundsEvent
    | DomainEvent
    | DomainRemoveEvent
    | ProfileFieldsEvent
    | BotAddEvent
    | BotUpdateEvent
    | BotDeleteEvent
    | InvitesChangedEvent
    | HeartbeatEvent
    | RestartEvent
)
