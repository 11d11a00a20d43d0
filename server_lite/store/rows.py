"""Reads rows of a table as instances of a class whose fields are its columns. Knows no table."""

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar, Union, get_args, get_origin

import orjson

from server_lite.store.connection import Db, Row, SqlValue, placeholders

R = TypeVar("R")
Reader = Callable[[Any], object]
"""Converts a value from SQLite; the schema guarantees its type."""
_STRUCTURES: Final = (list, dict, Sequence, Mapping)
KEPT: Final = 500
"""Limit of cached instances of one class, by row."""


class Rows(Generic[R]):
    """Reads the rows of `source`: a table, or a join that starts with one.

    A field is the column of its name, unless `columns` has another expression for it. `bool` columns are
    numbers, those of lists, tuples and mappings are JSON.
    """

    def __init__(
        self,
        kind: type[R],
        source: str,
        *,
        columns: Mapping[str, str] = MappingProxyType({}),
        keeps: bool = False,
    ) -> None:
        """`keeps`: `one` returns the same instance for equal rows, which must not be mutated."""
        described = [each for each in fields(kind) if each.init]  # type: ignore[arg-type]  # R is a dataclass
        table = source.split()[0]
        self._kind: Callable[..., R] = kind
        self._by_name = tuple(each.name for each in described if each.kw_only)
        readers = ((at, _reader(each.type)) for at, each in enumerate(described))
        self._readers = tuple((at, reader) for at, reader in readers if reader is not None)
        self.columns: Final = ", ".join(
            columns.get(each.name, f"{table}.{each.name}") for each in described
        )
        self._select: Final = f"SELECT {self.columns} FROM {source} "
        # One statement for any number of IDs: each number of placeholders would be another one, which is prepared and kept.
        self._select_among: Final = (
            f"SELECT {self.columns} FROM json_each(?) AS wanted CROSS JOIN {source}"
            f" WHERE wanted.value = {table}."
        )
        self._by_id: Final = f"ORDER BY {table}.id"
        self._read_one: Final = lru_cache(KEPT)(self.read) if keeps else self.read

    def one(self, db: Db, rest: str, *values: SqlValue) -> R | None:
        """Return the first row; `rest` is what follows FROM: WHERE and ORDER BY."""
        row = db.row(self._select + rest, *values)
        return self._read_one(row) if row else None

    def all(self, db: Db, rest: str, *values: SqlValue) -> list[R]:
        """Return all rows; `rest` as for `one`."""
        return [self.read(row) for row in self.rows(db, rest, *values)]

    def again(
        self, db: Db, before: Sequence[tuple[Row, R]], rest: str, *values: SqlValue
    ) -> list[tuple[Row, R]]:
        """Return all rows with their instances; of a row that is equal in the same place of `before`, that one."""
        return [
            same if same is not None and same[0] == row else (row, self.read(row))
            for row, same in zip(
                self.rows(db, rest, *values), chain(before, repeat(None)), strict=False
            )
        ]

    def rows(self, db: Db, rest: str, *values: SqlValue) -> list[Row]:
        """Return all rows with `columns` as they are, for `read`."""
        return db.rows(self._select + rest, *values)

    def among(self, db: Db, column: str, values: Iterable[int] | Iterable[str]) -> list[R]:
        """Return the table's rows whose `column` is one of these values, by ID."""
        text = orjson.dumps(sorted(set(values))).decode()
        rows = db.rows(f"{self._select_among}{column} {self._by_id}", text)
        return [self.read(row) for row in rows]

    def read(self, row: Row) -> R:
        """Return one row with `columns` as an instance."""
        values: Sequence[object] = row
        if self._readers:
            values = read = list(row)
            for at, reader in self._readers:
                read[at] = reader(read[at])
        if self._by_name:
            return self._kind(**dict(zip(self._by_name, values, strict=True)))
        return self._kind(*values)


def insert_row(db: Db, table: str, **values: SqlValue) -> int:
    """Insert a row with these columns, whose names are ours. Returns its `rowid`."""
    return db.insert(_insert(table, tuple(values)), *values.values())


@lru_cache
def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders(columns)})"


def _reader(kind: object) -> Reader | None:
    """Return the converter for a field's type; None if SQLite's value can be used as it is."""
    if get_origin(kind) in (Union, types.UnionType):
        (*inner,) = (_reader(each) for each in get_args(kind) if each is not types.NoneType)
        return _optional(inner[0]) if len(inner) == 1 and inner[0] is not None else None
    if kind is bool:
        return bool
    if get_origin(kind) is tuple:
        return lambda text: tuple(orjson.loads(text))
    return orjson.loads if get_origin(kind) in _STRUCTURES else None


def _optional(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)
