"""Writes records of the plain form as rows of a new organization, with their IDs. Sends no events.

Records are untrusted: names and addresses are validated as new ones, HTML is rendered here from
the texts, and file types are detected from the bytes.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal

from server_lite.access.accounts import check_name, check_stored_address
from server_lite.access.avatars import check_picture, new_path
from server_lite.access.channel_settings import checked_description, checked_name
from server_lite.access.mentions import Names
from server_lite.access.message_validation import clean_topic
from server_lite.access.uploads import checked_type, may_read_upload, shown_name
from server_lite.actions.channels import render_description
from server_lite.actions.uploads import slices
from server_lite.errors import StartError
from server_lite.export import format as form
from server_lite.export.format import Record
from server_lite.export.personal import NOTIFICATIONS
from server_lite.export.personal_import import (
    checked_settings,
    checked_timezone,
    import_personal_data,
    import_scheduled,
)
from server_lite.export.settings_import import import_organization, import_setting
from server_lite.ids import MessageId, UserId
from server_lite.image_header import image_of
from server_lite.markup.render import render
from server_lite.store import (
    avatars,
    channel_folders,
    channels,
    conversations,
    flags,
    search_index,
    topics,
    unread_messages,
    uploads,
    users,
)
from server_lite.store.database import Tx
from server_lite.store.export_import import add_people_to_group, as_json, first_message
from server_lite.store.rows import insert_row as add
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


Find = Callable[[Literal["uploads", "emoji", "avatars"], int], Path]
"""Returns the path of a file, an emoji or an avatar."""


def import_record(tx: Tx, record: Record, find: Find) -> None:
    """Write the rows of one record. Raises what tx and checks raise."""
    match record:
        case form.Organization():
            import_organization(tx, record)
        case form.Domain() | form.Linkifier() | form.Playground() | form.ProfileField():
            import_setting(tx, record)
        case form.Person():
            _person(tx, record, find)
        case form.Group():
            _group(tx, record)
        case form.Folder():
            _folder(tx, record)
        case form.Channel():
            _channel(tx, record)
        case form.Emoji():
            _emoji(tx, record, find("emoji", record.id))
        case form.Scheduled():
            import_scheduled(tx, record)
        case form.File():
            _file(tx, record, find("uploads", record.id))
        case form.Message():
            _message(tx, record)
        case form.LateReaction():
            _reaction(tx, record.message, record.reaction)
        case form.LatePart():
            _part(tx, record.message, record.part)


def _person(tx: Tx, record: form.Person, find: Find) -> None:
    add(
        tx,
        "user",
        id=record.id,
        email=check_stored_address(tx, record.email),
        full_name=check_name(record.name),
        role=Role[record.role.upper()],
        is_active=record.is_active,
        bot_type=record.bot_type,
        bot_owner_id=record.owner,
        date_joined=record.joined,
        timezone=checked_timezone(record.timezone),
        is_imported_stub=record.is_stub,
        settings=as_json(checked_settings(record.settings)),
    )
    import_personal_data(tx, record)
    if record.has_picture:
        _picture(tx, UserId(record.id), find("avatars", record.id))


def _picture(tx: Tx, user_id: UserId, file: Path) -> None:
    data = _bytes(file)
    image = check_picture(data)
    picture = avatars.begin(
        tx, path=new_path(image), content_type=image.content_type, size=len(data), now=tx.now
    )
    for number, part in slices(data):
        avatars.add_slice(tx, picture, number, part)
    users.set_value(tx, user_id, "avatar", avatars.complete(tx, picture))


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
    add_members(tx, record.id, record.people)


def add_members(tx: Tx, channel_id: int, people: Iterable[form.Membership]) -> None:
    """Add current and former subscribers of a channel."""
    for one in people:
        add(
            tx,
            "subscription",
            user_id=one.person,
            channel_id=channel_id,
            active=one.is_active,
            color=one.color,
            is_muted=one.is_muted,
            pin_to_top=one.is_pinned,
            **{NOTIFICATIONS[name]: value for name, value in one.notifications.items()},
        )
        for after, until in one.periods:
            period = {"after_id": after, "until_id": until}
            add(tx, "membership", user_id=one.person, channel_id=channel_id, **period)


def _emoji(tx: Tx, record: form.Emoji, file: Path) -> None:
    image = _bytes(file)
    parsed = image_of(image)
    if parsed is None:
        raise StartError(f"{file} is not an image")
    add(
        tx,
        "custom_emoji",
        id=record.id,
        name=record.name,
        author_id=record.author,
        deactivated=not record.is_active,
        extension=parsed.extension,
        image=image,
    )


def _file(tx: Tx, record: form.File, file: Path) -> None:
    """Store a file in slices, so that a large one takes no more memory than a small one."""
    upload_id = add(
        tx,
        "upload",
        id=record.id,
        user_id=record.person,
        name=shown_name(record.name),
        path_id=record.path,
        content_type=checked_type(record.content_type),
        size=0,
        created=record.created,
    )
    size = 0
    image = None
    for number, part in enumerate(_slices(file)):
        image = image_of(part) if number == 0 else image
        size += len(part)
        uploads.add_slice(tx, upload_id, number, part)
    dimensions = None if image is None else (image.width, image.height)
    uploads.complete(tx, upload_id, size=size, dimensions=dimensions, now=record.created)


def _slices(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as source:
            while part := source.read(uploads.SLICE):
                yield part
    except OSError as error:
        raise StartError(f"{file} cannot be read: {error.strerror}") from error


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
    plain = rendered.plain
    topic_id = conversation_id = None
    if record.channel is not None:
        topic_id = topics.get_or_create(tx, record.channel, clean_topic(record.topic)).id
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
    search_index.add(tx, record.id, record.topic, plain)
    _link(tx, sender, record.id, rendered.upload_path_ids)
    import_reactions_and_flags(tx, record)


def _history(record: form.Message, names: Names) -> Iterator[dict[str, object]]:
    for entry in record.history:
        new_entry: dict[str, object] = {
            name: value
            for name, value in entry.items()
            if name in _HISTORY and isinstance(value, _HISTORY[name])
        }
        if new_entry.keys() != entry.keys() or not {"user_id", "timestamp"} <= new_entry.keys():
            raise StartError("invalid edit history")
        if "prev_content" in new_entry:
            new_entry["prev_rendered_content"] = render(str(new_entry["prev_content"]), names).html
        yield new_entry


def _link(tx: Tx, sender: UserRow, message_id: MessageId, path_ids: tuple[str, ...]) -> None:
    """Link the files that the sender may link, as when the message was sent."""
    rows = [uploads.by_path(tx, path_id) for path_id in dict.fromkeys(path_ids)]
    linked = [one.id for one in rows if one is not None and may_read_upload(tx, sender, one)]
    if linked:
        uploads.link(tx, message_id, linked)


def import_reactions_and_flags(tx: Tx, record: form.Message) -> None:
    for reaction in record.reactions:
        _reaction(tx, record.id, reaction)
    for part in record.parts:
        _part(tx, record.id, part)
    for flag, people in record.flags.items():
        if flag not in flags.STORED:
            raise StartError(f"unknown flag {flag}")
        for user_id in people:
            add(tx, "flag", user_id=user_id, flag=flag, message_id=record.id)
    unread_messages.add(tx, record.id, _people(record.unread))
    unread_messages.copy_some(tx, record.id)


def _reaction(tx: Tx, message_id: MessageId, reaction: form.Reaction) -> None:
    add(
        tx,
        "reaction",
        message_id=message_id,
        user_id=reaction.person,
        reaction_type=reaction.kind,
        emoji_code=reaction.code,
        emoji_name=reaction.name,
    )


def _part(tx: Tx, message_id: MessageId, part: form.Part) -> None:
    add(
        tx,
        "submessage",
        message_id=message_id,
        sender_id=part.person,
        msg_type=part.kind,
        content=part.content,
    )
