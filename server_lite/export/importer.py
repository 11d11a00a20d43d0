"""Records of the plain form become rows of a fresh organization, with the ids they had. Tells nobody.

Nothing in a record is trusted: names and addresses pass the checks of new ones, HTML is made here from
the texts, and what a file is, its bytes say.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from server_lite.access.accounts import check_address, check_name
from server_lite.access.channel_settings import checked_description, checked_name
from server_lite.access.mentions import Names
from server_lite.access.uploads import checked_type, may_read_upload, shown_name
from server_lite.actions.channels import render_description
from server_lite.actions.uploads import slices
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.format import Record
from server_lite.ids import MessageId, UserId
from server_lite.image_header import image_of
from server_lite.markup.render import render
from server_lite.markup.text import text_of
from server_lite.store import (
    channel_folders,
    channels,
    conversations,
    flags,
    messages,
    realm,
    settings,
    topics,
    uploads,
    users,
)
from server_lite.store.database import Tx
from server_lite.store.export_import import add, add_people_to_group, as_json, first_message
from server_lite.store.users import Role, UserRow

_HISTORY: Final[dict[str, tuple[type, ...]]] = {
    "user_id": (int, type(None)),
    "timestamp": (int, float),
    "prev_content": (str,),
    "prev_stream": (int,),
    "stream": (int,),
    "prev_topic": (str,),
    "topic": (str,),
}


def import_record(tx: Tx, record: Record, files: Path) -> None:
    """Write the rows of one record; `files` is the folder with the bytes. Raises what tx and checks raise."""
    match record:
        case form.Organization():
            _organization(tx, record)
        case form.Person():
            _person(tx, record)
        case form.Group():
            _group(tx, record)
        case form.Folder():
            _folder(tx, record)
        case form.Channel():
            _channel(tx, record)
        case form.Emoji():
            _emoji(tx, record, files / "emoji" / str(record.id))
        case form.File():
            _file(tx, record, files / "uploads" / str(record.id))
        case form.Message():
            _message(tx, record)


def _organization(tx: Tx, record: form.Organization) -> None:
    for name, value in record.settings.items():
        known = realm.SETTINGS.get(name)
        if known is None or not _fits(known, value):
            raise StartError(f"the setting {name} is unknown, or its value is invalid")
        settings.store(tx, name, value)
    for name, holders in record.permissions.items():
        if name not in realm.PERMISSIONS:
            raise StartError(f"the permission {name} is unknown")
        settings.store(tx, name, holders)


def _fits(known: realm.RealmSetting, value: object) -> bool:
    if value is None:
        return known.nullable
    is_right = isinstance(value, known.type) and isinstance(value, bool) == (known.type is bool)
    return is_right and known.accepts(value)


def _person(tx: Tx, record: form.Person) -> None:
    add(
        tx,
        "user",
        id=record.id,
        email=check_address(tx, record.email),
        full_name=check_name(record.name),
        role=Role[record.role.upper()],
        is_active=record.is_active,
        bot_type=record.bot_type,
        bot_owner_id=record.owner,
        date_joined=record.joined,
        timezone=record.timezone,
    )


def _group(tx: Tx, record: form.Group) -> None:
    add(
        tx,
        "user_group",
        id=record.id,
        name=record.name,
        description=record.description,
        creator_id=record.creator,
        date_created=record.created,
        deactivated=not record.is_active,
        settings=as_json(record.permissions),
    )
    add_people_to_group(tx, record.id, _people(record.members), record.groups)


def _folder(tx: Tx, record: form.Folder) -> None:
    add(
        tx,
        "channel_folder",
        id=record.id,
        name=record.name,
        description=record.description,
        rendered_description=render_description(tx, None, record.description),
        date_created=record.created,
        creator_id=record.creator,
        position=channel_folders.count(tx),
        is_archived=record.is_archived,
    )


def _people(ids: Iterable[int]) -> list[UserId]:
    return [UserId(each) for each in ids]


def _channel(tx: Tx, record: form.Channel) -> None:
    name = checked_name(record.name)
    creator = None if record.creator is None else users.by_id(tx, UserId(record.creator))
    add(
        tx,
        "channel",
        id=record.id,
        name=name,
        name_key=channels.name_key(name),
        description=checked_description(record.description),
        rendered_description=render_description(tx, creator, record.description),
        date_created=record.created,
        creator_id=record.creator,
        invite_only=record.is_private,
        is_web_public=record.is_web_public,
        history_public_to_subscribers=record.is_history_public,
        is_archived=record.is_archived,
        is_default=record.is_default,
        message_retention_days=record.retention_days,
        topics_policy=record.topics_policy,
        folder_id=record.folder,
        group_settings=as_json(record.permissions),
    )
    for one in record.people:
        add(
            tx,
            "subscription",
            user_id=one.person,
            channel_id=record.id,
            active=one.is_active,
            color=one.color,
            is_muted=one.is_muted,
            pin_to_top=one.is_pinned,
        )
        for after, until in one.periods:
            period = {"after_id": after, "until_id": until}
            add(tx, "membership", user_id=one.person, channel_id=record.id, **period)


def _emoji(tx: Tx, record: form.Emoji, file: Path) -> None:
    image = _bytes(file)
    found = image_of(image)
    if found is None:
        raise StartError(f"{file} is not an image")
    add(
        tx,
        "custom_emoji",
        id=record.id,
        name=record.name,
        author_id=record.author,
        deactivated=not record.is_active,
        extension=found.extension,
        image=image,
    )


def _file(tx: Tx, record: form.File, file: Path) -> None:
    data = _bytes(file)
    image = image_of(data)
    add(
        tx,
        "upload",
        id=record.id,
        user_id=record.person,
        name=shown_name(record.name),
        path_id=record.path,
        content_type=checked_type(record.content_type),
        size=len(data),
        created=record.created,
        is_complete=True,
        width=None if image is None else image.width,
        height=None if image is None else image.height,
    )
    for number, part in slices(data):
        uploads.add_slice(tx, record.id, number, part)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise StartError(f"{file} cannot be read: {error.strerror}") from error


def _message(tx: Tx, record: form.Message) -> None:
    sender = users.by_id(tx, UserId(record.sender))
    if sender is None:
        raise StartError(f"unknown sender {record.sender}")
    names = Names(tx, sender)
    rendered = render(record.content, names)
    plain = text_of(rendered.html)
    topic_id = conversation_id = None
    if record.channel is not None:
        topic_id = topics.get_or_create(tx, record.channel, record.topic).id
        topics.raise_max_id(tx, topic_id, record.id)
        first_message(tx, record.channel, record.id)
    else:
        if record.sender not in record.people:
            raise StartError("its sender is not one of its recipients")
        conversation_id = conversations.ensure(tx, _people(record.people)).id
        conversations.raise_max_id(tx, conversation_id, record.id)
    add(
        tx,
        "message",
        id=record.id,
        sender_id=record.sender,
        channel_id=record.channel,
        topic_id=topic_id,
        conversation_id=conversation_id,
        content=record.content,
        rendered=rendered.html,
        plain=plain,
        timestamp=record.time,
        client=record.client,
        has_link=rendered.has_link,
        has_image=rendered.has_image,
        has_attachment=rendered.has_attachment,
        last_edit=record.edited,
        last_moved=record.moved,
        edit_history=as_json(list(_history(record, names))),
    )
    messages.index(tx, record.id, record.topic, plain)
    _link(tx, sender, record.id, rendered.upload_path_ids)
    _hang_on(tx, record)


def _history(record: form.Message, names: Names) -> Iterator[dict[str, object]]:
    for entry in record.history:
        known: dict[str, object] = {
            name: value
            for name, value in entry.items()
            if name in _HISTORY and isinstance(value, _HISTORY[name])
        }
        if known.keys() != entry.keys() or not {"user_id", "timestamp"} <= known.keys():
            raise StartError("invalid edit history")
        if "prev_content" in known:
            known["prev_rendered_content"] = render(str(known["prev_content"]), names).html
        yield known


def _link(tx: Tx, sender: UserRow, message_id: MessageId, path_ids: tuple[str, ...]) -> None:
    """The files that the sender may link, as when it was sent."""
    found = [uploads.by_path(tx, path_id) for path_id in dict.fromkeys(path_ids)]
    linked = [one.id for one in found if one is not None and may_read_upload(tx, sender, one)]
    if linked:
        uploads.link(tx, message_id, linked)


def _hang_on(tx: Tx, record: form.Message) -> None:
    for reaction in record.reactions:
        add(
            tx,
            "reaction",
            message_id=record.id,
            user_id=reaction.person,
            reaction_type=reaction.kind,
            emoji_code=reaction.code,
            emoji_name=reaction.name,
        )
    for part in record.parts:
        add(
            tx,
            "submessage",
            message_id=record.id,
            sender_id=part.person,
            msg_type=part.kind,
            content=part.content,
        )
    for flag, people in record.flags.items():
        if flag not in flags.STORED:
            raise StartError(f"unknown flag {flag}")
        for user_id in people:
            add(tx, "flag", user_id=user_id, flag=flag, message_id=record.id)
    flags.add_unread(tx, record.id, _people(record.unread))
