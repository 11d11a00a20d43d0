"""Registers and removes a user's devices. Checks no permissions: users change only their own."""

from server_lite.errors import ApiError
from server_lite.events.personal import DeviceAdded, DeviceRemoved
from server_lite.store import devices
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def register(tx: Tx, user: UserRow) -> int:
    """Register a device; returns its ID. Raises ApiError at the limit per user."""
    if len(devices.of(tx, user.id)) >= devices.PER_PERSON:
        raise ApiError(f"There can be at most {devices.PER_PERSON} devices.")
    device_id = devices.insert(tx, user.id)
    tx.emit(DeviceAdded(device_id=device_id), to=[user.id])
    return device_id


def remove(tx: Tx, user: UserRow, device_id: int) -> None:
    """Remove a device, as when its client signs out."""
    if not devices.delete(tx, user.id, device_id):
        raise ApiError("Invalid device_id")
    tx.emit(DeviceRemoved(device_id=device_id), to=[user.id])
