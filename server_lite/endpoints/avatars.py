"""The user's own avatar: upload, delete. Thin; a web page serves the images."""

from functools import partial

from typing_extensions import TypedDict

from server_lite.access.avatars import check_may_change, check_picture
from server_lite.actions import avatars as actions
from server_lite.actions.uploads import slices
from server_lite.api.params import Picture
from server_lite.context import Context
from server_lite.errors import ApiError
from server_lite.objects.users import avatar_url
from server_lite.store import avatars, users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


class AvatarUrls(TypedDict):
    """The URL of the user's new avatar."""

    avatar_url: str


async def upload(context: Context, user: UserRow, *, file: Picture | None) -> AvatarUrls:
    """Upload a new avatar for the user."""
    context.read(lambda db: check_may_change(db, user))
    if file is None:
        raise ApiError("You must upload exactly one avatar.")
    avatar_id = await stored(context, file)

    def run(tx: Tx) -> AvatarUrls:
        check_may_change(tx, user)
        return {"avatar_url": avatar_url(actions.give(tx, _now(tx, user), avatar_id))}

    return await context.write(run)


async def stored(context: Context, file: Picture) -> int:
    """Validate and store an image in slices, not yet assigned to anyone; returns its ID."""
    image = check_picture(file.data)
    avatar_id = await context.write(lambda tx: actions.begin(tx, image, len(file.data)))
    for number, part in slices(file.data):
        await context.write(
            partial(avatars.add_slice, avatar_id=avatar_id, number=number, data=part)
        )
    return avatar_id


def delete(tx: Tx, user: UserRow) -> AvatarUrls:
    """Delete the user's avatar, so that the one drawn by the server is shown."""
    check_may_change(tx, user)
    return {"avatar_url": avatar_url(actions.take_away(tx, user))}


def _now(tx: Tx, user: UserRow) -> UserRow:
    """Return the account's current row: it may have changed while the image was stored."""
    person = users.by_id(tx, user.id)
    assert person is not None
    return person
