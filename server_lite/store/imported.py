"""What earlier imports made here: whose export it was, how far it went, which row became which. SQL only."""

from typing import Literal

from server_lite.dataclass import dataclass
from server_lite.store import channels, generation, settings
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row

_STATE = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportState:
    """Of the last import. `spans` are (first number there, what is added to it here), ascending."""

    digest: str = ""
    """Of all files."""
    origin: str = ""
    """Which organization it was; "" if nobody knows."""
    last_number: int = 0
    """The highest number of a message there."""
    until: float = 0.0
    """The time of its newest message, UNIX seconds."""
    spans: list[tuple[int, int]]


def state(db: Db) -> ImportState:
    """Everything empty where nothing was imported."""
    stored = settings.value(db, _STATE, {"spans": []})
    return ImportState(**{**stored, "spans": [(first, more) for first, more in stored["spans"]]})


def set_state(db: Db, new: ImportState) -> None:
    """Keep it for the next import."""
    values = {name: getattr(new, name) for name in ImportState.__slots__}
    settings.store(db, _STATE, values)


def everything(db: Db) -> dict[tuple[str, str], int]:
    """(kind, what the export calls it) -> number here."""
    rows = db.rows("SELECT kind, origin, id FROM imported_row")
    return {(kind, origin): number for kind, origin, number in rows}


def add(db: Db, kind: str, origin: str, number: int) -> None:
    """A row became this one here."""
    insert_row(db, "imported_row", kind=kind, origin=origin, id=number)


def has_message(db: Db, number: int) -> bool:
    """Whether it is still here."""
    return db.row("SELECT 1 FROM message WHERE id = ?", number) is not None


def has_path(db: Db, path: str) -> bool:
    """Whether a file has this path, finished or not."""
    return db.row("SELECT 1 FROM upload WHERE path_id = ?", path) is not None


def emoji_named(db: Db, name: str) -> int | None:
    """The active custom emoji of this name."""
    number: int | None = db.value(
        "SELECT id FROM custom_emoji WHERE name = ? AND NOT deactivated", name
    )
    return number


def is_taken(db: Db, table: Literal["channel", "user_group"], name: str) -> bool:
    """Whether a channel or group has a name that counts as the same."""
    key = "name_key" if table == "channel" else "lower(name)"
    same = channels.name_key(name) if table == "channel" else name.lower()
    return db.row(f"SELECT 1 FROM {table} WHERE {key} = ?", same) is not None


def highest_number(db: Db, table: str) -> int:
    """The highest number that a row of a table has or had."""
    highest: int = db.value(f"SELECT coalesce(max(id), 0) FROM {table}")
    return max(highest, generation.counters(db).get(table, 0))
