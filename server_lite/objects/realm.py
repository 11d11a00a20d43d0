"""The organization's settings and the server's limits as fields of register. Reads only."""

from collections.abc import Mapping
from typing import Any, Final

from server_lite.config import MAX_PASSWORD, MIN_PASSWORD, Limits
from server_lite.events.base import EMPTY_TOPIC_DISPLAY_NAME
from server_lite.store import realm, settings
from server_lite.store.channel_permissions import PERMISSIONS as CHANNEL_PERMISSIONS
from server_lite.store.connection import Db
from server_lite.store.profile_fields import EXTERNAL_ACCOUNTS
from server_lite.store.realm import RealmPermission
from server_lite.store.user_groups import GroupSetting, SystemGroup

LEGACY_POLICY: Final[Mapping[int, int]] = {
    SystemGroup.OWNERS: 7,
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.MODERATORS: 4,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MEMBERS: 1,
    SystemGroup.EVERYONE: 1,
    SystemGroup.NOBODY: 6,
}
"""The numbers by which clients without group settings know who may create channels."""

LEGACY_WILDCARD_POLICY: Final[Mapping[int, int]] = {
    SystemGroup.EVERYONE: 1,
    SystemGroup.MEMBERS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.ADMINISTRATORS: 5,
    SystemGroup.NOBODY: 6,
    SystemGroup.MODERATORS: 7,
}

SELF_HOSTED: Final = 1
"""Plan type: no limits, no payments."""

LIMITS: Final[Mapping[str, int]] = {
    "max_stream_name_length": 60,
    "max_stream_description_length": 1024,
    "max_channel_folder_name_length": 60,
    "max_channel_folder_description_length": 1024,
    "max_topic_length": 60,
    "max_message_length": 10_000,
    "max_reminder_note_length": 1000,
    "max_bulk_new_subscription_messages": 250,
    "max_avatar_file_size_mib": 5,
    "max_icon_file_size_mib": 5,
    "max_logo_file_size_mib": 5,
    "password_min_length": MIN_PASSWORD,
    "password_max_length": MAX_PASSWORD,
    "password_min_guesses": 10_000,
    "server_presence_ping_interval_seconds": 60,
    "server_presence_offline_threshold_seconds": 140,
    "server_typing_started_expiry_period_milliseconds": 15_000,
    "server_typing_started_wait_period_milliseconds": 10_000,
    "server_typing_stopped_wait_period_milliseconds": 5_000,
    "event_queue_longpoll_timeout_seconds": 90,
}
"""Lengths in characters, sizes in MiB, periods in the unit of their names."""

SERVER: Final[Mapping[str, object]] = {
    "server_min_deactivated_realm_deletion_days": None,
    "server_max_deactivated_realm_deletion_days": None,
    "zulip_plan_is_not_limited": True,
    "upgrade_text_for_wide_organization_logo": "",
    "server_jitsi_server_url": None,
    "server_inline_image_preview": True,
    "server_inline_url_embed_preview": False,
    "server_thumbnail_formats": [],
    "server_avatar_changes_disabled": False,
    "server_name_changes_disabled": False,
    "server_needs_upgrade": False,
    "server_web_public_streams_enabled": True,
    "server_can_summarize_topics": False,
    "settings_send_digest_emails": False,
    "server_report_message_types": [
        {"key": "spam", "name": "Spam"},
        {"key": "harassment", "name": "Harassment"},
        {"key": "inappropriate", "name": "Inappropriate content"},
        {"key": "norms", "name": "Violates community norms"},
        {"key": "other", "name": "Other reason"},
    ],
    "gif_rating_policy_options": {"disabled": {"name": "GIF integration disabled", "id": 0}},
}
"""Fields that are the same on every server of this kind."""


def realm_fields(db: Db, *, base_url: str, dev: bool, limits: Limits) -> dict[str, object]:
    """Return all fields that register adds for `realm`."""
    values = realm.all_settings(db)
    return {
        **{f"realm_{name}": value for name, value in values.items()},
        **{f"realm_{name}": value for name, value in derived(values).items()},
        **_identity(db, base_url),
        **LIMITS,
        **SERVER,
        # The name's meaning before an organization could have its own server: text, never null.
        "jitsi_server_url": values["jitsi_server_url"] or "",
        **({"password_min_length": 0, "password_min_guesses": 0} if dev else {}),
        "realm_empty_topic_display_name": EMPTY_TOPIC_DISPLAY_NAME,
        "realm_authentication_methods": {"Email": {"enabled": True, "available": True}},
        "realm_email_auth_enabled": True,
        "realm_password_auth_enabled": True,
        "realm_push_notifications_enabled": False,
        "realm_push_notifications_enabled_end_timestamp": None,
        "realm_upload_quota_mib": limits.uploads_together // (1024 * 1024),
        "realm_plan_type": SELF_HOSTED,
        "realm_available_video_chat_providers": realm.available_call_providers(db),
        "realm_default_external_accounts": EXTERNAL_ACCOUNTS,
        "development_environment": dev,
        "server_generation": settings.value(db, "server_generation", 0),
        "max_file_upload_size_mib": limits.upload_bytes // (1024 * 1024),
        "server_emoji_data_url": f"{base_url}/static/emoji.json",
        "server_supported_permission_settings": supported_permissions(),
    }


def derived(values: Mapping[str, Any]) -> dict[str, object]:
    """Return deprecated settings that follow from others, for older clients."""
    return {
        "allow_edit_history": values["message_edit_history_visibility_policy"] != "none",
        "mandatory_topics": values["topics_policy"] == "disable_empty_topic",
        "create_public_stream_policy": _policy(values["can_create_public_channel_group"]),
        "create_private_stream_policy": _policy(values["can_create_private_channel_group"]),
        "create_web_public_stream_policy": _policy(values["can_create_web_public_channel_group"]),
        "wildcard_mention_policy": _policy(
            values["can_mention_many_users_group"], LEGACY_WILDCARD_POLICY
        ),
    }


def _policy(value: GroupSetting, numbers: Mapping[int, int] = LEGACY_POLICY) -> int:
    """Return the nearest old number; a setting without an equivalent is shown as nobody."""
    return numbers.get(value, 6) if isinstance(value, int) else 6


def _identity(db: Db, base_url: str) -> dict[str, object]:
    icon = f"{base_url}/static/icon.png"
    return {
        "realm_date_created": settings.value(db, "date_created", 0),
        "realm_uuid": settings.value(db, "uuid", ""),
        "realm_url": base_url,
        "realm_uri": base_url,
        "realm_bot_domain": realm.domain(db),
        "realm_icon_url": icon,
        "realm_icon_source": "G",
        "realm_logo_url": icon,
        "realm_logo_source": "D",
        "realm_night_logo_url": icon,
        "realm_night_logo_source": "D",
    }


def supported_permissions() -> dict[str, object]:
    """Return all group settings, and the values each accepts."""
    return {
        "realm": {name: _permission(entry) for name, entry in realm.PERMISSIONS.items()},
        "stream": {
            name: _described(GROUP_NAMES[entry.default], nobody=True, everyone=entry.allow_everyone)
            for name, entry in CHANNEL_PERMISSIONS.items()
        },
        "group": GROUP_PERMISSIONS,
    }


def _permission(entry: RealmPermission) -> dict[str, object]:
    return _described(
        GROUP_NAMES[entry.default],
        nobody=entry.allow_nobody,
        everyone=entry.allow_everyone,
        internet=entry.allow_internet,
        system=entry.system_groups_only,
    )


def _described(
    default: str,
    *,
    nobody: bool,
    everyone: bool,
    internet: bool = False,
    system: bool = False,
    for_system: str | None = None,
) -> dict[str, object]:
    return {
        "require_system_group": system,
        "allow_internet_group": internet,
        "allow_nobody_group": nobody,
        "allow_everyone_group": everyone,
        "default_group_name": default,
        "default_for_system_groups": for_system,
        "allowed_system_groups": [],
    }


GROUP_NAMES: Final[Mapping[int, str]] = {
    SystemGroup.OWNERS: "role:owners",
    SystemGroup.ADMINISTRATORS: "role:administrators",
    SystemGroup.MODERATORS: "role:moderators",
    SystemGroup.FULL_MEMBERS: "role:fullmembers",
    SystemGroup.MEMBERS: "role:members",
    SystemGroup.EVERYONE: "role:everyone",
    SystemGroup.INTERNET: "role:internet",
    SystemGroup.NOBODY: "role:nobody",
}

GROUP_PERMISSIONS: Final[Mapping[str, object]] = {
    "can_add_members_group": _described(
        "group_creator", nobody=True, everyone=False, for_system="role:nobody"
    ),
    "can_join_group": _described(
        "role:nobody", nobody=True, everyone=False, for_system="role:nobody"
    ),
    "can_leave_group": _described(
        "role:everyone", nobody=True, everyone=True, for_system="role:nobody"
    ),
    "can_manage_group": _described(
        "group_creator", nobody=True, everyone=False, for_system="role:nobody"
    ),
    "can_mention_group": _described(
        "role:everyone", nobody=True, everyone=True, for_system="role:nobody"
    ),
    "can_remove_members_group": _described(
        "role:nobody", nobody=True, everyone=False, for_system="role:nobody"
    ),
}
