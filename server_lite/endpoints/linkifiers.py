"""Linkifiers: visible to all, changed by administrators. Thin."""

from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access.linkifiers import (
    MAX_ALTERNATIVES,
    MAX_TEXT,
    access_linkifier,
    check_linkifier,
)
from server_lite.access.roles import check_admin
from server_lite.actions import linkifiers as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import UNSET, MaxLength, check_text
from server_lite.errors import ApiError
from server_lite.objects.organization import LinkifierObject, linkifier_objects
from server_lite.store import linkifiers
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.linkifiers import LinkifierForm
from server_lite.store.users import UserRow

Text = Annotated[str, MaxLength(MAX_TEXT)]
OptionalText = Annotated[str | None, MaxLength(MAX_TEXT)]


class Linkifiers(TypedDict):
    """All linkifiers."""

    linkifiers: list[LinkifierObject]


class Created(TypedDict):
    """ID of the created linkifier."""

    id: int


def listing(db: Db, user: UserRow) -> Linkifiers:
    """Get all linkifiers, in the order they are applied."""
    return {"linkifiers": linkifier_objects(db)}


def create(
    tx: Tx,
    user: UserRow,
    *,
    pattern: Text,
    url_template: Text,
    example_input: OptionalText = None,
    reverse_template: OptionalText = None,
    alternative_url_templates: list[str] | None = None,
) -> Created:
    """Create a linkifier."""
    check_admin(user)
    form = LinkifierForm(
        pattern=pattern,
        url_template=url_template,
        example_input=example_input or None,
        reverse_template=reverse_template or None,
        alternative_url_templates=_alternatives(alternative_url_templates or []),
    )
    check_linkifier(tx, form)
    return {"id": actions.create(tx, form)}


def update(
    tx: Tx,
    user: UserRow,
    filter_id: int,
    *,
    pattern: Text,
    url_template: Text,
    example_input: OptionalText = UNSET,
    reverse_template: OptionalText = UNSET,
    alternative_url_templates: list[str] | None = None,
) -> Done:
    """Update a linkifier. Omitted values stay; an empty string or null removes a value."""
    check_admin(user)
    old = access_linkifier(tx, filter_id)
    form = LinkifierForm(
        pattern=pattern,
        url_template=url_template,
        example_input=old.example_input if example_input is UNSET else example_input or None,
        reverse_template=(
            old.reverse_template if reverse_template is UNSET else reverse_template or None
        ),
        alternative_url_templates=(
            old.alternative_url_templates
            if alternative_url_templates is None
            else _alternatives(alternative_url_templates)
        ),
    )
    check_linkifier(tx, form, other_than=old.id)
    actions.update(tx, old, form)
    return {}


def delete(tx: Tx, user: UserRow, filter_id: int) -> Done:
    """Delete a linkifier."""
    check_admin(user)
    actions.delete(tx, access_linkifier(tx, filter_id))
    return {}


def reorder(tx: Tx, user: UserRow, *, ordered_linkifier_ids: list[int]) -> Done:
    """Reorder the linkifiers; the list must contain each of them once."""
    check_admin(user)
    if sorted(ordered_linkifier_ids) != sorted(one.id for one in linkifiers.everything(tx)):
        raise ApiError("ordered_linkifier_ids must enumerate all existing linkifiers exactly once")
    actions.reorder(tx, ordered_linkifier_ids)
    return {}


def _alternatives(templates: list[str]) -> tuple[str, ...]:
    if len(templates) > MAX_ALTERNATIVES:
        raise ApiError(f"alternative_url_templates is too long (limit: {MAX_ALTERNATIVES})")
    for template in templates:
        check_text(template, "alternative_url_templates")
        if len(template) > MAX_TEXT:
            raise ApiError(
                f"alternative_url_templates is too long (limit: {MAX_TEXT} characters each)"
            )
    return tuple(dict.fromkeys(templates))
