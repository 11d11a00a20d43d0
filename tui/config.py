"""What the person decided, and where things are kept. Reads files when asked; no network, no Textual."""

import os
import re
import stat
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs

from tui.errors import ConfigError

CONFIG = "config.toml"
"""The name of the file of settings in the configuration folder."""

Clock = Literal["12h", "24h"]
Images = Literal["auto", "blocks", "off"]
Density = Literal["cozy", "compact"]
Notify = Literal["none", "bell", "desktop", "both"]
NotifyBy = Literal["osc9", "osc99", "osc777", "notify-send"]
NotifyFor = Literal["direct", "mentions", "all"]

_CHOICES: tuple[Any, ...] = (Clock, Density, Images, Notify, NotifyBy, NotifyFor)
_HOURS = re.compile(r"([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """Where Chinwag keeps things; each is made, for this person alone, when it is first needed."""

    config: Path
    """`config.toml` and the accounts' zuliprc files."""
    data: Path
    """The database of the server on this machine."""
    state: Path
    """Drafts, the outbox, which account was used last."""
    cache: Path
    """Copies of what servers know; safe to delete."""


def folders() -> Folders:
    """The machine's usual folders, or all below `CHINWAG_HOME` where that is set."""
    home = os.environ.get("CHINWAG_HOME")
    if home:
        base = Path(home).expanduser()
        return Folders(
            config=base / "config", data=base / "data", state=base / "state", cache=base / "cache"
        )
    dirs = platformdirs.PlatformDirs("chinwag", appauthor=False)
    return Folders(
        config=dirs.user_config_path,
        data=dirs.user_data_path,
        state=dirs.user_state_path,
        cache=dirs.user_cache_path,
    )


def private_folder(path: Path) -> Path:
    """`path`, made with rights for this person alone if it is not there."""
    try:
        path.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{path} cannot be made: {error.strerror}.") from error
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`config.toml`; every setting can be left out."""

    theme: str = "chinwag-dark"
    clock: Clock = "24h"
    density: Density = "cozy"
    """compact: without empty lines between what different people say."""
    screen_reader: bool = False
    """One thing at a time on the screen, no drawings, the terminal's cursor where one is."""
    reduced_motion: bool = False
    """Nothing blinks, slides or turns."""
    enter_sends: bool = True
    """False: Enter makes a new line and Alt+Enter sends."""
    mark_read: bool = True
    """False: nothing is marked read unless asked."""
    hold_seconds: int = 0
    """How long a message waits before it is sent, and can be taken back by Ctrl+Z; 0: not at all."""
    downloads: str = ""
    """The folder for files that are fetched; "" is the system's."""
    notify: Notify = "both"
    """What tells of messages that come while the terminal is not looked at."""
    notify_by: NotifyBy = "osc9"
    """How the desktop is told: three kinds of terminal sequences, or a program."""
    notify_for: NotifyFor = "mentions"
    """direct: conversations and mentions; mentions: also followed topics and alert words; all."""
    notify_content: bool = True
    """False: notifications say who wrote, and not what."""
    quiet_hours: str = ""
    """Without notifications, such as "22:00-07:00"."""
    images: Images = "auto"
    """Pictures in messages: as well as the terminal can, in blocks of colour, or their names only."""
    terminal_title: bool = True
    """False: the terminal's title is left alone."""
    keys: dict[str, str] = field(default_factory=dict)
    """Action id -> keys, such as `{"app.jump" = "ctrl+k,ctrl+j"}`."""


_KINDS: dict[str, Any] = {each.name: each.type for each in fields(Settings)}


def load_settings(path: Path) -> Settings:
    """The settings in a TOML file, the defaults if it is not there; an unknown one is an error."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from error
    for name, value in table.items():
        if name not in _KINDS:
            raise ConfigError(f"{path}: there is no setting {name!r} ({', '.join(_KINDS)}).")
        check(path, name, value)
    return Settings(**table)


def choices_of(name: str) -> tuple[str, ...]:
    """The values of a setting that has a few; () for one that is text, a number or yes or no."""
    kind = _KINDS[name]
    return get_args(kind) if kind in _CHOICES else ()


def check(path: Path, name: str, value: Any) -> None:
    """Raises ConfigError with a sentence where a known setting cannot have the value."""
    kind = _KINDS[name]
    choices = choices_of(name)
    if choices and value not in choices:
        raise ConfigError(f"{path}: {name} is one of {', '.join(choices)}.")
    if kind in (str, bool) and not isinstance(value, kind):
        raise ConfigError(f"{path}: {name} takes {'true or false' if kind is bool else 'text'}.")
    if kind is int and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
        raise ConfigError(f"{path}: {name} takes a number, 0 or more.")
    if name == "quiet_hours" and value and not _HOURS.fullmatch(value):
        raise ConfigError(f'{path}: quiet_hours is such as "22:00-07:00".')
    if name == "keys" and not (
        isinstance(value, dict) and all(isinstance(keys, str) for keys in value.values())
    ):
        raise ConfigError(f'{path}: keys is a table such as [keys] "app.jump" = "ctrl+k".')
