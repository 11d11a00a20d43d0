"""Events about the organization and the server as the API's JSON, for the description. Holds types only."""

from typing import Annotated, Literal, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.bots import BotObject, Service
from server_lite.objects.events.base import EventBase
from server_lite.objects.organization import (
    DomainObject,
    EmojiObject,
    LinkifierObject,
    PlaygroundObject,
)
from server_lite.objects.profile_fields import ProfileFieldObject
from server_lite.objects.settings import REALM_SETTINGS


class RealmUpdateEvent(EventBase):
    """Settings of the organization, under their names without `realm_`."""

    type: Literal["realm"]
    op: Literal["update_dict"]
    property: Literal["default"]
    data: Annotated[
        dict[str, object],
        WithJsonSchema(
            {"type": "object", "properties": REALM_SETTINGS, "additionalProperties": False}
        ),
    ]


class DefaultSettingEvent(EventBase):
    """A personal setting that new people begin with."""

    type: Literal["realm_user_settings_defaults"]
    op: Literal["update"]
    property: str
    value: bool | int | str | None


class EmojiAddEvent(EventBase):
    """There is a new emoji; to clients with `individual_emoji_changes`."""

    type: Literal["realm_emoji"]
    op: Literal["add"]
    emoji: EmojiObject


class EmojiChange(TypedDict, total=False):
    """What changed."""

    deactivated: bool


class EmojiUpdateOneEvent(EventBase):
    """An emoji was changed; to clients with `individual_emoji_changes`."""

    type: Literal["realm_emoji"]
    op: Literal["update_one"]
    emoji_id: str
    data: EmojiChange


class EmojiUpdateEvent(EventBase):
    """All emoji by ID; to older clients."""

    type: Literal["realm_emoji"]
    op: Literal["update"]
    realm_emoji: dict[str, EmojiObject]


class LinkifiersEvent(EventBase):
    """All linkifiers in their order; to clients with `linkifier_url_template`."""

    type: Literal["realm_linkifiers"]
    realm_linkifiers: list[LinkifierObject]


class PlaygroundsEvent(EventBase):
    """All playgrounds."""

    type: Literal["realm_playgrounds"]
    realm_playgrounds: list[PlaygroundObject]


class DomainEvent(EventBase):
    """A domain whose addresses may join is new, or was changed."""

    type: Literal["realm_domains"]
    op: Literal["add", "change"]
    realm_domain: DomainObject


class DomainRemoveEvent(EventBase):
    """Addresses of a domain may no longer join."""

    type: Literal["realm_domains"]
    op: Literal["remove"]
    domain: str


class ProfileFieldsEvent(EventBase):
    """All fields of profiles in their order."""

    type: Literal["custom_profile_fields"]
    fields: list[ProfileFieldObject]


class BotAddEvent(EventBase):
    """There is a new bot; to those who look after it."""

    type: Literal["realm_bot"]
    op: Literal["add"]
    bot: BotObject


class ChangedBot(TypedDict):
    """The bot, and what is new."""

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
    """A bot that somebody else looks after now."""

    user_id: UserId


class BotDeleteEvent(EventBase):
    """The person no longer looks after a bot."""

    type: Literal["realm_bot"]
    op: Literal["delete"]
    bot: BotId


class InvitesChangedEvent(EventBase):
    """The list of invitations changed: fetch it."""

    type: Literal["invites_changed"]


class HeartbeatEvent(EventBase):
    """Nothing happened; it has to be acknowledged as any other."""

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
