"""Storing files, linking them from messages, deleting them. Asks no permission: callers did."""

from collections.abc import Iterable
from typing import Final

from server_lite.access.uploads import (
    checked_type,
    links_shown,
    may_read_upload,
    new_path,
    shown_name,
)
from server_lite.events.uploads import AttachmentAdded, AttachmentRemoved, AttachmentUpdated
from server_lite.image_header import image_of
from server_lite.objects.uploads import attachment_object
from server_lite.store import uploads
from server_lite.store.database import Tx
from server_lite.store.uploads import SLICE, UploadRow
from server_lite.store.users import UserRow

UNFINISHED: Final = 3600.0
"""Seconds after which an upload that nobody finished is forgotten."""


def begin(tx: Tx, user: UserRow, *, name: str, content_type: str, data: bytes) -> int:
    """A file whose slices follow; nobody sees it before `finish`. Returns its id."""
    image = image_of(data)
    return uploads.begin(
        tx,
        user_id=user.id,
        name=shown_name(name),
        path_id=new_path(name),
        content_type=checked_type(content_type),
        size=len(data),
        now=tx.now,
        dimensions=None if image is None else (image.width, image.height),
    )


def finish(tx: Tx, upload_id: int) -> UploadRow:
    """All slices are there: the file can be seen and linked."""
    uploads.complete(tx, upload_id)
    upload = uploads.by_id(tx, upload_id)
    assert upload is not None
    event = AttachmentAdded(
        attachment=attachment_object(upload, links_shown(tx, upload)),
        space_used=uploads.space_used(tx),
    )
    tx.emit(event, to=[upload.user_id])
    return upload


def slices(data: bytes) -> Iterable[tuple[int, bytes]]:
    """Number and bytes of each slice."""
    for number, start in enumerate(range(0, len(data), SLICE)):
        yield number, data[start : start + SLICE]


def set_links(tx: Tx, author: UserRow, message_id: int, path_ids: Iterable[str]) -> None:
    """The message of `author` links these files now; those it lost or gained are told to their owners.

    Only files that the author may read are linked: writing the address of somebody else's file must
    not open it to the readers of the message.
    """
    before = {upload.id: upload for upload in uploads.linked_in(tx, [message_id])}
    after = dict(before)
    wanted = set(path_ids)
    for upload in before.values():
        if upload.path_id not in wanted:
            del after[upload.id]
    for path_id in wanted:
        found = uploads.by_path(tx, path_id)
        if found is not None and may_read_upload(tx, author, found):
            after[found.id] = found
    if after.keys() == before.keys():
        return
    uploads.link(tx, message_id, list(after))
    for upload_id in sorted(after.keys() ^ before.keys()):
        tell_links(tx, (before | after)[upload_id])


def tell_links(tx: Tx, upload: UploadRow) -> None:
    """Tell the owner which messages link the file now."""
    event = AttachmentUpdated(
        attachment=attachment_object(upload, links_shown(tx, upload)),
        space_used=uploads.space_used(tx),
    )
    tx.emit(event, to=[upload.user_id])


def delete(tx: Tx, upload: UploadRow) -> None:
    """Delete a file; messages that link it stay, with a link that leads nowhere."""
    uploads.delete(tx, upload.id)
    event = AttachmentRemoved(attachment_id=upload.id, space_used=uploads.space_used(tx))
    tx.emit(event, to=[upload.user_id])


def sweep(tx: Tx) -> None:
    """Forget uploads that were begun and never finished."""
    uploads.delete_incomplete(tx, tx.now - UNFINISHED)
