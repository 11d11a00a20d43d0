"""The user's own themes: one TOML file each in a folder. Reads files when asked; no network."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from textual.color import Color, ColorParseError
from textual.theme import Theme

from tui.errors import ConfigError
from tui.regular_file import read_text, reason_of

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_NUMBERS: Final = ("luminosity_spread", "text_alpha")
_KNOWN: Final = tuple(each.name for each in fields(Theme) if each.name not in ("name", "ansi"))


def read_themes(folder: Path, taken: frozenset[str]) -> tuple[list[Theme], list[str]]:
    """Return the themes in a folder, by the names of their files, and a sentence for each invalid one."""
    themes: list[Theme] = []
    troubles: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            themes.append(_read(path, taken))
        except ConfigError as error:
            troubles.append(str(error))
    return themes, troubles


def _read(path: Path, taken: frozenset[str]) -> Theme:
    try:
        table = tomllib.loads(read_text(path))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {reason_of(error)}.") from error
    if not _NAME.fullmatch(path.stem) or path.stem in taken:
        raise ConfigError(f"{path}: the name must be a new one, of a-z, 0-9 and -.")
    if "primary" not in table:
        raise ConfigError(f'{path}: a theme needs at least primary = "#rrggbb".')
    variables = table.pop("variables", {})
    for name, value in table.items():
        if name not in _KNOWN:
            raise ConfigError(f"{path}: there is no {name!r} in a theme ({', '.join(_KNOWN)}).")
        _check(path, name, value)
    if not isinstance(variables, dict) or not all(
        isinstance(each, str) and not set(each) & set("{};\n") for each in variables.values()
    ):
        raise ConfigError(f'{path}: variables must be a table, e.g. [variables] border = "#333".')
    return Theme(name=path.stem, variables=variables, **table)


def _check(path: Path, name: str, value: Any) -> None:
    if name == "dark":
        if not isinstance(value, bool):
            raise ConfigError(f"{path}: dark must be true or false.")
    elif name in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ConfigError(f"{path}: {name} must be a number from 0 to 1.")
    else:
        try:
            Color.parse(value)
        except (ColorParseError, TypeError, AttributeError) as error:
            raise ConfigError(f'{path}: {name} must be a color, e.g. "#d9a45b".') from error
