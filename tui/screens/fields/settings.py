"""Settings as fields of a form, and what the form's answers change of them. Reads, changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tui.api.features import knows
from tui.content.sanitise import sanitise_line
from tui.screens.dialogs.chooser import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Field, TextField, TickField
from tui.screens.fields.groups import group_changes, group_field
from tui.store import Store
from tui.view import names, permissions
from tui.view.settings import Colour, OneOf, Place, Setting, Switch, Theme, Who, Words

NOWHERE = -1


def fields(store: Store, theme: Theme, record: object) -> list[Field]:
    """A field for each setting that `record` has and the person may change.

    None is a setting that the server does not have, unless None is one of its values.
    """
    return [
        field_of(store, each, getattr(record, each.name)) for each in offered(store, theme, record)
    ]


def offered(store: Store, theme: Theme, record: object) -> list[Setting]:
    """The settings of a theme that can be changed here."""
    owner = permissions.is_owner(store)
    return [
        each
        for each in theme.settings
        if (owner or not getattr(each, "owner_only", False))
        and knows(store.realm.feature_level, each.name)
        and (getattr(record, each.name) is not None or _takes_none(each))
    ]


def changes(theme: Theme, record: object, answers: Answers) -> dict[str, Any]:
    """The new values of what was changed, by name; of permissions `GroupChange`s."""
    found: dict[str, Any] = {}
    groups = {}
    for each in theme.settings:
        match each:
            case _ if each.name not in answers.changed:
                pass
            case Switch(name=name):
                found[name] = answers.tick(name)
            case Words(name=name):
                found[name] = answers.text(name)
            case Who(name=name):
                groups[name] = getattr(record, name)
            case OneOf(name=name) | Place(name=name) | Colour(name=name):
                found[name] = answers.choice(name)
    return found | group_changes(answers, groups)


def _takes_none(setting: Setting) -> bool:
    if isinstance(setting, OneOf):
        return any(value is None for value, _ in setting.values)
    return isinstance(setting, Words)


def field_of(store: Store, setting: Setting, value: Any) -> Field:
    """A setting with a value as a field."""
    match setting:
        case Switch(name=name, label=label):
            return TickField(name=name, label=label, value=value)
        case Words(name=name, label=label):
            return TextField(
                name=name,
                label=label,
                value=value or "",
                hint=setting.hint,
                longest=setting.longest,
                lines=setting.lines,
            )
        case Who(name=name, label=label):
            return group_field(store, name, label, value)
        case Place(name=name, label=label):
            return ChoiceField(name=name, label=label, choices=_channels(store), value=value)
        case OneOf(name="video_chat_provider"):
            return _one_of(replace(setting, values=_providers(store) or setting.values), value)
        case OneOf():
            return _one_of(setting, value)
        case Colour():
            return _colour(setting, value)


def _providers(store: Store) -> tuple[tuple[int, str], ...]:
    """The services for video calls that the server is connected to; () if it does not list them."""
    listed = sorted(store.realm.video_providers.values(), key=lambda each: each.id)
    return tuple((each.id, sanitise_line(each.name)) for each in listed)


def _one_of(setting: OneOf, value: Any) -> ChoiceField:
    choices = [Choice(value=each, label=label) for each, label in setting.values]
    if all(value != choice.value for choice in choices):
        choices.append(Choice(value=value, label=sanitise_line(setting.says(value))))

    def typed(text: str) -> Choice[Any] | None:
        made = setting.parse(text) if setting.parse is not None else None
        return None if made is None else Choice(value=made, label=setting.says(made))

    return ChoiceField(
        name=setting.name, label=setting.label, choices=choices, value=value, made_of=typed
    )


def _colour(setting: Colour, value: str) -> ChoiceField:
    choices = [Choice(value=each, label=label, color=each) for each, label in setting.values]
    now = setting.parse(value) or value
    if all(now != choice.value for choice in choices):
        choices.append(Choice(value=now, label=sanitise_line(now), color=setting.parse(now) or ""))

    def typed(text: str) -> Choice[Any] | None:
        made = setting.parse(text)
        return None if made is None else Choice(value=made, label=made, color=made)

    return ChoiceField(
        name=setting.name, label=setting.label, choices=choices, value=now, made_of=typed
    )


def _channels(store: Store) -> list[Choice[int]]:
    known = sorted(store.channels.by_id.values(), key=lambda each: each.name.casefold())
    return [
        Choice(value=NOWHERE, label="nowhere"),
        *(
            Choice(
                value=int(each.channel_id),
                label=f"{names.channel_mark(store, each.channel_id)}{sanitise_line(each.name)}",
            )
            for each in known
            if not each.is_archived
        ),
    ]
