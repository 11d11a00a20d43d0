"""Uploaded files and custom emoji: their bytes in folders, and the lists of them. Reads only."""

import re
import unicodedata

from server_lite.export.paths import is_inside, private
from server_lite.export.zulip import layout
from server_lite.export.zulip.draft import Draft
from server_lite.store import custom_emoji, uploads, users
from server_lite.store.uploads import UploadRow


def add_uploads(draft: Draft) -> None:
    """Write all complete files, with the messages that link them."""
    for user in users.everyone(draft.db):
        for upload in uploads.of_user(draft.db, user.id):
            _upload(draft, upload)


def _upload(draft: Draft, upload: UploadRow) -> None:
    path = upload.path_id
    if not is_inside(path):
        draft.leave_out("files whose names are no paths")
        return
    with private(draft.folder / "uploads" / path) as out:
        number = 0
        while data := uploads.read_slice(draft.db, upload.id, number):
            out.write(data)
            number += 1
    draft.files.add(
        "uploads",
        realm_id=layout.REALM_ID,
        user_profile_id=upload.user_id,
        path=path,
        s3_path=path,
        size=upload.size,
        last_modified=upload.created,
        content_type=upload.content_type,
    )
    last = path.rpartition("/")[2]
    newer = {"content_type": upload.content_type} if draft.version >= 10 else {}
    draft.files.add(
        "zerver_attachment",
        id=upload.id,
        file_name=upload.name if last == sanitized(upload.name) else last,
        path_id=path,
        owner=upload.user_id,
        realm=layout.REALM_ID,
        create_time=upload.created,
        size=upload.size,
        is_realm_public=None,
        is_web_public=None,
        messages=sorted(uploads.newest_messages_of(draft.db, upload.id, uploads.ALL)),
        scheduled_messages=[],
        **newer,
    )


def sanitized(name: str) -> str:
    """Return the file name as the import sanitizes it, and expects at the end of its path."""
    name = unicodedata.normalize("NFKC", name)
    name = re.sub(r"[^\w\s.-]", "", name).strip()
    return re.sub(r"[-\s]+", "-", name)


def add_custom_emoji(draft: Draft) -> None:
    """Write the custom emoji; those without an author become an owner's."""
    owner = users.first_owner(draft.db)
    for emoji in custom_emoji.everything(draft.db):
        author = emoji.author_id or (None if owner is None else owner.id)
        file_name = f"{emoji.id}.{emoji.extension}"
        path = f"{layout.REALM_ID}/emoji/images/{file_name}"
        with private(draft.folder / "emoji" / path) as out:
            out.write(custom_emoji.image_of(draft.db, emoji.id) or b"")
        shared = {"author": author, "name": emoji.name, "file_name": file_name}
        draft.files.add(
            "emoji",
            realm_id=layout.REALM_ID,
            path=path,
            s3_path=path,
            deactivated=emoji.deactivated,
            **shared,
        )
        draft.realm.add(
            "zerver_realmemoji",
            id=emoji.id,
            realm=layout.REALM_ID,
            is_animated=False,
            deactivated=emoji.deactivated,
            **shared,
        )
