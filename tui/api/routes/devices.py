"""Devices that are signed in, and where phones are pushed to. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import DeviceId


async def register(connection: Connection) -> DeviceId:
    """POST /register_client_device: a number for this device (since level 468)."""
    answer = await connection.post("/register_client_device", {})
    return answer.read("device_id", DeviceId)


async def remove(connection: Connection, *, device_id: DeviceId) -> None:
    """POST /remove_client_device: it signs out (since level 470). BAD_REQUEST: there is none."""
    await connection.post("/remove_client_device", {"device_id": device_id})


async def register_push(
    connection: Connection,
    *,
    device_id: DeviceId,
    token_kind: str,
    push_key_id: int,
    push_key: str,
    token_id: str,
    bouncer_public_key: str,
    encrypted_push_registration: str,
) -> None:
    """POST /mobile_push/register: a phone's key and token, encrypted (since level 406).

    `token_kind` is `fcm` or `apns`. Code: PUSH_SERVICE_NOT_CONFIGURED.
    """
    await connection.post(
        "/mobile_push/register",
        {
            "device_id": device_id,
            "token_kind": token_kind,
            "push_key_id": push_key_id,
            "push_key": push_key,
            "token_id": token_id,
            "bouncer_public_key": bouncer_public_key,
            "encrypted_push_registration": encrypted_push_registration,
        },
    )


async def add_android_token(connection: Connection, *, token: str) -> None:
    """POST /users/me/android_push_reg_id: where an Android phone is pushed to."""
    await connection.post("/users/me/android_push_reg_id", {"token": token})


async def remove_android_token(connection: Connection, *, token: str) -> None:
    """DELETE /users/me/android_push_reg_id. ApiRefused code BAD_REQUEST: it was not there."""
    await connection.delete("/users/me/android_push_reg_id", {"token": token})


async def add_apple_token(connection: Connection, *, token: str, app_id: str) -> None:
    """POST /users/me/apns_device_token: where an iPhone is pushed to; hexadecimal."""
    await connection.post("/users/me/apns_device_token", {"token": token, "appid": app_id})


async def remove_apple_token(connection: Connection, *, token: str) -> None:
    """DELETE /users/me/apns_device_token. ApiRefused code BAD_REQUEST: it was not there."""
    await connection.delete("/users/me/apns_device_token", {"token": token})
