"""Rows of channels. SQL only: `access` decides who may see or change them."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import ChannelId, MessageId, UserId
from server_lite.store.connection import Db, SqlValue
from server_lite.store.rows import Rows, insert_row
from server_lite.store.user_groups import GroupSetting as GroupSetting


@dataclass(frozen=True, slots=True)
class ChannelRow:
    """A row of `channel`; times in UNIX seconds."""

    id: ChannelId
    name: str
    description: str
    rendered_description: str
    date_created: float
    creator_id: UserId | None
    invite_only: bool
    is_web_public: bool
    history_public_to_subscribers: bool
    is_archived: bool
    is_default: bool
    message_retention_days: int | None
    topics_policy: str
    folder_id: int | None
    first_message_id: MessageId | None
    group_settings: dict[str, GroupSetting]
    """Only the permissions that differ from the defaults."""

    @property
    def is_public(self) -> bool:
        """Whether all users except guests may read and join the channel."""
        return not self.invite_only


_ROWS: Final = Rows(ChannelRow, "channel", keeps=True)


def name_key(name: str) -> str:
    """Return the key that is equal for names that count as the same."""
    return name.casefold()


HAS_SUBSCRIBER: Final = (
    "channel.id IN (SELECT channel_id FROM subscription WHERE user_id = ? AND active)"
)
"""Condition for `where`: the user with the bound ID is subscribed."""


def by_id(db: Db, channel_id: ChannelId) -> ChannelRow | None:
    """Return the channel, archived or not."""
    return _ROWS.one(db, "WHERE id = ?", channel_id)


def by_name(db: Db, name: str) -> ChannelRow | None:
    """Return the channel with this name, ignoring case."""
    return _ROWS.one(db, "WHERE name_key = ?", name_key(name))


def by_names(db: Db, names: Iterable[str]) -> dict[str, ChannelRow]:
    """Return the existing ones of the channels with these names by the names' keys."""
    return {name_key(row.name): row for row in _ROWS.among(db, "name_key", map(name_key, names))}


def by_ids(db: Db, ids: Collection[int]) -> list[ChannelRow]:
    """Return the existing ones of these channels, by ID."""
    return _ROWS.among(db, "id", ids)


def where(db: Db, condition: str, *values: SqlValue) -> list[ChannelRow]:
    """Return channels that match an SQL condition over the table `channel`, by ID."""
    return _ROWS.all(db, f"WHERE {condition} ORDER BY id", *values)


def defaults(db: Db) -> Sequence[ChannelRow]:
    """Return the active default channels, by ID."""
    return db.cached(_defaults)


def _defaults(db: Db) -> Sequence[ChannelRow]:
    return where(db, "channel.is_default AND NOT channel.is_archived")


def ids_by_retention(db: Db, inherited: int) -> list[tuple[int, list[ChannelId]]]:
    """Return the channels that delete their messages, by the number of days after which they do.

    `inherited` are the organization's days; none if it is not positive.
    """
    rows = db.rows(
        "SELECT coalesce(message_retention_days, ?) AS days, json_group_array(id) FROM channel"
        " WHERE days > 0 GROUP BY days",
        inherited,
    )
    return [(days, orjson.loads(ids)) for days, ids in rows]


def private_by_settings(db: Db) -> Sequence[tuple[ChannelRow, list[ChannelId]]]:
    """Return a private channel for each combination of group settings other than the defaults, with the IDs of all."""
    return db.cached(_private_by_settings)


def _private_by_settings(db: Db) -> Sequence[tuple[ChannelRow, list[ChannelId]]]:
    rows = db.rows(
        "SELECT json_group_array(id) FROM channel WHERE invite_only AND group_settings != '{}'"
        " GROUP BY group_settings"
    )
    ids_alike: list[list[ChannelId]] = sorted(orjson.loads(ids) for (ids,) in rows)
    firsts = by_ids(db, [ids[0] for ids in ids_alike])
    return [*zip(firsts, ids_alike, strict=True)]


def insert(
    db: Db,
    *,
    name: str,
    description: str,
    rendered_description: str,
    creator_id: UserId | None,
    now: float,
    invite_only: bool,
    is_web_public: bool,
    history_public_to_subscribers: bool,
    is_default: bool,
    message_retention_days: int | None,
    topics_policy: str,
    folder_id: int | None,
    group_settings: dict[str, GroupSetting],
) -> ChannelId:
    """Insert a channel; returns its ID."""
    channel_id = insert_row(
        db,
        "channel",
        name=name,
        name_key=name_key(name),
        description=description,
        rendered_description=rendered_description,
        date_created=now,
        creator_id=creator_id,
        invite_only=invite_only,
        is_web_public=is_web_public,
        history_public_to_subscribers=history_public_to_subscribers,
        is_default=is_default,
        message_retention_days=message_retention_days,
        topics_policy=topics_policy,
        folder_id=folder_id,
        group_settings=orjson.dumps(group_settings).decode(),
    )
    return ChannelId(channel_id)


def rename(db: Db, channel_id: ChannelId, name: str) -> None:
    """Store a new name."""
    db.run(
        "UPDATE channel SET name = ?, name_key = ? WHERE id = ?", name, name_key(name), channel_id
    )


def describe(db: Db, channel_id: ChannelId, description: str, rendered: str) -> None:
    """Store a new description and its HTML."""
    db.run(
        "UPDATE channel SET description = ?, rendered_description = ? WHERE id = ?",
        description,
        rendered,
        channel_id,
    )


def set_privacy(
    db: Db, channel_id: ChannelId, *, invite_only: bool, is_web_public: bool, history_public: bool
) -> None:
    """Store the channel's privacy."""
    db.run(
        "UPDATE channel SET invite_only = ?, is_web_public = ?, history_public_to_subscribers = ?"
        " WHERE id = ?",
        invite_only,
        is_web_public,
        history_public,
        channel_id,
    )


_PLAIN: Final = frozenset(
    (
        "is_archived",
        "is_default",
        "message_retention_days",
        "topics_policy",
        "folder_id",
        "first_message_id",
    )
)


def set_value(db: Db, channel_id: ChannelId, column: str, value: str | int | None) -> None:
    """Store one of the fields without derived values."""
    assert column in _PLAIN
    db.run(f"UPDATE channel SET {column} = ? WHERE id = ?", value, channel_id)


def set_group_settings(db: Db, channel_id: ChannelId, settings: dict[str, GroupSetting]) -> None:
    """Store the permissions that differ from the defaults."""
    text = orjson.dumps(settings).decode()
    db.run("UPDATE channel SET group_settings = ? WHERE id = ?", text, channel_id)


def newest_message_id(db: Db) -> int:
    """Return the highest message ID of the organization; 0 without messages."""
    newest: int | None = db.value("SELECT max(id) FROM message")
    return newest or 0
