"""The organization's own objects in the API: emoji, linkifiers, profile fields… Frozen, pure."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from tui.api.model import (
    EmojiId,
    InviteId,
    LinkifierId,
    NotUnlessSent,
    PlaygroundId,
    ProfileFieldId,
    UserId,
)
from tui.api.wire import DefaultWhenMissing, Key
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEmoji:
    """A custom emoji; `still_url` is the first frame of an animated one."""

    id: EmojiId
    name: str
    source_url: str
    still_url: str | None
    deactivated: bool
    author_id: UserId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkifier:
    """A regular expression whose matches become links by an RFC 6570 template."""

    id: LinkifierId
    pattern: str
    url_template: str
    example_input: str | None
    reverse_template: str | None
    alternative_url_templates: Annotated[tuple[str, ...], DefaultWhenMissing(())]


@dataclass(frozen=True, slots=True, kw_only=True)
class Playground:
    """A site that can run a code block of a language."""

    id: PlaygroundId
    name: str
    pygments_language: str
    url_template: Annotated[str, Key("url_template", "url_prefix")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomProfileField:
    """A custom profile field; `field_data` is JSON text that depends on `type` (1 to 8)."""

    id: ProfileFieldId
    type: int
    order: int
    name: str
    hint: str
    field_data: str
    display_in_profile_summary: NotUnlessSent
    required: NotUnlessSent
    editable_by_user: Annotated[bool, DefaultWhenMissing(True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmDomain:
    """A domain whose email addresses may join."""

    domain: str
    allow_subdomains: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite:
    """An invitation by mail, or a reusable link; `expiry_date` None never expires."""

    id: InviteId
    invited_by_user_id: UserId
    invited: int
    expiry_date: int | None
    invited_as: int
    email: str | None
    link_url: str | None
    is_multiuse: bool
    notify_referrer_on_join: Annotated[bool, DefaultWhenMissing(True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export of the organization's data, in progress, ready or failed; times may be fractions."""

    id: int
    acting_user_id: UserId
    export_time: float
    deleted_timestamp: float | None
    failed_timestamp: float | None
    export_url: str | None
    pending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSettings:
    """The settings of a bot that only its owner sees."""

    user_id: UserId
    default_sending_channel: Annotated[str | None, Key("default_sending_stream")]
    default_events_register_channel: Annotated[str | None, Key("default_events_register_stream")]
    default_all_public_channels: Annotated[bool | None, Key("default_all_public_streams")]


@dataclass(frozen=True, slots=True, kw_only=True)
class BotService:
    """The service of an outgoing webhook; `interface` 1 is the API's own format, 2 is Slack's."""

    base_url: Annotated[str, DefaultWhenMissing("")]
    interface: Annotated[int, DefaultWhenMissing(1)]
    trigger_words: Annotated[tuple[str, ...] | None, DefaultWhenMissing(None)]
    """Words at the beginning of a message that call it; None from servers without such words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBot:
    """A bot as its owner sees it; full servers list no services here. "": the API key is not sent."""

    email: Annotated[str, Key("username")]
    api_key: Annotated[str, DefaultWhenMissing("")] = field(repr=False)
    services: Annotated[tuple[BotService, ...], DefaultWhenMissing(())]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedBot:
    """A service that runs on the server itself and can be made a bot; `config` are its required options."""

    name: str
    config: Annotated[Mapping[str, str], DefaultWhenMissing({})]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOption:
    """An option of a service's bots."""

    key: str
    label: Annotated[str, DefaultWhenMissing("")]


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingWebhook:
    """A service whose messages the server accepts; `name` is the end of the URL to post to."""

    name: str
    display_name: Annotated[str, DefaultWhenMissing("")]
    config_options: Annotated[tuple[ConfigOption, ...], DefaultWhenMissing(())]

    def is_configured_by(self, key: str) -> bool:
        """Whether its bots have an option of this name."""
        return any(option.key == key for option in self.config_options)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnboardingStep:
    """An onboarding hint that was not shown yet."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticationBackend:
    """A sign-in method other than a password; `login_url` is where a browser starts it."""

    name: str
    display_name: str
    login_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """A server's public settings: enough to offer the right sign-in methods."""

    feature_level: Annotated[
        int, Key("service_feature_level", "zulip_feature_level"), DefaultWhenMissing(0)
    ]
    version: Annotated[str, Key("zulip_version"), DefaultWhenMissing("")]
    is_incompatible: NotUnlessSent
    realm_name: str | None
    realm_url: Annotated[str | None, Key("realm_url", "realm_uri")]
    realm_icon: str | None
    realm_description: str | None
    email_auth_enabled: Annotated[bool, DefaultWhenMissing(True)]
    require_email_format_usernames: Annotated[bool, DefaultWhenMissing(True)]
    authentication_methods: Annotated[Mapping[str, bool], DefaultWhenMissing({})]
    external_authentication_methods: Annotated[
        tuple[AuthenticationBackend, ...], DefaultWhenMissing(())
    ]
