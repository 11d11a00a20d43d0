"""The user's devices, and push notification tokens. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import DeviceId


async def register(connection: Connection) -> DeviceId:
    """POST /register_client_device: return an ID for this device (since level 468)."""
    answer = await connection.post("/register_client_device", {})
    return answer.read("device_id", DeviceId)


async def remove(connection: Connection, *, device_id: DeviceId) -> None:
    """POST /remove_client_device: sign it out (since level 470). BAD_REQUEST: it does not exist."""
    await connection.post("/remove_client_device", {"device_id": device_id})


async def add_android_token(connection: Connection, *, token: str) -> None:
    """POST /users/me/android_push_reg_id: register an Android phone for push notifications."""
    await connection.post("/users/me/android_push_reg_id", {"token": token})


async def remove_android_token(connection: Connection, *, token: str) -> None:
    """DELETE /users/me/android_push_reg_id. ApiRefused code BAD_REQUEST: it was not registered."""
    await connection.delete("/users/me/android_push_reg_id", {"token": token})


async def add_apple_token(connection: Connection, *, token: str, app_id: str) -> None:
    """POST /users/me/apns_device_token: register an iPhone for push notifications; hexadecimal."""
    await connection.post("/users/me/apns_device_token", {"token": token, "appid": app_id})


async def remove_apple_token(connection: Connection, *, token: str) -> None:
    """DELETE /users/me/apns_device_token. ApiRefused code BAD_REQUEST: it was not registered."""
    await connection.delete("/users/me/apns_device_token", {"token": token})
