"""Uploads and attachments: upload, list, delete, temporary URLs. Thin; `files` serves the content."""

import hashlib
from contextlib import suppress
from functools import partial
from typing import NewType
from urllib.parse import quote

from typing_extensions import TypedDict

from server_lite.access.uploads import access_own_upload, access_upload, all_links_shown
from server_lite.actions import uploads as actions
from server_lite.api import signed_urls
from server_lite.api.answers import Done
from server_lite.api.idempotency import earlier_answer, once, was_used
from server_lite.api.params import Upload
from server_lite.context import Context
from server_lite.errors import ApiError, Unavailable
from server_lite.objects.uploads import AttachmentObject, attachment_object, url_of
from server_lite.store import upload_sizes, uploads
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.uploads import SLICE
from server_lite.store.users import UserRow

AttachmentId = NewType("AttachmentId", int)


class Uploaded(TypedDict):
    """URL of the file for use in messages; `uri` is its deprecated name."""

    uri: str
    url: str
    filename: str


class TemporaryUrl(TypedDict):
    """A URL that is valid for a minute."""

    url: str


class Attachments(TypedDict):
    """The user's files, and the total bytes of the organization's files."""

    attachments: list[AttachmentObject]
    upload_space_used: int


async def upload(context: Context, user: UserRow, *, file: Upload | None) -> Uploaded:
    """Upload a file. It is stored in slices, so that a large one delays nobody.

    Repeated with the same Idempotency-Key, the answer is the file already stored.
    """
    if file is None:
        raise ApiError("You must specify a file to upload")
    resend = context.resend
    if resend is not None and context.read(lambda db: was_used(db, user.id, resend)):
        request_key = resend.with_file(file.name, file.content_type, await _digest(file))
        earlier: Uploaded | None = context.read(lambda db: earlier_answer(db, user.id, request_key))
        if earlier is None:  # the key expired while the file was received
            raise Unavailable("Try again.")
        return earlier
    upload_id = await _begun(context, user, file)
    try:
        size, digest = await _stored(context, upload_id, file)

        def finished(tx: Tx) -> Uploaded:
            row = actions.finish(tx, upload_id, size)
            return {"uri": url_of(row), "url": url_of(row), "filename": row.name}

        if resend is None:
            return await context.write(finished)
        request_key = resend.with_file(file.name, file.content_type, digest)

        def run(tx: Tx) -> Uploaded:
            answer: Uploaded = once(user.id, request_key, finished)(tx)
            if uploads.by_id(tx, upload_id) is None:  # an identical request was faster
                uploads.delete(tx, upload_id)
            return answer

        return await context.write(run)
    except Exception:
        # Frees the space at once; if this fails too, the sweep does within an hour.
        with suppress(Unavailable):
            await context.database.write(lambda tx: uploads.delete_unfinished(tx, upload_id))
        raise


async def _begun(context: Context, user: UserRow, file: Upload) -> int:
    limits = context.settings.limits
    return await context.write(
        lambda tx: actions.begin(
            tx,
            user,
            name=file.name,
            content_type=file.content_type,
            most=file.most,
            limits=limits,
        )
    )


async def _stored(context: Context, upload_id: int, file: Upload) -> tuple[int, bytes]:
    """Store the incoming file, still invisible; returns its size and digest."""
    size, number, digest = 0, 0, hashlib.blake2b(digest_size=16)
    async for part in file.slices(SLICE):
        await context.write(
            partial(actions.add_slice, upload_id=upload_id, number=number, data=part)
        )
        digest.update(part)
        size, number = size + len(part), number + 1
    return size, digest.digest()


async def _digest(file: Upload) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    async for part in file.rest:
        digest.update(part)
    return digest.digest()


async def temporary_url(context: Context, user: UserRow, realm: str, path: str) -> TemporaryUrl:
    """Get a URL that opens the file for a minute without credentials, for browsers and viewers."""
    row = context.read(lambda db: access_upload(db, user, f"{realm}/{path}"))
    token = signed_urls.sign(context.secret, row.path_id, user.id, context.database.clock())
    return {"url": f"/user_uploads/temporary/{token}/{quote(path.rpartition('/')[2])}"}


def listing(db: Db, user: UserRow) -> Attachments:
    """Get the user's files, and the total size of the organization's files."""
    links = all_links_shown(db, user)
    return {
        "attachments": [
            attachment_object(row, links.get(row.id, [])) for row in uploads.of_user(db, user.id)
        ],
        "upload_space_used": upload_sizes.complete(db),
    }


async def delete(context: Context, user: UserRow, attachment_id: AttachmentId) -> Done:
    """Delete one of the user's files."""

    def step(tx: Tx) -> Done | None:
        upload = access_own_upload(tx, user, attachment_id)
        if actions.unlink_some(tx, upload):
            return None
        actions.delete(tx, upload)
        return {}

    return await context.write_in_slices(step)
