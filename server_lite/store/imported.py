"""State of earlier imports: which export, how far it went, which row became which. SQL only."""

from typing import Literal

from server_lite.dataclass import dataclass
from server_lite.store import channels, generation, settings
from server_lite.store.connection import Db
from server_lite.store.rows import insert_row

_STATE = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportState:
    """The last import. `spans` are (first ID there, offset to the ID here), ascending."""

    digest: str = ""
    """Digest of all files."""
    origin: str = ""
    """The exported organization; "" if unknown."""
    last_number: int = 0
    """The highest message ID there."""
    until: float = 0.0
    """The time of its newest message, UNIX seconds."""
    spans: list[tuple[int, int]]


def state(db: Db) -> ImportState:
    """Return the state; all fields are empty if nothing was imported."""
    stored = settings.value(db, _STATE, {"spans": []})
    return ImportState(**{**stored, "spans": [(first, more) for first, more in stored["spans"]]})


def set_state(db: Db, new: ImportState) -> None:
    """Store the state for the next import."""
    values = {name: getattr(new, name) for name in ImportState.__slots__}
    settings.store(db, _STATE, values)


def everything(db: Db) -> dict[tuple[str, str], int]:
    """Return (kind, origin's key) -> ID here."""
    rows = db.rows("SELECT kind, origin, id FROM imported_row")
    return {(kind, origin): number for kind, origin, number in rows}


def add(db: Db, kind: str, origin: str, number: int) -> None:
    """Record which row an imported object became."""
    insert_row(db, "imported_row", kind=kind, origin=origin, id=number)


def has_message(db: Db, number: int) -> bool:
    """Whether the message still exists."""
    return db.row("SELECT 1 FROM message WHERE id = ?", number) is not None


def has_path(db: Db, path: str) -> bool:
    """Whether a file has this path, complete or not."""
    return db.row("SELECT 1 FROM upload WHERE path_id = ?", path) is not None


def emoji_named(db: Db, name: str) -> int | None:
    """Return the ID of the active custom emoji with this name."""
    number: int | None = db.value(
        "SELECT id FROM custom_emoji WHERE name = ? AND NOT deactivated", name
    )
    return number


def is_taken(db: Db, table: Literal["channel", "user_group"], name: str) -> bool:
    """Whether a channel or group has an equivalent name."""
    key = "name_key" if table == "channel" else "lower(name)"
    same = channels.name_key(name) if table == "channel" else name.lower()
    return db.row(f"SELECT 1 FROM {table} WHERE {key} = ?", same) is not None


def highest_number(db: Db, table: str) -> int:
    """Return the highest ID that a row of a table has or had."""
    highest: int = db.value(f"SELECT coalesce(max(id), 0) FROM {table}")
    return max(highest, generation.counters(db).get(table, 0))
