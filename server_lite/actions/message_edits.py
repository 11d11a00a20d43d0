"""Edits messages: text, place, or both. Checks no permissions except for mentions: callers did."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from server_lite.access.channel_audience import who_may_see
from server_lite.access.mentions import Names
from server_lite.access.messages import audiences_of
from server_lite.access.rendering import rendered_for
from server_lite.actions.automatic_topic_policies import after_mentions
from server_lite.actions.mentions import check_mentions, flags_for
from server_lite.actions.message_moves import Move, history_entry, move_messages
from server_lite.actions.uploads import set_links
from server_lite.events.messages import FlagAdded, FlagRemoved, MessageUpdated
from server_lite.ids import MessageId, UserId
from server_lite.markup.rendered import Rendered
from server_lite.objects.messages import edit_history_policy
from server_lite.store import channels, flags, history, messages, search_index, unread_messages
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.flags import UsersByFlag
from server_lite.store.history import Entry
from server_lite.store.messages import MessageRow
from server_lite.store.users import UserRow


def edit_message(
    tx: Tx,
    user: UserRow,
    row: MessageRow,
    *,
    content: str | None,
    move: Move | None,
    base_url: str = "",
) -> None:
    """Change the text, the place, or both (None: unchanged); the event goes to all readers."""
    names = Names(tx, user, base_url)
    rendered = None if content is None else rendered_for(tx, names, content)
    shares: Mapping[frozenset[UserId], Sequence[MessageId]] = {}
    recipients = frozenset[UserId]()
    if rendered is not None or move is None:
        shares = audiences_of(tx, [row])
        recipients = recipients.union(*shares)
    if rendered is not None:
        check_mentions(tx, user, rendered, recipients=recipients, topic_id=row.topic_id)
    if move is not None:
        shares = move_messages(tx, user, move, but_history_of=row.id)
    changes = _Changes({}, {})
    if rendered is not None and content is not None:
        changes = _write(tx, user, row, content, rendered, recipients)
    _remember(tx, user, row, content, move)
    event = _event(tx, user, row, content, rendered, move, names)
    for people, ids in shares.items():
        restricted = _restricted(event, ids)
        flags_of = personal_flags(tx, MessageId(restricted.message_id), people)
        unaware = frozenset[UserId]()
        if move is not None and move.changes_channel:
            unaware = people - who_may_see(tx, move.origin)
            tx.emit(replace(restricted, channel_name=""), to=unaware, personal=flags_of)
        tx.emit(restricted, to=people - unaware, personal=flags_of)
    audience = frozenset[UserId]().union(*shares)
    if user.id not in audience:
        tx.emit(event, to=[user.id])
    _emit_flags(tx, row, changes, audience)
    if rendered is not None and row.channel_id is not None and move is None:
        channel = channels.by_id(tx, row.channel_id)
        assert channel is not None
        changed = frozenset[UserId]().union(*changes.added.values(), *changes.removed.values())
        after_mentions(tx, rendered.user_ids & changed, channel, row.topic)


class _Changes(NamedTuple):
    """Flags of a message that users got and lost."""

    added: UsersByFlag
    removed: UsersByFlag


def _write(
    tx: Tx,
    user: UserRow,
    row: MessageRow,
    content: str,
    rendered: Rendered,
    recipients: frozenset[UserId],
) -> _Changes:
    """Store the text and the flags derived from it."""
    plain = rendered.plain
    messages.set_content(
        tx,
        row.id,
        content=content,
        rendered=rendered.html,
        plain=plain,
        has_link=rendered.has_link,
        has_image=rendered.has_image,
        has_attachment=rendered.has_attachment,
        now=tx.now,
    )
    search_index.update(tx, [row.id])
    if rendered.upload_path_ids or row.has_attachment:
        set_links(tx, user, row.id, rendered.upload_path_ids)
    new = flags_for(
        tx,
        rendered,
        plain,
        recipients=recipients,
        sender_id=user.id,
        topic_id=row.topic_id,
    )
    stored = flags.of_message(tx, row.id)
    old = {flag: stored[flag] for flag in flags.FROM_TEXT & stored.keys()}
    changes = _Changes(_without(new, old), _without(old, new))
    flags.remove_from_people(tx, row.id, changes.removed)
    flags.add_to_people(tx, row.id, changes.added)
    return changes


def _without(flags_here: UsersByFlag, there: UsersByFlag) -> UsersByFlag:
    """Return the flags that users have here and not there."""
    rest = {flag: users - there.get(flag, frozenset()) for flag, users in flags_here.items()}
    return {flag: users for flag, users in sorted(rest.items()) if users}


def _remember(
    tx: Tx, user: UserRow, row: MessageRow, content: str | None, move: Move | None
) -> None:
    entry: Entry = {"user_id": user.id, "timestamp": int(tx.now)}
    if content is not None:
        entry["prev_content"], entry["prev_rendered_content"] = row.content, row.rendered
    if move is not None:
        entry |= history_entry(user, move, tx.now)
    history.add_edit(tx, row.id, row.edit_history, entry)


def _event(
    db: Tx,
    user: UserRow,
    row: MessageRow,
    content: str | None,
    rendered: Rendered | None,
    move: Move | None,
    names: Names,
) -> MessageUpdated:
    edit = None
    if content is not None and rendered is not None:
        # Clients recognize an edit by these fields: where history is hidden they are sent, empty.
        is_shown = edit_history_policy(db) == "all"
        edit = {
            "orig_content": row.content if is_shown else "",
            "orig_rendered_content": row.rendered if is_shown else "",
            "content": content,
            "rendered_content": rendered.html,
            "is_me_message": content.startswith(messages.ME),
        }
    origin = None if row.channel_id is None else channels.by_id(db, row.channel_id)
    renames = move is not None and move.changes_topic
    return MessageUpdated(
        user_id=user.id,
        message_id=row.id,
        message_ids=[row.id] if move is None else list(move.ids),
        edit_timestamp=int(db.now),
        edit=edit,
        channel_id=row.channel_id,
        channel_name="" if origin is None else origin.name,
        new_channel_id=move.channel.id if move is not None and move.changes_channel else None,
        propagate_mode="" if move is None else move.mode,
        old_topic=row.topic,
        new_topic=move.topic if move is not None and renames else None,
        topic_links=names.topic_links(move.topic) if move is not None and renames else None,
    )


def _restricted(event: MessageUpdated, ids: Sequence[MessageId]) -> MessageUpdated:
    """Return the event for users who may read only these of the messages."""
    if ids == event.message_ids:
        return event
    if event.message_id in ids:
        return replace(event, message_ids=ids)
    return replace(event, message_ids=ids, message_id=ids[0], edit=None)


def personal_flags(
    db: Db, message_id: MessageId, people: frozenset[UserId]
) -> dict[UserId, list[str]]:
    """Return the flags of a message by user, for users with flags other than `read` alone."""
    marked = {flag: users & people for flag, users in flags.of_message(db, message_id).items()}
    unread = unread_messages.users_of(db, message_id) & people
    read = frozenset[UserId]().union(*marked.values()) - unread
    nothing: list[str] = []
    return {
        **dict.fromkeys(unread, nothing),
        **flags.shown_by_user({**marked, flags.READ: read}),
    }


def _emit_flags(tx: Tx, row: MessageRow, changes: _Changes, audience: frozenset[UserId]) -> None:
    """Send the changed flags to those who may read the message: others have flags from before they lost access."""
    for flag, people in changes.added.items():
        tx.emit(FlagAdded(flag=flag, message_ids=[row.id]), to=people & audience)
    for flag, people in changes.removed.items():
        tx.emit(FlagRemoved(flag=flag, message_ids=[row.id]), to=people & audience)
