"""Organization settings: the one table of their names, defaults and allowed values. Reads only.

Only changed values are stored. A permission is a *group setting*: the ID of a user group, or listed
members and subgroups.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from server_lite.dataclass import dataclass
from server_lite.languages import is_language
from server_lite.store import settings
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupSetting, SystemGroup

Value = bool | int | str | None

DEFAULT_DOMAIN: Final = "chinwag.local"
MAX_NAME: Final = 40
MAX_DESCRIPTION: Final = 1000
YEARS_100: Final = 100 * 365 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmSetting:
    """An organization setting. `accepts` decides whether a decoded value of the right type is allowed."""

    default: Value
    type: type[bool] | type[int] | type[str]
    accepts: Callable[[Any], bool] = lambda _: True
    nullable: bool = False
    owner_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmPermission:
    """An organization permission: its default, and the groups it may be given to."""

    default: SystemGroup
    allow_nobody: bool = True
    allow_everyone: bool = False
    """Whether guests may hold the permission."""
    allow_internet: bool = False
    system_groups_only: bool = False
    owner_only: bool = False


def _switch(default: bool, *, owner_only: bool = False) -> RealmSetting:
    return RealmSetting(default=default, type=bool, owner_only=owner_only)


def _choice(default: int | str, *allowed: int | str) -> RealmSetting:
    return RealmSetting(default=default, type=type(default), accepts=lambda v: v in allowed)


def _text(default: str, longest: int) -> RealmSetting:
    return RealmSetting(
        default=default, type=str, accepts=lambda v: len(v) <= longest and "\0" not in v
    )


def _period(default: int | None) -> RealmSetting:
    """Return a setting in seconds; None is unlimited."""
    return RealmSetting(
        default=default, type=int, nullable=True, accepts=lambda v: 0 < v <= YEARS_100
    )


NO_CHANNEL: Final = -1


def _channel() -> RealmSetting:
    """Return a setting for a channel's ID, or `NO_CHANNEL`."""
    return RealmSetting(default=NO_CHANNEL, type=int, accepts=lambda v: v >= NO_CHANNEL)


WEEK: Final = 7 * 24 * 3600

CALL_PROVIDERS: Final[Mapping[str, tuple[str, int]]] = {"zoom": ("Zoom", 3), "webex": ("Webex", 8)}
"""Names and numbers of the video call providers that the server's operator may configure."""

SETTINGS: Final[Mapping[str, RealmSetting]] = {
    "name": RealmSetting(
        default="Chinwag",
        type=str,
        accepts=lambda v: len(v.strip()) > 0 and len(v) <= MAX_NAME and v.isprintable(),
    ),
    "description": _text("", MAX_DESCRIPTION),
    "welcome_message_custom_text": _text("", 8000),
    "default_language": RealmSetting(default="en", type=str, accepts=is_language),
    "default_code_block_language": _text("", 50),
    "org_type": _choice(0, 0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000),
    "allow_message_editing": _switch(True),
    "message_content_edit_limit_seconds": _period(600),
    "message_content_delete_limit_seconds": _period(600),
    "move_messages_within_stream_limit_seconds": _period(WEEK),
    "move_messages_between_streams_limit_seconds": _period(WEEK),
    "message_edit_history_visibility_policy": _choice("all", "all", "moves", "none"),
    "topics_policy": _choice("allow_empty_topic", "allow_empty_topic", "disable_empty_topic"),
    "message_retention_days": RealmSetting(
        default=-1, type=int, accepts=lambda v: v == -1 or 0 < v < 2**31, owner_only=True
    ),
    "enable_read_receipts": _switch(True),
    "presence_disabled": _switch(False),
    "inline_image_preview": _switch(True),
    "inline_url_embed_preview": _switch(False),
    "media_preview_size": _choice(2, 1, 2, 3),
    "send_welcome_emails": _switch(False),
    "digest_emails_enabled": _switch(False),
    "digest_weekday": _choice(1, 0, 1, 2, 3, 4, 5, 6),
    "disallow_disposable_email_addresses": _switch(False),
    "emails_restricted_to_domains": _switch(False, owner_only=True),
    "email_changes_disabled": _switch(False),
    "name_changes_disabled": _switch(False),
    "avatar_changes_disabled": _switch(False),
    "require_unique_names": _switch(False),
    "invite_required": _switch(True, owner_only=True),
    "message_content_allowed_in_email_notifications": _switch(True),
    "enable_spectator_access": _switch(False, owner_only=True),
    "want_advertise_in_communities_directory": _switch(False),
    "waiting_period_threshold": RealmSetting(
        default=0, type=int, accepts=lambda v: 0 <= v <= 36500, owner_only=True
    ),
    "video_chat_provider": _choice(0, 0, 1, *(number for _, number in CALL_PROVIDERS.values())),
    "jitsi_server_url": RealmSetting(
        default=None,
        type=str,
        nullable=True,
        accepts=lambda v: v.startswith("https://") and len(v) <= 200,
    ),
    "enable_guest_user_dm_warning": _switch(True),
    "enable_guest_user_indicator": _switch(True),
    "require_e2ee_push_notifications": _switch(False),
    "gif_rating_policy": _choice(0, 0, 1, 2, 3, 4),
    "default_avatar_source": _choice("G", "G", "J"),
    "send_channel_events_messages": _switch(True),
    "owner_full_content_access": _switch(False, owner_only=True),
    "moderation_request_channel_id": _channel(),
    "new_stream_announcements_stream_id": _channel(),
    "signup_announcements_stream_id": _channel(),
    "zulip_update_announcements_stream_id": _channel(),
}
"""Settings that PATCH /realm changes and register returns with the prefix `realm_`."""

CHANNEL_SETTINGS: Final = tuple(
    name for name, entry in SETTINGS.items() if entry.default == NO_CHANNEL
)
"""Settings whose value is a channel's ID."""


def _may(
    default: SystemGroup,
    *,
    nobody: bool = True,
    everyone: bool = False,
    internet: bool = False,
    system: bool = False,
    owner: bool = False,
) -> RealmPermission:
    return RealmPermission(
        default=default,
        allow_nobody=nobody,
        allow_everyone=everyone,
        allow_internet=internet,
        system_groups_only=system,
        owner_only=owner,
    )


PERMISSIONS: Final[Mapping[str, RealmPermission]] = {
    "create_multiuse_invite_group": _may(SystemGroup.ADMINISTRATORS, owner=True),
    "can_access_all_users_group": _may(
        SystemGroup.EVERYONE, nobody=False, everyone=True, system=True, owner=True
    ),
    "can_add_custom_emoji_group": _may(SystemGroup.MEMBERS, nobody=False),
    "can_add_subscribers_group": _may(SystemGroup.MEMBERS),
    "can_create_bots_group": _may(SystemGroup.MEMBERS, nobody=False, owner=True),
    "can_create_groups": _may(SystemGroup.MEMBERS, nobody=False),
    "can_create_private_channel_group": _may(SystemGroup.MEMBERS, nobody=False),
    "can_create_public_channel_group": _may(SystemGroup.MEMBERS, nobody=False),
    "can_create_web_public_channel_group": _may(SystemGroup.OWNERS, system=True),
    "can_create_write_only_bots_group": _may(SystemGroup.MEMBERS, nobody=False, owner=True),
    "can_delete_any_message_group": _may(SystemGroup.ADMINISTRATORS),
    "can_delete_own_message_group": _may(SystemGroup.EVERYONE, everyone=True),
    "can_invite_users_group": _may(SystemGroup.MEMBERS, owner=True),
    "can_manage_all_groups": _may(SystemGroup.OWNERS, nobody=False),
    "can_manage_billing_group": _may(SystemGroup.ADMINISTRATORS, nobody=False, owner=True),
    "can_mention_many_users_group": _may(SystemGroup.ADMINISTRATORS, everyone=True),
    "can_move_messages_between_channels_group": _may(SystemGroup.MEMBERS),
    "can_move_messages_between_topics_group": _may(SystemGroup.EVERYONE, everyone=True),
    "can_resolve_topics_group": _may(SystemGroup.EVERYONE, everyone=True),
    "can_set_delete_message_policy_group": _may(SystemGroup.MODERATORS, nobody=False),
    "can_set_topics_policy_group": _may(SystemGroup.MEMBERS, everyone=True),
    "can_summarize_topics_group": _may(SystemGroup.NOBODY, everyone=True),
    "direct_message_initiator_group": _may(SystemGroup.EVERYONE, everyone=True),
    "direct_message_permission_group": _may(SystemGroup.EVERYONE, everyone=True),
    "workplace_users_group": _may(SystemGroup.NOBODY),
}
"""Permissions that PATCH /realm changes and register returns with the prefix `realm_`."""


def setting(db: Db, name: str) -> Any:
    """Return one setting; raises KeyError for an unknown name."""
    return settings.value(db, name, SETTINGS[name].default)


def permission(db: Db, name: str) -> GroupSetting:
    """Return the group setting of a permission; raises KeyError for an unknown name."""
    value: GroupSetting = settings.value(db, name, int(PERMISSIONS[name].default))
    return value


def all_settings(db: Db) -> dict[str, Any]:
    """Return all settings and permissions by name."""
    stored = settings.stored(db)
    values = {name: stored.get(name, entry.default) for name, entry in SETTINGS.items()}
    groups = {name: stored.get(name, int(entry.default)) for name, entry in PERMISSIONS.items()}
    return values | groups


def default_personal_settings(db: Db) -> dict[str, Any]:
    """Return the organization's defaults for new users' personal settings, where they differ."""
    chosen: dict[str, Any] = settings.value(db, "personal_defaults", {})
    return chosen


def domain(db: Db) -> str:
    """Return the domain of generated addresses in this organization; no mail is ever delivered there."""
    name: str = settings.value(db, "domain", DEFAULT_DOMAIN)
    return name


def available_call_providers(db: Db) -> dict[str, dict[str, Any]]:
    """Return the choices for `video_chat_provider`, by the names that clients know."""
    offered: dict[str, dict[str, Any]] = {
        "disabled": {"name": "None", "id": 0},
        "jitsi_meet": {"name": "Jitsi Meet", "id": 1},
    }
    chosen = settings.value(db, "call_provider", None)
    if chosen in CALL_PROVIDERS:
        name, number = CALL_PROVIDERS[chosen]
        offered[chosen] = {"name": name, "id": number}
    return offered
