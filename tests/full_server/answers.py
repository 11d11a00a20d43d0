"""Converts server_lite's answers and events to those of a full server of a feature level. No requests."""

from typing import Any, Final

from tests.full_server.levels import levels

OBJECTS: Final = {
    "subscriptions": "channel",
    "unsubscribed": "channel",
    "never_subscribed": "channel",
    "streams": "channel",
    "stream": "channel",
    "user_settings": "settings",
    "realm_user_settings_defaults": "settings",
    "realm_user_groups": "group",
    "user_groups": "group",
    "group": "group",
    "realm_users": "user",
    "realm_non_active_users": "user",
    "cross_realm_bots": "user",
    "members": "user",
    "user": "user",
    "person": "user",
    "realm_linkifiers": "linkifier",
    "linkifiers": "linkifier",
    "custom_profile_fields": "field",
    "custom_fields": "field",
    "fields": "field",
    "channel_folders": "folder",
    "channel_folder": "folder",
    "messages": "message",
    "message": "message",
    "attachments": "attachment",
    "attachment": "attachment",
    "invites": "invite",
    "exports": "export",
}
"""Types of the objects under the keys of an answer or an event."""

MOVES_ARE_TOLD_SINCE: Final = 365
"""Before it, the time of a move is the time of the last edit."""

ATTACHED_IDS_SINCE: Final = 472
"""Before it, the messages of a file are objects."""

ADDRESS_APART_SINCE: Final = 226
"""Before it, a channel's email address is in its subscription."""

OLD_POLICIES: Final = {
    "realm_add_custom_emoji_policy": 307,
    "realm_invite_to_realm_policy": 321,
    "realm_create_public_stream_policy": 264,
    "realm_create_private_stream_policy": 266,
    "realm_move_messages_between_streams_policy": 310,
    "realm_edit_topic_policy": 316,
    "realm_delete_own_message_policy": 291,
    "realm_user_group_edit_policy": 299,
    "realm_bot_creation_policy": 344,
    "realm_private_message_policy": 270,
    "realm_wildcard_mention_policy": 352,
    "realm_invite_to_stream_policy": 341,
}
"""Numbers for policies, before groups: 1 is all members."""

VERSIONS: Final = {218: "8.0-dev+git", 371: "10.0", 496: "12.0"}


def trimmed(value: Any, level: int) -> Any:
    """Return the value without fields of objects that came after the level."""
    if isinstance(value, list):
        return [trimmed(each, level) for each in value]
    if isinstance(value, dict):
        return {key: _under(key, each, level) for key, each in value.items()}
    return value


def _under(key: str, value: Any, level: int) -> Any:
    kind = OBJECTS.get(key)
    below = trimmed(value, level)
    if kind is None:
        return below
    return (
        [_cut(each, kind, level) for each in below]
        if isinstance(below, list)
        else _cut(below, kind, level)
    )


def _cut(value: Any, kind: str, level: int) -> Any:
    if not isinstance(value, dict):
        return value
    if kind == "message" and level < MOVES_ARE_TOLD_SINCE and value.get("edit_history"):
        value["last_edit_timestamp"] = value["edit_history"][0]["timestamp"]
    if kind == "attachment" and level < ATTACHED_IDS_SINCE and "message_ids" in value:
        value["messages"] = [{"id": each, "date_sent": 0} for each in value["message_ids"]]
    table = levels()
    late = table.objects[kind].later(level)
    kept = {table.called(key, level): each for key, each in value.items() if key not in late}
    if kind == "channel" and level < ADDRESS_APART_SINCE and "color" in kept:
        kept["email_address"] = f"{kept['stream_id']}.show-sender@mail.example"
    return kept


def server(answer: dict[str, Any], level: int) -> dict[str, Any]:
    """Return the answer with the version of the full server."""
    own = ("service_feature_level", "chinwag_version")
    kept = {key: value for key, value in answer.items() if key not in own}
    if "zulip_feature_level" in kept:
        kept |= {"zulip_feature_level": level, "zulip_version": VERSIONS[level]}
        kept["zulip_merge_base"] = VERSIONS[level]
    if level < levels().register.since["realm_url"]:
        kept.pop("realm_url", None)
    return kept


def register(answer: dict[str, Any], level: int) -> dict[str, Any]:
    """Return the snapshot without later fields, and without our own."""
    table = levels()
    fields = {
        table.called(key, level): value
        for key, value in answer.items()
        if table.register.known(key, level)
    }
    if "realm_name" in fields:
        fields |= {name: 1 for name, until in OLD_POLICIES.items() if level < until}
        fields["jitsi_server_url"] = fields["server_jitsi_server_url"] = "https://meet.example"
        fields["realm_jitsi_server_url"] = None
        fields["realm_video_chat_provider"] = 1
        fields["realm_available_video_chat_providers"] = {
            "disabled": {"name": "None", "id": 0},
            "jitsi_meet": {"name": "Jitsi Meet", "id": 1},
        }
    return server(trimmed(fields, level), level)


def event(told: dict[str, Any], level: int) -> dict[str, Any]:
    """Return an event of that server; a heartbeat for one that it does not send."""
    kind = told["type"]
    since = levels().events
    if since.get(f"{kind}/{told.get('op')}", since.get(kind, 0)) > level:
        return {"type": "heartbeat", "id": told["id"]}
    property_ = told.get("property")
    if kind in ("stream", "user_settings", "realm_user_settings_defaults") and property_:
        object_ = "channel" if kind == "stream" else "settings"
        if property_ in levels().objects[object_].later(level):
            return {"type": "heartbeat", "id": told["id"]}
    if kind == "realm" and isinstance(told.get("data"), dict):
        known = levels().register
        data = {k: v for k, v in told["data"].items() if known.known(f"realm_{k}", level)}
        told = told | {"data": data}
    if kind == "user_group" and isinstance(told.get("data"), dict):
        told = told | {"data": _cut(told["data"], "group", level)}
    return server(trimmed(told, level), level)
