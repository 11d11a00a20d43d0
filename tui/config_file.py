"""Changes single settings in `config.toml` and leaves the rest as the person wrote it, comments too.

What cannot be changed safely is refused with a sentence; the file is then as it was.
"""

import json
import os
import re
import stat
import tempfile
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from tui.config import private_folder
from tui.errors import ConfigError

Value: TypeAlias = str | int | bool
Key: TypeAlias = tuple[str, ...]
"""("theme",) at the top of the file; ("keys", "app.jump") in the table `keys`."""

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_TABLE: Final = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]\s*(#.*)?$")
_ANY_TABLE: Final = re.compile(r"\s*\[")
_SETS: Final = re.compile(r"\s*[^\s#]")
_SETTING: Final = re.compile(
    r"""(?P<head>\s*(?P<key>[A-Za-z0-9_-]+|"[^"]*"|'[^']*')\s*=\s*)"""
    r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"']+)"""
)
"""A line with a setting, up to the end of its value."""


def save(path: Path, key: Key, value: Value | None) -> None:
    """Store one setting, or take it out (None). Raises ConfigError."""
    target = path.resolve()  # a link, as those have who keep such files elsewhere, stays a link
    try:
        text = target.read_text("utf-8")
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        text, mode = "", 0o600
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    changed = with_setting(text, key, value)
    if changed == text:
        return
    private_folder(target.parent)
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".config-")
        part = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(changed)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        part.replace(target)
    except OSError as error:
        if part is not None:
            with suppress(OSError):
                part.unlink()
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error


def with_setting(text: str, key: Key, value: Value | None) -> str:
    """The text with one setting changed, added or (None) taken out. Raises ConfigError."""
    before = _parsed(text)
    wanted = _changed(before, key, value)
    if wanted == before:
        return text
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    first, last = _region(lines, key)
    changed = "".join(_edited(lines, first, last, key, value))
    # Whatever was meant by strange lines: the result says what was wanted, or nothing is written.
    if _parsed(changed, strange=True) != wanted:
        raise ConfigError(
            "Chinwag cannot edit this config.toml:"
            f" add `{_name(key[-1])} = {_toml(value) if value is not None else '…'}` by hand."
        )
    return changed


def _parsed(text: str, *, strange: bool = False) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if strange:
            return None
        raise ConfigError(f"config.toml is not valid TOML: {error}.") from error


def _changed(table: dict[str, Any] | None, key: Key, value: Value | None) -> dict[str, Any]:
    changed = dict(table or {})
    if len(key) > 1:
        inner = _changed(changed.get(key[0], {}), key[1:], value)
        changed[key[0]] = inner
        if not inner and key[0] not in (table or {}):
            del changed[key[0]]
    elif value is None:
        changed.pop(key[0], None)
    else:
        changed[key[0]] = value
    return changed


def _region(lines: list[str], key: Key) -> tuple[int, int]:
    """Where the key's table has its lines; both at the end if there is no such table."""
    tables = [at for at, line in enumerate(lines) if _ANY_TABLE.match(line)]
    if len(key) == 1:
        return 0, tables[0] if tables else len(lines)
    for at in tables:
        found = _TABLE.match(lines[at])
        if found is not None and found[1] == key[0]:
            return at + 1, next((later for later in tables if later > at), len(lines))
    return len(lines), len(lines)


def _edited(lines: list[str], first: int, last: int, key: Key, value: Value | None) -> list[str]:
    for at in range(first, last):
        found = _SETTING.match(lines[at])
        if found is not None and found["key"].strip("\"'") == key[-1]:
            if value is None:
                return [*lines[:at], *lines[at + 1 :]]
            line = f"{found['head']}{_toml(value)}{lines[at][found.end() :]}"
            return [*lines[:at], line, *lines[at + 1 :]]
    if value is None:
        return lines
    line = f"{_name(key[-1])} = {_toml(value)}\n"
    if len(key) > 1 and first == len(lines) and not _has_table(lines, key[0]):
        return [*lines, *(["\n"] if lines else []), f"[{key[0]}]\n", line]
    set_here = [at for at in range(first, last) if _SETS.match(lines[at])]
    at = set_here[-1] + 1 if set_here else last if last == len(lines) else first
    return [*lines[:at], line, *lines[at:]]


def _has_table(lines: list[str], name: str) -> bool:
    return any((found := _TABLE.match(line)) and found[1] == name for line in lines)


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _toml(name)


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value)  # JSON's strings are TOML's, DEL and lone surrogates apart
