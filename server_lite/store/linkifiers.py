"""Rows of linkifiers, in the order they are applied. SQL only."""

from collections.abc import Sequence
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.store.connection import Db, Row
from server_lite.store.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkifierForm:
    """The editable values of a linkifier."""

    pattern: str
    url_template: str
    example_input: str | None
    reverse_template: str | None
    alternative_url_templates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkifierRow(LinkifierForm):
    """A row of `linkifier`."""

    id: int


_ROWS: Final = Rows(LinkifierRow, "linkifier")


def everything(db: Db) -> list[LinkifierRow]:
    """Return all linkifiers in their order."""
    return _ROWS.all(db, "ORDER BY position, id")


def by_id(db: Db, linkifier_id: int) -> LinkifierRow | None:
    """Return one linkifier."""
    return _ROWS.one(db, "WHERE id = ?", linkifier_id)


def insert(db: Db, form: LinkifierForm) -> int:
    """Insert a linkifier after all others; returns its ID."""
    return db.insert(
        "INSERT INTO linkifier (pattern, url_template, example_input, reverse_template,"
        " alternative_url_templates, position)"
        " VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM linkifier))",
        *_values(form),
    )


def update(db: Db, linkifier_id: int, form: LinkifierForm) -> None:
    """Replace a linkifier; its position stays."""
    db.run(
        "UPDATE linkifier SET pattern = ?, url_template = ?, example_input = ?,"
        " reverse_template = ?, alternative_url_templates = ? WHERE id = ?",
        *_values(form),
        linkifier_id,
    )


def _values(form: LinkifierForm) -> Row:
    return (
        form.pattern,
        form.url_template,
        form.example_input,
        form.reverse_template,
        orjson.dumps(form.alternative_url_templates).decode(),
    )


def delete(db: Db, linkifier_id: int) -> None:
    """Delete a linkifier."""
    db.run("DELETE FROM linkifier WHERE id = ?", linkifier_id)


def reorder(db: Db, order: Sequence[int]) -> None:
    """Store the order of all linkifiers."""
    db.many(
        "UPDATE linkifier SET position = ? WHERE id = ?",
        [(position, linkifier_id) for position, linkifier_id in enumerate(order, start=1)],
    )
