"""Devices, and the push registrations of old mobile clients. Thin."""

import re
from typing import Annotated, Final, Literal, NoReturn

from typing_extensions import TypedDict

from server_lite.actions import devices as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength
from server_lite.errors import ApiError, NoPushService
from server_lite.store import devices
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

MAX_TOKEN: Final = 4096
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2})+")


class Registered(TypedDict):
    """ID of the device."""

    device_id: int


def register(tx: Tx, user: UserRow) -> Registered:
    """Register a device; its ID is required for its push registration."""
    return {"device_id": actions.register(tx, user)}


def remove(tx: Tx, user: UserRow, *, device_id: int) -> Done:
    """Remove a device that signs out."""
    actions.remove(tx, user, device_id)
    return {}


def register_push(
    db: Db,
    user: UserRow,
    *,
    device_id: int,
    push_key_id: int | None = None,
    push_key: Annotated[str | None, MaxLength(MAX_TOKEN)] = None,
    token_kind: Literal["fcm", "apns"] | None = None,
    token_id: Annotated[str | None, MaxLength(MAX_TOKEN)] = None,
    bouncer_public_key: Annotated[str | None, MaxLength(MAX_TOKEN)] = None,
    encrypted_push_registration: Annotated[str | None, MaxLength(MAX_TOKEN)] = None,
) -> NoReturn:
    """Refuse a push registration: it needs a vendor's service, and none is configured."""
    if str(device_id) not in devices.of(db, user.id):
        raise ApiError("Invalid device_id")
    raise NoPushService("Server is not configured to use push notification service.")


def add_android(tx: Tx, user: UserRow, *, token: str) -> Done:
    """Register the push token of an Android client."""
    devices.add_token(tx, user.id, "android", _checked(token), tx.now)
    return {}


def remove_android(tx: Tx, user: UserRow, *, token: str) -> Done:
    """Remove the push token of an Android client."""
    return _removed(tx, user, "android", token)


def add_apple(tx: Tx, user: UserRow, *, token: str, appid: str) -> Done:
    """Register the push token of an iOS client."""
    if not _HEX.fullmatch(_checked(token)) or not appid:
        raise ApiError("Invalid APNS token")
    devices.add_token(tx, user.id, "apple", token, tx.now)
    return {}


def remove_apple(tx: Tx, user: UserRow, *, token: str) -> Done:
    """Remove the push token of an iOS client."""
    return _removed(tx, user, "apple", token)


def _checked(token: str) -> str:
    if not 0 < len(token) <= MAX_TOKEN:
        raise ApiError("Empty or invalid length token")
    return token


def _removed(tx: Tx, user: UserRow, kind: str, token: str) -> Done:
    if not devices.remove_token(tx, user.id, kind, _checked(token)):
        raise ApiError("Token does not exist")
    return {}
