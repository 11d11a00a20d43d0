"""Channels with their folders and subscribers, as records. Reads only."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from server_lite.data_import.checked import checked
from server_lite.data_import.source import Placed
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import Numbers
from server_lite.data_import.zulip.receipts import Receipts
from server_lite.export import format as form
from server_lite.export.personal import NOTIFICATIONS
from server_lite.export.zulip.channels import POST_POLICIES, TOPIC_POLICIES
from server_lite.ids import ChannelId
from server_lite.store.channel_permissions import PERMISSIONS
from server_lite.store.user_groups import GroupSetting

SENDERS: Final = {number: int(group) for group, number in POST_POLICIES.items()}
POLICIES: Final = {number: name for name, number in TOPIC_POLICIES.items()}
LONGEST: Final = 1024
"""Maximum characters of a description."""


def folders(dump: Dump, numbers: Numbers) -> Iterator[Placed]:
    """Yield the folders in their order."""
    rows_in_file = dump.table("zerver_channelfolder", rows.Folder)
    for where, row in sorted(rows_in_file, key=lambda placed: placed[1].order):
        yield (
            where,
            form.Folder(
                id=row.id,
                name=row.name,
                description=row.description[:20_000],
                creator=numbers.perhaps(row.creator),
                created=row.date_created,
                is_archived=row.is_archived,
            ),
        )


def channels(dump: Dump, numbers: Numbers, receipts: Receipts) -> Iterator[Placed]:
    """Yield all channels, with current and former subscribers."""
    members: dict[int, dict[int, form.Membership]] = defaultdict(dict)
    for where, one in dump.table("zerver_subscription", rows.Subscription):
        place = numbers.place(one.recipient, where)
        if place.channel is not None:
            person = numbers.person(one.user_profile, where)
            members[place.channel][person] = _membership(one, person, place.channel, receipts)
    default = {row.stream for row in dump.rows("zerver_defaultstream", rows.DefaultStream)}
    for where, raw in dump.raw("zerver_stream"):
        row = checked(rows.Stream, raw, where)
        yield (
            where,
            form.Channel(
                id=row.id,
                name=row.name,
                description=row.description[:LONGEST],
                creator=numbers.perhaps(row.creator),
                created=row.date_created,
                is_private=bool(row.invite_only),
                is_web_public=row.is_web_public,
                is_history_public=row.history_public_to_subscribers,
                is_archived=row.deactivated,
                is_default=row.id in default,
                retention_days=row.message_retention_days,
                topics_policy=POLICIES.get(row.topics_policy, "inherit"),
                folder=row.folder,
                permissions=_permissions(raw, row, numbers),
                people=[one for _, one in sorted(members[row.id].items())],
            ),
        )


def _membership(
    row: rows.Subscription, person: int, channel: ChannelId, receipts: Receipts
) -> form.Membership:
    notifications = {name: getattr(row, column) for name, column in NOTIFICATIONS.items()}
    return form.Membership(
        person=person,
        is_active=row.active,
        color=_color(row.color),
        is_muted=bool(row.is_muted),
        is_pinned=row.pin_to_top,
        notifications={name: value for name, value in notifications.items() if value is not None},
        periods=receipts.periods(person, channel, is_active=row.active),
    )


def _color(text: str) -> str:
    """Return `#rrggbb`; gray if invalid."""
    text = text.lower()
    is_color = len(text) == 7 and text[0] == "#" and all(c in "0123456789abcdef" for c in text[1:])
    return text if is_color else "#c2c2c2"


def _permissions(
    raw: dict[str, object], row: rows.Stream, numbers: Numbers
) -> dict[str, GroupSetting]:
    permissions: dict[str, GroupSetting] = {}
    if row.stream_post_policy in SENDERS:
        permissions["can_send_message_group"] = SENDERS[row.stream_post_policy]
    for name in PERMISSIONS:
        holders = numbers.holders(raw.get(name))
        if holders is not None:
            permissions[name] = holders
    return {
        name: holders
        for name, holders in sorted(permissions.items())
        if holders != PERMISSIONS[name].default
    }
