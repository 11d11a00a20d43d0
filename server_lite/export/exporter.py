"""An organization, or what one user may read of it, as records in the plain form. Reads only."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final

from server_lite.access.messages import Condition, visible_messages_sql
from server_lite.access.uploads import may_read_upload
from server_lite.access.users import sees_address
from server_lite.dataclass import dataclass
from server_lite.export import format as form
from server_lite.export.flags import flags_on
from server_lite.export.format import Record
from server_lite.export.personal import notifications, personal_data, scheduled_records
from server_lite.export.settings import organization_records
from server_lite.objects.users import api_email
from server_lite.store import (
    channel_folders,
    channels,
    conversations,
    custom_emoji,
    export_import,
    messages,
    reactions,
    realm,
    settings,
    submessages,
    subscriptions,
    uploads,
    user_groups,
    users,
)
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.history import Entry
from server_lite.store.messages import MessageRow
from server_lite.store.uploads import UploadRow
from server_lite.store.users import Role, UserRow

PAGE: Final = 500
"""Messages read at once."""
_HTML: Final = "prev_rendered_content"


def iter_records(db: Db, viewer: UserRow | None) -> Iterator[Record]:
    """Yield everything in the order of the form; with a `viewer` only what that user may read."""
    view = _everything(db) if viewer is None else _seen_by(db, viewer)
    yield _organization(db, view)
    if viewer is None:
        yield from organization_records(db)
    for user in sorted(users.everyone(db), key=lambda user: (user.is_bot, user.id)):
        if user.id in view.people and not user.is_system_bot:
            yield _person(db, user, view)
    if viewer is None:
        yield from _groups(db)
        for folder in channel_folders.everything(db):
            yield form.Folder(
                id=folder.id,
                name=folder.name,
                description=folder.description,
                creator=folder.creator_id,
                created=folder.date_created,
                is_archived=folder.is_archived,
            )
    for channel in channels.where(db, "TRUE"):
        if channel.id in view.channels:
            yield _channel(db, channel, view)
    for emoji in custom_emoji.everything(db):
        author = emoji.author_id if emoji.author_id in view.people else None
        yield form.Emoji(
            id=emoji.id, name=emoji.name, author=author, is_active=not emoji.deactivated
        )
    writers = [user for user in users.everyone(db) if view.is_own(user)]
    yield from scheduled_records(db, writers, view.channels)
    for upload in view.uploads:
        yield form.File(
            id=upload.id,
            path=upload.path_id,
            name=upload.name,
            content_type=upload.content_type,
            person=upload.user_id,
            created=upload.created,
        )
    yield from _messages(db, view)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The selection to export."""

    viewer: UserRow | None
    messages: Condition
    people: Collection[int]
    channels: Collection[int]
    uploads: list[UploadRow]

    def is_own(self, user: UserRow) -> bool:
        """Whether the personal data of this user is included."""
        return self.viewer is None or self.viewer.id == user.id


def _everything(db: Db) -> View:
    everyone = users.everyone(db)
    return View(
        viewer=None,
        messages=("TRUE", []),
        people=frozenset(user.id for user in everyone),
        channels=frozenset(row.id for row in channels.where(db, "TRUE")),
        uploads=[one for user in everyone for one in uploads.of_user(db, user.id)],
    )


def _seen_by(db: Db, viewer: UserRow) -> View:
    """Return the user's messages, and all users and objects that they refer to."""
    seen, values = visible_messages_sql(db, viewer)
    theirs = [
        upload
        for user in users.everyone(db)
        for upload in uploads.of_user(db, user.id)
        if may_read_upload(db, viewer, upload)
    ]
    people = {viewer.id, *(upload.user_id for upload in theirs)}
    people.update(export_import.people_in(db, seen, values))
    named = export_import.channels_of(db, seen, values)
    return View(
        viewer=viewer,
        messages=(seen, values),
        people=people,
        channels={*named, *subscriptions.channel_ids(db, viewer.id)},
        uploads=theirs,
    )


def _organization(db: Db, view: View) -> form.Organization:
    stored = settings.stored(db)
    if view.viewer is not None:
        return form.Organization(settings={"name": realm.setting(db, "name")})
    return form.Organization(
        settings={name: stored[name] for name in sorted(stored.keys() & realm.SETTINGS.keys())},
        permissions={
            name: stored[name] for name in sorted(stored.keys() & realm.PERMISSIONS.keys())
        },
        personal_defaults=realm.default_personal_settings(db),
    )


def _person(db: Db, user: UserRow, view: View) -> form.Person:
    hidden = view.viewer is not None and not sees_address(view.viewer, user)
    own = (
        personal_data(
            db, user, people=view.people, channels=view.channels, whole=view.viewer is None
        )
        if view.is_own(user)
        else {}
    )
    return form.Person(
        id=user.id,
        email=api_email(user, realm.domain(db)) if hidden else user.email,
        name=user.full_name,
        role=Role(user.role).name.lower(),  # type: ignore[arg-type]  # the names are those of the form
        is_active=user.is_active,
        joined=user.date_joined,
        timezone="" if hidden else user.timezone,
        bot_type=user.bot_type,  # type: ignore[arg-type]  # the numbers are those of the form
        owner=user.bot_owner_id if user.bot_owner_id in view.people else None,
        is_stub=user.is_imported_stub,
        has_picture=user.avatar is not None and view.viewer is None,
        **own,
    )


def _groups(db: Db) -> Iterator[form.Group]:
    people, groups = user_groups.direct_members(db), user_groups.direct_subgroups(db)
    for group in user_groups.every(db):
        if not group.is_system:
            yield form.Group(
                id=group.id,
                name=group.name,
                description=group.description,
                creator=group.creator_id,
                created=group.date_created,
                is_active=not group.deactivated,
                members=sorted(people.get(group.id, [])),
                groups=sorted(groups.get(group.id, [])),
                permissions=group.settings,
            )


def _channel(db: Db, row: ChannelRow, view: View) -> form.Channel:
    whole = view.viewer is None
    return form.Channel(
        id=row.id,
        name=row.name,
        description=row.description,
        creator=row.creator_id if row.creator_id in view.people else None,
        created=row.date_created,
        is_private=row.invite_only,
        is_web_public=row.is_web_public,
        is_history_public=row.history_public_to_subscribers,
        is_archived=row.is_archived,
        is_default=row.is_default,
        retention_days=row.message_retention_days,
        topics_policy=row.topics_policy,
        folder=row.folder_id if whole else None,
        permissions=row.group_settings if whole else {},
        people=[
            form.Membership(
                person=one.user_id,
                is_active=one.active,
                color=one.color,
                is_muted=one.is_muted,
                is_pinned=one.pin_to_top,
                notifications=notifications(one),
                periods=list(subscriptions.periods(db, one.user_id, row.id)),
            )
            for one in subscriptions.ever_in_channel(db, row.id)
            if whole or (view.viewer is not None and one.user_id == view.viewer.id)
        ],
    )


def _messages(db: Db, view: View) -> Iterator[form.Message]:
    seen, values = view.messages
    last = 0
    while True:
        page = messages.ids_where(db, f"id > ? AND {seen}", last, *values, limit=PAGE)
        if not page:
            return
        yield from _page(db, messages.by_ids(db, page), view)
        last = page[-1]


def _page(db: Db, rows: list[MessageRow], view: View) -> Iterator[form.Message]:
    ids = [row.id for row in rows]
    reacted, parts = reactions.of_messages(db, ids), submessages.of_messages(db, ids)
    direct = conversations.by_ids(
        db, [row.conversation_id for row in rows if row.conversation_id is not None]
    )
    mine = None if view.viewer is None else view.viewer.id
    flags: dict[int, dict[str, list[int]]] = defaultdict(dict)
    for message_id, flag, user_id in flags_on(db, rows):
        if mine in (None, user_id):
            flags[message_id].setdefault(flag, []).append(user_id)
    unread: dict[int, list[int]] = defaultdict(list)
    for message_id, user_id in export_import.unread_on(db, ids):
        if mine in (None, user_id):
            unread[message_id].append(user_id)
    for row in rows:
        yield form.Message(
            id=row.id,
            sender=row.sender_id,
            channel=row.channel_id,
            topic=row.topic,
            people=[] if row.conversation_id is None else list(direct[row.conversation_id].members),
            content=row.content,
            time=row.timestamp,
            client=row.client,
            edited=row.last_edit,
            moved=row.last_moved,
            history=[_without_html(entry) for entry in row.edit_history] if mine is None else [],
            reactions=[
                form.Reaction(person=one.user_id, name=one.name, kind=one.type, code=one.code)  # type: ignore[arg-type]  # the names are those of the form
                for one in reacted.get(row.id, [])
            ],
            parts=[
                form.Part(person=one.sender_id, kind=one.msg_type, content=one.content)
                for one in parts.get(row.id, [])
            ],
            flags=flags[row.id],
            unread=unread[row.id],
        )


def _without_html(entry: Entry) -> dict[str, object]:
    return {name: value for name, value in entry.items() if name != _HTML}
