"""Rows of the organization's settings: values that differ from the defaults, as JSON by name. SQL only."""

from typing import Any

import orjson

from server_lite.store.connection import Db


def stored(db: Db) -> dict[str, Any]:
    """Return all stored settings."""
    return {name: orjson.loads(value) for name, value in db.rows("SELECT name, value FROM setting")}


def value(db: Db, name: str, default: Any) -> Any:
    """Return one setting, or its default."""
    text = db.value("SELECT value FROM setting WHERE name = ?", name)
    return default if text is None else orjson.loads(text)


def store(db: Db, name: str, new: Any) -> None:
    """Store one setting."""
    db.run(
        "INSERT INTO setting (name, value) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        orjson.dumps(new).decode(),
    )
