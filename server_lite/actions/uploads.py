"""Stores uploaded files, links them from messages, deletes them. Checks no permissions: callers did."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from server_lite.access.uploads import (
    checked_type,
    new_path,
    newest_links_shown,
    readable_uploads,
    shown_name,
)
from server_lite.config import Limits
from server_lite.errors import ApiError, UploadQuota
from server_lite.events.messages import AttachmentAdded, AttachmentRemoved, AttachmentUpdated
from server_lite.ids import MessageId, UserId
from server_lite.image_header import JPEG, Image, image_of
from server_lite.objects.uploads import attachment_object
from server_lite.store import upload_sizes, uploads
from server_lite.store.database import Tx
from server_lite.store.uploads import SLICE, UploadRow
from server_lite.store.users import UserRow

UNFINISHED: Final = 3600.0
"""Seconds after its last slice when an unfinished upload is deleted."""
FILES: Final = 100
"""Most files of a user about whose links events are sent at once."""
LINKS: Final = 1_000
"""Most links in these events, and those deleted at once. The list of files has all."""
_HEAD_SLICES: Final = 16
_UNLIMITED: Final = Limits(uploads_per_person=2**60, uploads_together=2**60)


def begin(tx: Tx, user: UserRow, *, name: str, content_type: str, most: int, limits: Limits) -> int:
    """Start a file of at most `most` bytes, stored in slices; invisible until `finish`.

    Returns its ID; raises UploadQuota if there is no room for the file.
    """
    _check_room(tx, user, most, limits)
    return uploads.begin(
        tx,
        user_id=user.id,
        name=shown_name(name),
        path_id=new_path(name),
        content_type=checked_type(content_type),
        size=most,
        now=tx.now,
        dimensions=None,
    )


def _check_room(tx: Tx, user: UserRow, size: int, limits: Limits) -> None:
    if upload_sizes.reserved(tx, None) + size > limits.uploads_together:
        raise UploadQuota("Upload would exceed your organization's upload quota.")
    if upload_sizes.reserved(tx, user.id) + size > limits.uploads_per_person:
        raise UploadQuota(
            f"Upload would exceed your upload quota of {limits.uploads_per_person // 1024**2} MiB."
            " Delete files that you do not need."
        )


def add_slice(tx: Tx, upload_id: int, number: int, data: bytes) -> None:
    """Store the next slice; raises ApiError if the upload has expired."""
    if not uploads.still_comes(tx, upload_id, tx.now):
        raise ApiError("The upload took too long.")
    uploads.add_slice(tx, upload_id, number, data)


def finish(tx: Tx, upload_id: int, size: int) -> UploadRow:
    """Complete the file of `size` bytes: it becomes visible and can be linked."""
    if not uploads.still_comes(tx, upload_id, tx.now):
        raise ApiError("The upload took too long.")
    image = _image(tx, upload_id)
    dimensions = None if image is None else (image.width, image.height)
    uploads.complete(tx, upload_id, size=size, dimensions=dimensions, now=tx.now)
    upload = uploads.by_id(tx, upload_id)
    assert upload is not None
    event = AttachmentAdded(
        attachment=attachment_object(upload, []),
        space_used=upload_sizes.complete(tx),
    )
    tx.emit(event, to=[upload.user_id])
    return upload


def _image(tx: Tx, upload_id: int) -> Image | None:
    """Return the image that the first slices contain, if any; cameras put much data before the dimensions."""
    head = uploads.read_slice(tx, upload_id, 0)
    image = image_of(head)
    if image is not None or len(head) < SLICE or not head.startswith(JPEG):
        return image
    more = (uploads.read_slice(tx, upload_id, number) for number in range(1, _HEAD_SLICES))
    return image_of(b"".join((head, *more)))


def store(tx: Tx, user: UserRow, *, name: str, content_type: str, data: bytes) -> UploadRow:
    """Store a whole file in one transaction, without quota: for commands, where no requests wait."""
    upload_id = begin(
        tx, user, name=name, content_type=content_type, most=len(data), limits=_UNLIMITED
    )
    for number, part in slices(data):
        uploads.add_slice(tx, upload_id, number, part)
    return finish(tx, upload_id, len(data))


def slices(data: bytes) -> Iterable[tuple[int, bytes]]:
    """Yield number and bytes of each slice."""
    for number, start in enumerate(range(0, len(data), SLICE)):
        yield number, data[start : start + SLICE]


def set_links(tx: Tx, author: UserRow, message_id: MessageId, path_ids: Iterable[str]) -> None:
    """Set the files that a message of `author` links; owners get events for links added and removed.

    Only files that the author may read are linked: writing the address of another user's file must
    not open it to the readers of the message.
    """
    before = {upload.id: upload for upload in uploads.linked_in(tx, [message_id])}
    linked = set(path_ids)
    after = {upload.id: upload for upload in before.values() if upload.path_id in linked}
    new = [row for row in uploads.by_paths(tx, linked) if row.id not in after]
    after |= {row.id: row for row in readable_uploads(tx, author, new)}
    if after.keys() == before.keys():
        return
    uploads.link(tx, message_id, list(after))
    changed = after.keys() ^ before.keys()
    emit_links(tx, [row for row in (before | after).values() if row.id in changed])


def emit_links(tx: Tx, changed: Sequence[UploadRow]) -> None:
    """Send owners the newest messages that link their files now; of many files, their clients register again."""
    files_by_owner: defaultdict[UserId, list[UploadRow]] = defaultdict(list)
    for upload in changed:
        files_by_owner[upload.user_id].append(upload)
    for owner_id, rows in files_by_owner.items():
        if len(rows) > FILES:
            tx.end_queues([owner_id])
            continue
        links = newest_links_shown(tx, owner_id, rows, LINKS)
        for upload in sorted(rows, key=attrgetter("id")):
            event = AttachmentUpdated(
                attachment=attachment_object(upload, links[upload.id]),
                space_used=upload_sizes.complete(tx),
            )
            tx.emit(event, to=[owner_id])


def unlink_some(tx: Tx, upload: UploadRow) -> bool:
    """Delete some of a file's links, if it has many, before the file; returns whether to call it again."""
    return uploads.unlink_some(tx, upload.id, LINKS)


def delete(tx: Tx, upload: UploadRow) -> None:
    """Delete a file; links in messages stay and lead nowhere."""
    uploads.delete(tx, upload.id)
    event = AttachmentRemoved(attachment_id=upload.id, space_used=upload_sizes.complete(tx))
    tx.emit(event, to=[upload.user_id])


def sweep(tx: Tx) -> bool:
    """Delete an upload that was started and never finished; returns whether there was one."""
    return uploads.delete_next_incomplete(tx, tx.now - UNFINISHED)
