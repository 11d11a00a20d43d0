"""Writes packaging/man and packaging/completions: manual pages and completions, of the command lines' own description."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from server_lite import VERSION
from server_lite.cli import arguments as server
from tui.cli import arguments as client
from tui.cli import completions

PACKAGING = Path(__file__).parents[1] / "packaging"
SEE = {"chinwag": "chinwag-server", "chinwag-server": "chinwag"}
FILES = {
    "chinwag": (
        ("config.toml", "Settings, in the user's configuration folder."),
        ("crash.log", "Errors of the program, in the user's state folder."),
    ),
    "chinwag-server": (),
}
STATUS = {
    "chinwag": (
        (0, "Success."),
        (1, "An error, explained on standard error."),
        (2, "Wrong arguments."),
    ),
    "chinwag-server": (
        (0, "Success."),
        (1, "An error, explained on standard error."),
        (2, "Wrong arguments."),
        (3, "serve --check: the file needs an upgrade."),
    ),
}


def files() -> dict[str, str]:
    """Text of every file, by its path below packaging/."""
    shells = {"chinwag.bash": "bash", "_chinwag": "zsh", "chinwag.fish": "fish"}
    pages = {f"man/{each.prog}.1": manual(each) for each in (client.parser(), server.parser())}
    return pages | {
        f"completions/{name}": completions.script(shell) for name, shell in shells.items()
    }


def manual(whole: argparse.ArgumentParser) -> str:
    """A page for man(1)."""
    return (
        re.sub("[^\0-~]", lambda sign: f"\\[u{ord(sign[0]):04X}]", "\n".join(_manual(whole))) + "\n"
    )


def _manual(whole: argparse.ArgumentParser) -> Iterator[str]:
    about = whole.description or ""
    name = whole.prog
    yield f'.TH {_plain(name.upper())} 1 "" "Chinwag {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield f"{_plain(name)} \\- {_plain(about.partition('.')[0].lower())}"
    yield ".SH SYNOPSIS"
    yield from _synopsis(whole, name)
    yield ".SH DESCRIPTION"
    yield _text(about)
    yield ".SH OPTIONS"
    yield from _options(whole)
    yield ".SH COMMANDS"
    yield from _commands(whole, name)
    if FILES[name]:
        yield ".SH FILES"
        for file, what in FILES[name]:
            yield from (".TP", f".I {_plain(file)}", _text(what))
    yield ".SH EXIT STATUS"
    for code, what in STATUS[name]:
        yield from (".TP", f".B {code}", _text(what))
    yield ".SH SEE ALSO"
    yield f".BR {_plain(SEE[name])} (1)"


def _commands(parser: argparse.ArgumentParser, path: str) -> Iterator[str]:
    for action in parser._actions:  # argparse describes itself in no public way
        if not isinstance(action, argparse._SubParsersAction):
            continue
        abouts = {each.dest: each.help or "" for each in action._choices_actions}
        for name, command in action.choices.items():
            below = f"{path} {name}"
            if any(isinstance(each, argparse._SubParsersAction) for each in command._actions):
                yield from _commands(command, below)
                continue
            yield f".SS {_plain(below)}"
            yield from _synopsis(command, below)
            yield ".PP"
            yield _text(_sentence(abouts.get(name, "")))
            yield from _options(command)


def _synopsis(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    yield f".B {_plain(name)}"
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        word = _value(action)
        if isinstance(action, argparse._SubParsersAction):
            word = _plain(str(action.metavar))
        if action.option_strings:
            word = f"{_plain(action.option_strings[0])} {word}".strip()
        is_needed = action.required and action.nargs not in ("?", "*")
        yield word if is_needed else f"[{word}]"


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
            continue
        flags = ", ".join(f"\\fB{_plain(flag)}\\fR" for flag in action.option_strings)
        yield ".TP"
        yield f"{flags} {_value(action)}".strip()
        yield _text(_sentence((action.help or "").replace("%%", "%")) or "\\&")


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if action.choices and not action.metavar:
        return "|".join(_plain(str(each)) for each in action.choices)
    word = action.metavar or action.dest.upper()
    return f"\\fI{_plain(str(word))}\\fR" + (" ..." if action.nargs in ("*", "+") else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if not text or text[-1] == "." else ".")


def _plain(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-")


def _text(text: str) -> str:
    """A line that no macro can begin, with the hyphens of options as they are typed."""
    text = re.sub(r"(?<![\w-])--?\w[\w-]*", lambda flag: _plain(flag[0]), text)
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    for path, text in files().items():
        (PACKAGING / path).write_text(text, "utf-8")
