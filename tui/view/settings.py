"""Kinds of settings: labels and possible values, for a form. Data only, pure."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from tui.dataclass import dataclass
from tui.view.counts import counted

Named: TypeAlias = tuple[tuple[Any, str], ...]
"""Values with their labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoolSetting:
    """A switch: on or off."""

    name: str
    label: str
    owner_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSetting:
    """One of a few values; `parse` reads others that are typed (None: invalid), `says` names them."""

    name: str
    label: str
    values: Named
    parse: Callable[[str], Any] | None = None
    says: Callable[[Any], str] = str
    owner_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ColorSetting:
    """A color as `#rrggbb`; `parse` reads others that are typed."""

    name: str
    label: str
    values: tuple[tuple[str, str], ...]
    parse: Callable[[str], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSetting:
    """Text of at most `longest` characters; 0 for no limit."""

    name: str
    label: str
    hint: str = ""
    longest: int = 0
    lines: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionSetting:
    """A permission: a group, or people and groups listed for this setting."""

    name: str
    label: str
    owner_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSetting:
    """A channel, or none, which is -1 in the API."""

    name: str
    label: str


Setting: TypeAlias = (
    BoolSetting | ChoiceSetting | ColorSetting | TextSetting | PermissionSetting | ChannelSetting
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSection:
    """Settings that are shown on one form; `help` names them in a few words."""

    name: str
    label: str
    help: str
    settings: tuple[Setting, ...]
    text: str = ""
    """A sentence over the fields."""


_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_SPAN = re.compile(r"(\d{1,6})\s*(s|m|h|d|w)[a-z]*")
_DAYS = re.compile(r"(\d{1,5})\s*(?:d[a-z]*)?")


def parse_span(text: str) -> int | None:
    """Return `45 min`, `2h`, `3 days` in seconds; None for an invalid text."""
    match = _SPAN.fullmatch(text.strip().casefold())
    seconds = int(match[1]) * _SECONDS[match[2]] if match is not None else 0
    return seconds or None


_UNITS: Final = (
    (604800, "week", "weeks"),
    (86400, "day", "days"),
    (3600, "hour", "hours"),
    (60, "minute", "minutes"),
)


def span(seconds: int | None) -> str:
    """Format seconds as people say them: `45 minutes`; None as "forever"."""
    if seconds is None:
        return "forever"
    for size, unit, units in _UNITS:
        if seconds % size == 0:
            return counted(seconds // size, unit, units)
    return counted(seconds, "second", "seconds")


def parse_days(text: str) -> int | None:
    """Return `90` or `90 days` as a number; None for an invalid text."""
    match = _DAYS.fullmatch(text.strip().casefold())
    return (int(match[1]) or None) if match is not None else None


def days(count: int) -> str:
    """Format days: `90 days`."""
    return counted(count, "day", "days")


def limit(name: str, label: str) -> ChoiceSetting:
    """Return the setting of a time limit, after which an action is not possible any more."""
    spans = (60, 600, 3600, 86400, 7 * 86400, 30 * 86400)
    values: Named = ((None, span(None)), *((each, span(each)) for each in spans))
    return ChoiceSetting(name=name, label=label, values=values, parse=parse_span, says=span)
