"""Schemas of organization and personal settings, made from their tables. Reads nothing."""

from collections.abc import Mapping
from typing import Any, Final

from server_lite.objects.personal import OLD_DISPLAY, OLD_NOTIFICATIONS
from server_lite.store.personal_settings import PERSONAL, PersonalSetting
from server_lite.store.realm import PERMISSIONS, SETTINGS, RealmSetting

Schema = dict[str, Any]

_TYPES: Final[Mapping[type, str]] = {bool: "boolean", int: "integer", str: "string"}

_IDS: Final[Schema] = {"type": "array", "items": {"type": "integer"}}
GROUP: Final[Schema] = {
    "description": "A group's ID, or people and groups named one by one.",
    "anyOf": [
        {"type": "integer"},
        {
            "type": "object",
            "required": ["direct_members", "direct_subgroups"],
            "properties": {"direct_members": _IDS, "direct_subgroups": _IDS},
            "additionalProperties": False,
        },
    ],
}

DERIVED: Final[Mapping[str, Schema]] = {
    "allow_edit_history": {"type": "boolean"},
    "mandatory_topics": {"type": "boolean"},
    "create_public_stream_policy": {"type": "integer"},
    "create_private_stream_policy": {"type": "integer"},
    "create_web_public_stream_policy": {"type": "integer"},
    "wildcard_mention_policy": {"type": "integer"},
}
"""Deprecated settings that follow from others."""


def _schema(entry: RealmSetting | PersonalSetting) -> Schema:
    one: Schema = {"type": _TYPES[entry.type]}
    return {"anyOf": [one, {"type": "null"}]} if entry.nullable else one


REALM_SETTINGS: Final[Mapping[str, Schema]] = {
    **{name: _schema(entry) for name, entry in SETTINGS.items()},
    **DERIVED,
    **dict.fromkeys(PERMISSIONS, GROUP),
}
"""Organization settings by their names without `realm_`."""

_CHOICES: Final[Mapping[str, Schema]] = {
    "available_notification_sounds": {"type": "array", "items": {"type": "string"}},
    "emojiset_choices": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["key", "text"],
            "properties": {"key": {"type": "string"}, "text": {"type": "string"}},
            "additionalProperties": False,
        },
    },
}
_PERSONAL: Final[Mapping[str, Schema]] = {
    **{name: _schema(entry) for name, entry in PERSONAL.items()},
    **_CHOICES,
}


def closed(properties: Mapping[str, Schema]) -> Schema:
    """Return the schema of an object with all of these properties and no others."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": dict(properties),
        "additionalProperties": False,
    }


USER_SETTINGS: Final[Schema] = closed({**_PERSONAL, "timezone": {"type": "string"}})
"""All personal settings, and the lists of possible values."""

OLD_USER_SETTINGS: Final[Mapping[str, Schema]] = {
    name: USER_SETTINGS["properties"][name] for name in (*OLD_DISPLAY, *OLD_NOTIFICATIONS)
}
"""Personal settings that older clients read at the top of register's answer."""

DEFAULT_USER_SETTINGS: Final[Schema] = closed(_PERSONAL)
"""Default personal settings of new users."""
