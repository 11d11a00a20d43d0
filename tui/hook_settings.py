"""The `[hooks]` of `config.toml`: programs to run on messages. Runs none of them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from tui.dataclass import dataclass
from tui.errors import ConfigError

Trigger: TypeAlias = Literal["direct_message", "mention", "keyword"]
TRIGGERS: Final[tuple[Trigger, ...]] = get_args(Trigger)
MOST_KEYWORDS: Final = 50
MOST_SECONDS: Final = 300
MOST_PER_MINUTE: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Programs with their arguments, none for (); each gets the message as JSON on standard input."""

    direct_message: tuple[str, ...] = ()
    mention: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    """Words, or phrases, that trigger `keyword`."""
    timeout: int = 10
    """Seconds after which a program is killed."""
    per_minute: int = 20
    """Most programs that each account starts in a minute."""

    def command(self, trigger: Trigger) -> tuple[str, ...]:
        """Return the command of a trigger; () for none."""
        commands = {
            "direct_message": self.direct_message,
            "mention": self.mention,
            "keyword": self.keyword,
        }
        return commands[trigger]

    def __bool__(self) -> bool:
        """Whether any command is set."""
        return any(map(self.command, TRIGGERS))


def read_hooks(where: str, table: object) -> tuple[Hooks, list[str]]:
    """Return the hooks of a table, and a sentence for each invalid entry; `where` begins it."""
    if not isinstance(table, dict):
        return Hooks(), [f'{where}: hooks must be a table, e.g. [hooks] mention = ["notify-send"].']
    usable: dict[str, Any] = {}
    troubles: list[str] = []
    for name, value in table.items():
        try:
            usable[name] = _value(name, value)
        except ConfigError as error:
            troubles.append(f"{where}, [hooks]: {error} It is ignored.")
    if "keyword" in usable and not usable.get("keywords"):
        del usable["keyword"]
        troubles.append(
            f'{where}, [hooks]: keyword needs keywords, e.g. keywords = ["outage"]. It is ignored.'
        )
    return Hooks(**usable), troubles


def _value(name: str, value: object) -> object:
    check = _CHECKS.get(name)
    if check is None:
        from difflib import get_close_matches  # no start waits for it

        near = get_close_matches(name, _CHECKS, 1)
        hint = f" Did you mean {near[0]!r}?" if near else f" Hooks are {', '.join(TRIGGERS)}."
        raise ConfigError(f"there is no hook {name!r}.{hint}")
    return check(name, value)


def _command(name: str, value: object) -> tuple[str, ...]:
    """Return an argument list; `~/` in front of the program is the home folder."""
    words = value if isinstance(value, list) else []
    if not (words and all(isinstance(word, str) and "\0" not in word for word in words)):
        raise ConfigError(
            f'{name} must be a program and its arguments, e.g. ["notify-send", "Chinwag"].'
            " No shell runs it."
        )
    program = str(Path(words[0]).expanduser()) if words[0].startswith("~/") else words[0]
    import shutil  # no start without hooks waits for it

    if shutil.which(program) is None:
        raise ConfigError(f"{name}: there is no program {words[0]!r}.")
    return (program, *words[1:])


def _words(name: str, value: object) -> tuple[str, ...]:
    words = value if isinstance(value, list) else []
    if not all(isinstance(word, str) and word.strip() for word in words) or not words:
        raise ConfigError(f'{name} must be a list of words, e.g. ["outage", "deploy failed"].')
    if len(words) > MOST_KEYWORDS:
        raise ConfigError(f"{name} has {len(words)} words; {MOST_KEYWORDS} are allowed.")
    return tuple(" ".join(word.split()) for word in words)


def _number(most: int) -> Callable[[str, object], int]:
    def check(name: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise ConfigError(f"{name} must be a number from 1 to {most}.")
        return value

    return check


_CHECKS: Final[Mapping[str, Callable[[str, object], object]]] = {
    **dict.fromkeys(TRIGGERS, _command),
    "keywords": _words,
    "timeout": _number(MOST_SECONDS),
    "per_minute": _number(MOST_PER_MINUTE),
}
