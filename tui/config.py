"""The user's settings, and the program's folders. Reads files when asked; no network, no Textual."""

import os
import re
import stat
from dataclasses import field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from tui.dataclass import dataclass
from tui.errors import ConfigError
from tui.hook_settings import Hooks, read_hooks
from tui.regular_file import read_text, reason_of

CONFIG = "config.toml"
"""The name of the settings file in the configuration folder."""

Clock = Literal["12h", "24h"]
Images = Literal["auto", "blocks", "off"]
Density = Literal["cozy", "compact"]
Notify = Literal["none", "bell", "desktop", "both"]
NotifyBy = Literal["osc9", "osc99", "osc777", "notify-send"]
NotifyFor = Literal["direct", "mentions", "all"]

Preset = Literal["standard", "vim"]
_CHOICES: tuple[Any, ...] = (Clock, Density, Images, Notify, NotifyBy, NotifyFor, Preset)
_HOURS = re.compile(r"([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """Chinwag's folders; each is made, with mode 0700, when it is first needed."""

    config: Path
    """`config.toml` and the accounts' zuliprc files."""
    data: Path
    """The database of this machine's own server."""
    state: Path
    """Drafts, the outbox, which account was used last."""
    cache: Path
    """Copies of servers' data; safe to delete."""


def folders() -> Folders:
    """Return the machine's usual folders, or all below `CHINWAG_HOME` where that is set."""
    home = os.environ.get("CHINWAG_HOME")
    if home:
        base = Path(home).expanduser()
        return Folders(
            config=base / "config", data=base / "data", state=base / "state", cache=base / "cache"
        )
    import platformdirs

    dirs = platformdirs.PlatformDirs("chinwag", appauthor=False)
    return Folders(
        config=dirs.user_config_path,
        data=dirs.user_data_path,
        state=dirs.user_state_path,
        cache=dirs.user_cache_path,
    )


def private_folder(path: Path) -> Path:
    """Return `path`, created with mode 0700 if it is missing, as its parents. Raises ConfigError."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    try:
        for each in reversed(missing):  # the mode that `parents=True` gives them is another one
            each.mkdir(mode=stat.S_IRWXU, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{path} cannot be created: {error.strerror}.") from error
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`config.toml`; every setting can be left out."""

    theme: str = "chinwag-dark"
    clock: Clock = "24h"
    density: Density = "cozy"
    """compact: no empty lines between messages of different senders."""
    screen_reader: bool = False
    """One pane at a time, no drawing characters, the terminal's cursor on the selected row."""
    reduced_motion: bool = False
    """Nothing blinks, slides or turns."""
    enter_sends: bool = True
    """False: Enter makes a new line and Ctrl+S sends."""
    alt_letters: bool = False
    """True: Escape and a letter that come in one burst are Alt with it, in terminals that cannot tell."""
    mark_read: bool = True
    """False: messages are marked as read only on request."""
    hold_seconds: int = 0
    """Seconds that a message waits before it is sent, and can be undone by Ctrl+Z; 0: none."""
    paste_lines: int = 20
    """From so many pasted lines on, the user is asked whether they are text, code or a file; 0: never."""
    downloads: str = ""
    """The folder for downloads; "" is the system's."""
    notify: Notify = "both"
    """Notifications of new messages while the user is away from the terminal."""
    notify_by: NotifyBy = "osc9"
    """How the desktop is notified: three kinds of terminal sequences, or a program."""
    notify_for: NotifyFor = "mentions"
    """direct: direct messages and mentions; mentions: also followed topics and alert words; all."""
    notify_content: bool = True
    """False: notifications show the sender, and not the text."""
    quiet_hours: str = ""
    """Hours without notifications, such as "22:00-07:00"."""
    fold_lines: int = 20
    """Lines of a message that are shown before it is unfolded; 0: all."""
    sidebar_width: int = 0
    """Columns of the sidebar; 0: the default for the terminal's size."""
    collapsed: str = ""
    """Collapsed sections of the sidebar, such as "views direct"."""
    images: Images = "auto"
    """Pictures in messages: as well as the terminal can, in blocks of color, or their names only."""
    terminal_title: bool = True
    """False: the terminal's title is left alone."""
    keys_preset: Preset = "standard"
    """vim: h and l for panes, i to write, u to undo, zz, and more."""
    keys: dict[str, str] = field(default_factory=dict)
    """Action ID -> keys, such as `{"app.jump" = "ctrl+k,ctrl+j"}`."""
    hooks: Hooks = Hooks()
    """Programs that run on messages."""


_AT_LINE = re.compile(r"at line (\d+)")
_BEGINS = re.compile(r"""\s{0,80}(?:\[\s{0,80})?["']?([^\s"'=.\]]{1,200})""")
_KINDS: dict[str, Any] = {each.name: each.type for each in fields(Settings)}


def read_settings(path: Path) -> tuple[Settings, list[str]]:
    """Return the settings in a TOML file, and a sentence for each invalid one, which keeps its default."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        return Settings(), []
    except (OSError, UnicodeDecodeError) as error:
        return Settings(), [
            f"{path} cannot be read: {reason_of(error)}. The default settings are used."
        ]
    table, troubles = _readable(path, text)
    lines = text.splitlines()
    hooks, unusable = (
        read_hooks(f"{path.name}, line {_line_of(lines, 'hooks')}", table.pop("hooks"))
        if "hooks" in table
        else (Hooks(), [])
    )
    troubles += unusable
    for name, value in list(table.items()):
        where = f"{path.name}, line {_line_of(lines, name)}"
        try:
            check(where, name, value)
        except ConfigError as error:
            troubles.append(f"{error} It is ignored.")
            del table[name]
    return Settings(**table, hooks=hooks), troubles


def _readable(path: Path, text: str) -> tuple[dict[str, Any], list[str]]:
    """Return the settings without the lines that are not TOML, and a sentence for each of those lines."""
    import tomllib  # with its patterns, only where there is a file

    troubles: list[str] = []
    lines = text.splitlines()
    while True:
        try:
            return tomllib.loads("\n".join(lines)), troubles
        except tomllib.TOMLDecodeError as error:
            match = _AT_LINE.search(str(error))
            at = int(match[1]) if match else max(n for n, line in enumerate(lines, 1) if line)
            lines[at - 1] = ""
            troubles.append(f"{path.name}, line {at} is not valid TOML. It is ignored.")


def _line_of(lines: list[str], name: str) -> int:
    """Return the line where a setting or a table begins, from 1."""
    matches = ((at, _BEGINS.match(line)) for at, line in enumerate(lines, 1))
    return next((at for at, begins in matches if begins is not None and begins[1] == name), 1)


def choices_of(name: str) -> tuple[str, ...]:
    """Return the values of a setting with a few choices; () for text, numbers and booleans."""
    kind = _KINDS[name]
    return get_args(kind) if kind in _CHOICES else ()


def check(where: str, name: str, value: Any) -> None:
    """Raise ConfigError for an unknown setting or an invalid value; `where` begins its sentence."""
    if name not in _KINDS:
        raise ConfigError(f"{where}: there is no setting {name!r}.")
    kind = _KINDS[name]
    choices = choices_of(name)
    if choices and value not in choices:
        raise ConfigError(f"{where}: {name} must be one of {', '.join(choices)}.")
    if kind in (str, bool) and not isinstance(value, kind):
        raise ConfigError(f"{where}: {name} must be {'true or false' if kind is bool else 'text'}.")
    if kind is int and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
        raise ConfigError(f"{where}: {name} must be a number, 0 or more.")
    if name == "quiet_hours" and value and not _HOURS.fullmatch(value):
        raise ConfigError(f'{where}: quiet_hours must look like "22:00-07:00".')
    if name == "keys" and not (
        isinstance(value, dict) and all(isinstance(keys, str) for keys in value.values())
    ):
        raise ConfigError(f'{where}: keys must be a table, e.g. [keys] "app.jump" = "ctrl+k".')
