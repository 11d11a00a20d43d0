"""The organization's settings, domains, linkifiers, playgrounds, profile fields, as records. Reads only."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import orjson

from server_lite.access.playgrounds import check_template
from server_lite.access.profile_fields import IN_SUMMARY, checked_data
from server_lite.data_import.checked import checked
from server_lite.data_import.source import Placed
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import Numbers
from server_lite.errors import ApiError, StartError
from server_lite.export import format as form
from server_lite.export.personal_import import fits_personal
from server_lite.export.settings_import import fits
from server_lite.markup import linkifiers
from server_lite.markup.lookup import Linkifier
from server_lite.store import realm
from server_lite.store.personal_settings import PERSONAL
from server_lite.store.profile_fields import FieldType
from server_lite.store.user_groups import GroupSetting, SystemGroup

CHANNELS: Final = {
    "notifications_stream": "new_stream_announcements_stream_id",
    "new_stream_announcements_stream": "new_stream_announcements_stream_id",
    "signup_notifications_stream": "signup_announcements_stream_id",
    "signup_announcements_stream": "signup_announcements_stream_id",
    "zulip_update_announcements_stream": "zulip_update_announcements_stream_id",
    "moderation_request_channel": "moderation_request_channel_id",
}
"""Columns that refer to a channel -> the setting."""
POLICIES: Final = {
    "create_public_stream_policy": "can_create_public_channel_group",
    "create_private_stream_policy": "can_create_private_channel_group",
    "create_web_public_stream_policy": "can_create_web_public_channel_group",
    "invite_to_realm_policy": "can_invite_users_group",
    "invite_to_stream_policy": "can_add_subscribers_group",
    "move_messages_between_streams_policy": "can_move_messages_between_channels_group",
    "edit_topic_policy": "can_move_messages_between_topics_group",
    "add_custom_emoji_policy": "can_add_custom_emoji_group",
    "delete_own_message_policy": "can_delete_own_message_group",
    "wildcard_mention_policy": "can_mention_many_users_group",
    "private_message_policy": "direct_message_permission_group",
    "user_group_edit_policy": "can_create_groups",
}
"""Columns of older versions, with a number for the holders -> the permission."""
HOLDERS: Final = {
    1: SystemGroup.MEMBERS,
    2: SystemGroup.ADMINISTRATORS,
    3: SystemGroup.FULL_MEMBERS,
    4: SystemGroup.MODERATORS,
    5: SystemGroup.EVERYONE,
    6: SystemGroup.NOBODY,
    7: SystemGroup.OWNERS,
}
"""The numbers in such a column."""
OTHER_HOLDERS: Final = {
    "wildcard_mention_policy": {
        1: SystemGroup.EVERYONE,
        2: SystemGroup.MEMBERS,
        3: SystemGroup.FULL_MEMBERS,
        5: SystemGroup.ADMINISTRATORS,
        6: SystemGroup.NOBODY,
        7: SystemGroup.MODERATORS,
    },
    "private_message_policy": {1: SystemGroup.EVERYONE, 2: SystemGroup.NOBODY},
}
"""Columns with numbers of their own."""


def organization(dump: Dump, numbers: Numbers) -> Iterator[Placed]:
    """Yield the first record."""
    realms = list(dump.raw("zerver_realm"))
    if len(realms) != 1:
        raise StartError(f"The export has {len(realms)} organizations instead of one.")
    where, row = realms[0]
    checked(rows.Realm, row, where)
    defaults: dict[str, object] = {}
    for _, raw in dump.raw("zerver_realmuserdefault"):
        defaults = personal_settings(raw)
    yield (
        where,
        form.Organization(
            settings=_settings(row),
            permissions=_permissions(row, numbers),
            personal_defaults=defaults,
        ),
    )


def _settings(row: dict[str, object]) -> dict[str, object]:
    settings: dict[str, object] = {}
    for name, known in realm.SETTINGS.items():
        if name in row and fits(known, row[name]) and row[name] != known.default:
            settings[name] = row[name]
    for column, name in CHANNELS.items():
        if isinstance(row.get(column), int) and fits(realm.SETTINGS[name], row[column]):
            settings[name] = row[column]
    if row.get("mandatory_topics") is True or row.get("topics_policy") == 3:
        settings["topics_policy"] = "disable_empty_topic"
    else:
        settings.pop("topics_policy", None)
    if row.get("allow_edit_history") is False:
        settings["message_edit_history_visibility_policy"] = "none"
    name = str(row.get("name") or "").strip()[: realm.MAX_NAME]
    if fits(realm.SETTINGS["name"], name):
        settings["name"] = name
    return settings


def _permissions(row: dict[str, object], numbers: Numbers) -> dict[str, GroupSetting]:
    permissions: dict[str, GroupSetting] = {}
    for column, name in POLICIES.items():
        choices = OTHER_HOLDERS.get(column, HOLDERS)
        number = row.get(column)
        if isinstance(number, int) and number in choices:
            permissions[name] = int(choices[number])
    for name in realm.PERMISSIONS:
        holders = numbers.holders(row.get(name))
        if holders is not None:
            permissions[name] = holders
    return {
        name: holders
        for name, holders in sorted(permissions.items())
        if holders != realm.PERMISSIONS[name].default
    }


def personal_settings(row: dict[str, object]) -> dict[str, object]:
    """Return the known settings in a row that differ from the defaults."""
    return {
        name: row[name]
        for name, known in PERSONAL.items()
        if name in row and fits_personal(name, row[name]) and row[name] != known.default
    }


def settings_records(dump: Dump, left_out: Counter[str]) -> Iterator[Placed]:
    """Yield domains, linkifiers, playgrounds and profile fields, in their order."""
    for where, domain in dump.table("zerver_realmdomain", rows.Domain):
        yield (
            where,
            form.Domain(name=domain.domain, allow_subdomains=domain.allow_subdomains),
        )
    for where, one in sorted(
        dump.table("zerver_realmfilter", rows.Linkifier), key=lambda placed: placed[1].order
    ):
        try:
            linkifiers.check(Linkifier(pattern=one.pattern, url_template=one.url_template))
        except linkifiers.BadLinkifier:
            left_out["linkifiers that cannot be used here"] += 1
        else:
            yield where, form.Linkifier(pattern=one.pattern, url_template=one.url_template)
    for where, playground in dump.table("zerver_realmplayground", rows.Playground):
        if check_template(playground.url_template):
            left_out["playgrounds that cannot be used here"] += 1
            continue
        yield (
            where,
            form.Playground(
                name=playground.name,
                language=playground.pygments_language,
                url_template=playground.url_template,
            ),
        )
    yield from _profile_fields(dump)


def _profile_fields(dump: Dump) -> Iterator[Placed]:
    summary_count = 0
    for where, field in sorted(
        dump.table("zerver_customprofilefield", rows.ProfileField),
        key=lambda placed: placed[1].order,
    ):
        data = _json_object(field.field_data or "{}", where)
        try:
            checked_data(field.field_type, data)
        except ApiError as error:
            raise StartError(f"{where}: {error}.") from error
        is_shown = field.display_in_profile_summary and field.field_type != FieldType.USER
        summary_count += is_shown
        yield (
            where,
            form.ProfileField(
                id=field.id,
                kind=field.field_type,
                name=field.name[:40],
                hint=(field.hint or "")[:80],
                data=data,
                in_summary=is_shown and summary_count <= IN_SUMMARY,
                is_required=field.required,
                is_editable=field.editable_by_user,
                is_for_matching=field.use_for_user_matching,
            ),
        )


def _json_object(text: str, where: str) -> dict[str, object]:
    try:
        decoded = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise StartError(f"{where} is not valid: field_data is not JSON.") from error
    if not isinstance(decoded, dict):
        raise StartError(f"{where} is not valid: field_data is not an object.")
    return decoded
