"""The organization's settings: what differs from the defaults, as JSON by name. SQL only."""

from typing import Any

import orjson

from server_lite.store.connection import Db


def stored(db: Db) -> dict[str, Any]:
    """Every setting that was ever changed."""
    return {name: orjson.loads(value) for name, value in db.rows("SELECT name, value FROM setting")}


def value(db: Db, name: str, default: Any) -> Any:
    """One setting, or its default."""
    text = db.value("SELECT value FROM setting WHERE name = ?", name)
    return default if text is None else orjson.loads(text)


def store(db: Db, name: str, new: Any) -> None:
    """Change one setting."""
    db.run(
        "INSERT INTO setting (name, value) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        orjson.dumps(new).decode(),
    )
