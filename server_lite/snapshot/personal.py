"""Initial state: my own settings, alert words, muted people, devices. Reads only."""

from typing import Any, Final

from server_lite.objects import personal
from server_lite.snapshot.base import Asked, Section
from server_lite.store import alert_words, devices
from server_lite.store.connection import Db


def my_settings(db: Db, asked: Asked) -> dict[str, Any]:
    """All personal settings."""
    return {"user_settings": personal.settings_object(asked.user)}


def my_alert_words(db: Db, asked: Asked) -> dict[str, Any]:
    """Words about which I want to be told."""
    return {"alert_words": alert_words.of(db, asked.user.id)}


def my_muted_users(db: Db, asked: Asked) -> dict[str, Any]:
    """Whom I muted, and when."""
    return {"muted_users": personal.muted_user_objects(db, asked.user.id)}


def my_devices(db: Db, asked: Asked) -> dict[str, Any]:
    """My devices, and how their push registrations stand."""
    return {"devices": devices.of(db, asked.user.id)}


SECTIONS: Final[dict[str, Section]] = {
    "user_settings": my_settings,
    "alert_words": my_alert_words,
    "muted_users": my_muted_users,
    "device": my_devices,
}
