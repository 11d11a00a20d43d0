"""Changes single settings in `config.toml` and keeps the rest as the user wrote it, comments too.

A change that is not safe is refused with a sentence; the file is then unchanged.
"""

from __future__ import annotations

import os
import stat
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tui.config import private_folder
from tui.errors import ConfigError
from tui.regular_file import read_text, reason_of, replacing

if TYPE_CHECKING:  # loaded with the first change of a setting
    from tomlkit import TOMLDocument
    from tomlkit.items import Key as TOMLKey

Value: TypeAlias = str | int | bool
Key: TypeAlias = tuple[str, ...]
"""("theme",) at the top of the file; ("keys", "app.jump") in the table `keys`."""


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
    import tomlkit  # 16 ms, needed only for changing a setting
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


def _plain(document: TOMLDocument) -> list[TOMLKey]:
    """Return the settings above the first table."""
    from tomlkit.items import AoT, Table

    return [name for name, item in document.body if name and not isinstance(item, Table | AoT)]
