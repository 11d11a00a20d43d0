"""`chinwag completions`: what a shell offers at Tab, made of the command line's own description."""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tui.cli import output
from tui.cli.arguments import parser
from tui.config import Folders
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option, or a word that stands alone (no `flags`) and is one of `choices`."""

    flags: tuple[str, ...]
    about: str
    takes_value: bool
    is_file: bool
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of the command line; the name of the whole is ""."""

    name: str
    about: str
    options: tuple[Option, ...]


def run(arguments: argparse.Namespace, here: Folders) -> int:  # noqa: ARG001  # as every command
    """Print the completions of one shell."""
    make = {"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell]
    for line in make(commands(parser())):
        output.show(line)
    return 0


def commands(whole: argparse.ArgumentParser) -> list[Command]:
    """Everything that can be typed: the whole first, then each command."""
    found = [Command(name="", about="", options=tuple(_options(whole)))]
    for action in whole._actions:  # argparse describes itself in no public way
        if isinstance(action, argparse._SubParsersAction):
            abouts = {each.dest: each.help or "" for each in action._choices_actions}
            for name, command in action.choices.items():
                options = tuple(_options(command))
                found.append(Command(name=name, about=abouts.get(name, ""), options=options))
    return found


def _options(command: argparse.ArgumentParser) -> Iterator[Option]:
    for action in command._actions:
        is_command = isinstance(action, argparse._SubParsersAction)
        if is_command or not (action.option_strings or action.choices):
            continue
        yield Option(
            flags=tuple(action.option_strings),
            about=action.help or "",
            takes_value=action.nargs != 0,
            is_file=action.type is Path,
            choices=tuple(map(str, action.choices or ())),
        )


def _words(command: Command) -> str:
    flags = [flag for option in command.options for flag in option.flags]
    choices = [each for option in command.options if not option.flags for each in option.choices]
    return " ".join([*flags, *choices])


def bash(found: Sequence[Command]) -> Iterator[str]:
    """A function for `complete`; commands are found by name wherever options stand before them."""
    whole, *rest = found
    options = [option for command in found for option in command.options]
    files = sorted({flag for each in options if each.is_file for flag in each.flags})
    values = sorted(
        {f for each in options if each.takes_value and not each.is_file for f in each.flags}
    )
    names = " ".join(command.name for command in rest)
    yield '# chinwag: put this line into ~/.bashrc: eval "$(chinwag completions bash)"'
    yield "_chinwag() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '    local command="" each words'
    yield '    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield f'        case "$each" in {"|".join(command.name for command in rest)})'
    yield '            command="$each"; break;;'
    yield "        esac"
    yield "    done"
    yield "    local IFS=$'\\n'"
    yield "    COMPREPLY=()"
    yield '    case "$before" in'
    yield f'        {"|".join(files)}) COMPREPLY=( $(compgen -f -- "$word") ); return;;'
    yield f"        {'|'.join(values)}) return;;"
    yield "    esac"
    yield '    case "$command" in'
    for command in rest:
        yield f"        {command.name}) words='{_words(command)}';;"
    yield f"        *) words='{names} {_words(whole)}';;"
    yield "    esac"
    yield "    IFS=$' \\n'"
    yield '    COMPREPLY=( $(compgen -W "$words" -- "$word") )'
    yield "}"
    yield "complete -F _chinwag chinwag"


def zsh(found: Sequence[Command]) -> Iterator[str]:
    """A function for `compdef`; also good as a file `_chinwag` in `$fpath`."""
    whole, *rest = found
    yield "#compdef chinwag"
    yield "_chinwag() {"
    yield "    local -a commands"
    yield "    commands=("
    for command in rest:
        yield f"        {_quoted(f'{command.name}:{command.about}')}"
    yield "    )"
    yield "    local state line"
    specs = [*_zsh_specs(whole), _quoted("1:command:->command"), _quoted("*::argument:->argument")]
    yield f"    _arguments -C {' '.join(specs)} && return"
    yield '    case "$state" in'
    yield "        command) _describe command commands;;"
    yield "        argument)"
    yield '            case "$line[1]" in'
    for command in rest:
        yield f"                {command.name}) _arguments {' '.join(_zsh_specs(command))};;"
    yield "            esac;;"
    yield "    esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = _chinwag ]; then _chinwag "$@"; else compdef _chinwag chinwag; fi'


def _zsh_specs(command: Command) -> Iterator[str]:
    for option in command.options:
        about = re.sub(r"[\[\]:\\]", r"\\\g<0>", option.about)
        what = "_files" if option.is_file else f"({' '.join(option.choices)})"
        value = f":value:{what if option.is_file or option.choices else ' '}"
        if not option.flags:
            yield _quoted(f"1{value}")
        for flag in option.flags:
            yield _quoted(f"{flag}[{about}]{value if option.takes_value else ''}")


def fish(found: Sequence[Command]) -> Iterator[str]:
    """A line of `complete` for each word."""
    _, *rest = found
    names = " ".join(command.name for command in rest)
    yield "complete -c chinwag -f"
    for command in rest:
        start = _quoted("__fish_use_subcommand")
        yield f"complete -c chinwag -n {start} -a {command.name} -d {_quoted(command.about)}"
    for command in found:
        seen = f"__fish_seen_subcommand_from {command.name}" if command.name else ""
        condition = _quoted(seen or f"not __fish_seen_subcommand_from {names}")
        for option in command.options:
            yield " ".join(["complete -c chinwag", "-n", condition, *_fish_option(option)])


def _fish_option(option: Option) -> Iterator[str]:
    for flag in option.flags:
        yield f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
    if option.choices:
        yield f"-a {_quoted(' '.join(option.choices))}"
    if option.flags and option.takes_value:
        yield "-r -F" if option.is_file else "-x"
    if option.about:
        yield f"-d {_quoted(option.about)}"


def _quoted(text: str) -> str:
    """For every of these shells: between single quotes, one of which is closed, escaped, opened."""
    return "'" + text.replace("'", "'\\''") + "'"
