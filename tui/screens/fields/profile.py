"""The organization's custom profile fields as fields of a form, and the answers for the server.

Reads the store, changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui.api.model import ProfileFieldId, User, UserId
from tui.api.organization import CustomProfileField
from tui.content.sanitize import sanitize, sanitize_line
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Field, SeveralField, TextField
from tui.store import Store
from tui.view import names
from tui.view.profile import CHOICE, PERSON
from tui.view.profile_fields import choices, ids
from tui.view.users import everybody

_LONG, _DATE, _LINK = 2, 4, 5
_HINTS = {_DATE: "year-month-day, e.g. 1990-12-31", _LINK: "https://…"}


def profile_fields(store: Store, user: User, *, own: bool) -> list[Field]:
    """Return the profile fields in order with the user's values; `own`: only those that users may edit."""
    fields_in_order = sorted(store.realm.profile_fields, key=lambda each: each.order)
    return [
        _field(store, user, each) for each in fields_in_order if each.editable_by_user or not own
    ]


def profile_answers(store: Store, answers: Answers) -> dict[ProfileFieldId, str | Sequence[UserId]]:
    """Return the changed values of `profile_fields` by ID; "" deletes a value."""
    values: dict[ProfileFieldId, str | Sequence[UserId]] = {}
    for each in store.realm.profile_fields:
        name = _name(each)
        if name not in answers.changed:
            continue
        if each.type == PERSON:
            values[each.id] = sorted(answers.several(name)) or ""
        elif each.type == CHOICE:
            values[each.id] = answers.choice(name)
        else:
            values[each.id] = answers.text(name)
    return values


def _name(field: CustomProfileField) -> str:
    return f"profile-{field.id}"


def _field(store: Store, user: User, field: CustomProfileField) -> Field:
    profile_value = (user.profile_data or {}).get(field.id)
    value = "" if profile_value is None else profile_value.value or ""
    name, label = _name(field), sanitize_line(field.name)
    if field.type == CHOICE:
        return ChoiceField(name=name, label=label, choices=_choices(field), value=value)
    if field.type == PERSON:
        people = [
            Choice(value=each.user_id, label=names.person(store, each.user_id))
            for each in everybody(store, deactivated=False)
        ]
        return SeveralField(
            name=name, label=label, choices=people, value=_people(value), nothing="—"
        )
    long = field.type == _LONG
    return TextField(
        name=name,
        label=label,
        value=sanitize(value) if long else sanitize_line(value),
        hint=sanitize_line(field.hint) or _HINTS.get(field.type, ""),
        lines=3 if long else 1,
    )


def _choices(field: CustomProfileField) -> list[Choice[Any]]:
    options = [
        Choice(value=key, label=sanitize_line(text)) for key, text in choices(field.field_data)
    ]
    return [Choice(value="", label="—"), *options]


def _people(value: str) -> frozenset[UserId]:
    return frozenset(ids(value))
