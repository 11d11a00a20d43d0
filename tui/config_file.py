"""Changes single settings in `config.toml` and keeps the rest as the user wrote it, comments too.

A change that is not safe is refused with a sentence; the file is then unchanged.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tui.config import private_folder
from tui.errors import ConfigError
from tui.regular_file import read_text, reason_of, replacing

if TYPE_CHECKING:  # loaded for changes that are more than a line
    from tomlkit import TOMLDocument
    from tomlkit.items import Key as TOMLKey

Value: TypeAlias = str | int | bool
Key: TypeAlias = tuple[str, ...]
"""("theme",) at the top of the file; ("keys", "app.jump") in the table `keys`."""

_TEXT: Final = re.compile(r"[^\"\\\x00-\x1f\x7f\ud800-\udfff]*")
"""Text without anything that TOML writes otherwise."""
_SETTING: Final = re.compile(
    rf"""([A-Za-z_]+)( *= *)(?:"{_TEXT.pattern}"|'[^'\x00-\x1f\x7f]*'|true|false|0|[1-9][0-9]*)( *(?:#.*)?)"""
)
"""A line with a setting: its name, what is before its value, and what is after it."""
_NO_SETTING: Final = re.compile(r" *(?:#.*)?")


def save(path: Path, key: Key, value: Value | None) -> None:
    """Save one setting, or remove it (None). Raises ConfigError."""
    target = path
    try:
        target = path.resolve()  # a symbolic link, as in managed dotfiles, stays a link
        text = read_text(target)
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        text, mode = "", 0o600
    except (OSError, UnicodeDecodeError, RuntimeError) as error:  # the last: links in a circle
        raise ConfigError(f"{path} cannot be read: {reason_of(error)}.") from error
    changed = with_setting(text, key, value)
    if changed == text:
        return
    private_folder(target.parent)
    try:
        with replacing(target, ".config-") as file:
            os.chmod(file.name, mode)
            file.write(changed.encode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error


def with_setting(text: str, key: Key, value: Value | None) -> str:
    """Return the text with one setting changed, added or (None) removed. Raises ConfigError."""
    if (changed := line_changed(text, key, value)) is not None:
        return changed
    import tomlkit  # 16 ms and 0.6 MB, for what is more than a line
    from tomlkit.exceptions import ParseError

    try:
        document = tomlkit.parse(text)
    except ParseError as error:
        raise ConfigError(f"config.toml is not valid TOML: {error}.") from error
    table: MutableMapping[str, Any] = document
    for name in key[:-1]:
        if name not in table:
            if value is None:
                return text
            table[name] = tomlkit.table()
        table = table[name]
        if not isinstance(table, MutableMapping):
            raise ConfigError(f"config.toml: {name} must be a table.")
    if table.get(key[-1]) == value:
        return text
    if value is None:
        del table[key[-1]]
    elif len(key) == 1 and key[0] not in document and (names := _plain(document)):
        # By default it would be put below the comment that belongs to the first table.
        document._insert_after(names[-1], key[0], tomlkit.item(value))
    else:
        table[key[-1]] = value
    return tomlkit.dumps(document)


def line_changed(text: str, key: Key, value: Value | None) -> str | None:
    """Return the text with a line of one setting changed, as tomlkit would do it; None where that takes more."""
    name, lines = key[-1], text.split("\n")
    written = _written(value)
    if len(key) > 1 or written is None or "\r" in text or lines[-1]:
        return None
    here = last = None
    for at, line in enumerate(lines[:-1]):
        if line.startswith("["):
            break
        if match := _SETTING.fullmatch(line):
            last = at
            if match[1] == name:
                here = at, match
        elif not _NO_SETTING.fullmatch(line):
            return None
    if here is not None:
        at, match = here
        lines[at : at + 1] = [] if value is None else [f"{name}{match[2]}{written}{match[3]}"]
    elif last is not None or not text:
        at = 0 if last is None else last + 1
        lines[at:at] = [] if value is None else [f"{name} = {written}"]
    else:
        return None
    return _checked(text, "\n".join(lines), name, value)


def _written(value: Value | None) -> str | None:
    """Return a value as it is written in TOML; None for text that has anything in it that is written otherwise."""
    if isinstance(value, str):
        return f'"{value}"' if _TEXT.fullmatch(value) else None
    return str(value).lower()


def _checked(text: str, changed: str, name: str, value: Value | None) -> str | None:
    """Return the changed text if all that it says besides is what the text said; None if either is no TOML."""
    import tomllib

    try:
        before, after = tomllib.loads(text), tomllib.loads(changed)
    except tomllib.TOMLDecodeError:
        return None
    if before.get(name) == value:
        return text
    before.pop(name, None)
    return changed if after == before | ({} if value is None else {name: value}) else None


def _plain(document: TOMLDocument) -> list[TOMLKey]:
    """Return the settings above the first table."""
    from tomlkit.items import AoT, Table

    return [name for name, item in document.body if name and not isinstance(item, Table | AoT)]
