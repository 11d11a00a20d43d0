"""Settings as fields of a form, and the form's answers as changes. Reads, changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tui.api.features import knows
from tui.content.sanitize import sanitize_line
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Field, TextField, TickField
from tui.screens.fields.groups import group_changes, group_field
from tui.store import Store
from tui.view import names, permissions
from tui.view.settings import (
    BoolSetting,
    ChannelSetting,
    ChoiceSetting,
    ColorSetting,
    PermissionSetting,
    Setting,
    SettingsSection,
    TextSetting,
)

NOWHERE = -1


def fields(store: Store, section: SettingsSection, record: object) -> list[Field]:
    """Return a field for each setting that `record` has and the user may change.

    None is a setting that the server does not have, unless None is one of its values.
    """
    return [
        field_of(store, each, getattr(record, each.name))
        for each in offered(store, section, record)
    ]


def offered(store: Store, section: SettingsSection, record: object) -> list[Setting]:
    """Return the settings of a section that this server has and the user may change."""
    owner = permissions.is_owner(store)
    return [
        each
        for each in section.settings
        if (owner or not getattr(each, "owner_only", False))
        and knows(store.realm.feature_level, each.name)
        and (getattr(record, each.name) is not None or _takes_none(each))
    ]


def changes(section: SettingsSection, record: object, answers: Answers) -> dict[str, Any]:
    """Return the changed values by name; permissions as `GroupChange`s."""
    values: dict[str, Any] = {}
    groups = {}
    for each in section.settings:
        match each:
            case _ if each.name not in answers.changed:
                pass
            case BoolSetting(name=name):
                values[name] = answers.tick(name)
            case TextSetting(name=name):
                values[name] = answers.text(name)
            case PermissionSetting(name=name):
                groups[name] = getattr(record, name)
            case ChoiceSetting(name=name) | ChannelSetting(name=name) | ColorSetting(name=name):
                values[name] = answers.choice(name)
    return values | group_changes(answers, groups)


def _takes_none(setting: Setting) -> bool:
    if isinstance(setting, ChoiceSetting):
        return any(value is None for value, _ in setting.values)
    return isinstance(setting, TextSetting)


def field_of(store: Store, setting: Setting, value: Any) -> Field:
    """Return the field of a setting with a value."""
    match setting:
        case BoolSetting(name=name, label=label):
            return TickField(name=name, label=label, value=value)
        case TextSetting(name=name, label=label):
            return TextField(
                name=name,
                label=label,
                value=value or "",
                hint=setting.hint,
                longest=setting.longest,
                lines=setting.lines,
            )
        case PermissionSetting(name=name, label=label):
            return group_field(store, name, label, value)
        case ChannelSetting(name=name, label=label):
            return ChoiceField(name=name, label=label, choices=_channels(store), value=value)
        case ChoiceSetting(name="video_chat_provider"):
            return _one_of(replace(setting, values=_providers(store) or setting.values), value)
        case ChoiceSetting():
            return _one_of(setting, value)
        case ColorSetting():
            return _color(setting, value)


def _providers(store: Store) -> tuple[tuple[int, str], ...]:
    """Return the video call providers that the server offers; () if it does not list them."""
    listed = sorted(store.realm.video_providers.values(), key=lambda each: each.id)
    return tuple((each.id, sanitize_line(each.name)) for each in listed)


def _one_of(setting: ChoiceSetting, value: Any) -> ChoiceField:
    choices = [Choice(value=each, label=label) for each, label in setting.values]
    if all(value != choice.value for choice in choices):
        choices.append(Choice(value=value, label=sanitize_line(setting.says(value))))

    def typed(text: str) -> Choice[Any] | None:
        value = setting.parse(text) if setting.parse is not None else None
        return None if value is None else Choice(value=value, label=setting.says(value))

    return ChoiceField(
        name=setting.name, label=setting.label, choices=choices, value=value, made_of=typed
    )


def _color(setting: ColorSetting, value: str) -> ChoiceField:
    choices = [Choice(value=each, label=label, color=each) for each, label in setting.values]
    now = setting.parse(value) or value
    if all(now != choice.value for choice in choices):
        choices.append(Choice(value=now, label=sanitize_line(now), color=setting.parse(now) or ""))

    def typed(text: str) -> Choice[Any] | None:
        color = setting.parse(text)
        return None if color is None else Choice(value=color, label=color, color=color)

    return ChoiceField(
        name=setting.name, label=setting.label, choices=choices, value=now, made_of=typed
    )


def _channels(store: Store) -> list[Choice[int]]:
    in_order = sorted(store.channels.by_id.values(), key=lambda each: each.name.casefold())
    return [
        Choice(value=NOWHERE, label="nowhere"),
        *(
            Choice(
                value=int(each.channel_id),
                label=f"{names.channel_mark(store, each.channel_id)}{sanitize_line(each.name)}",
            )
            for each in in_order
            if not each.is_archived
        ),
    ]
