"""`chinwag completions`: completions for a shell, generated from the command line's parser."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tui.cli import output
from tui.cli.arguments import parser
from tui.config import Folders

SHELLS: Final = ("bash", "zsh", "fish")


def run(arguments: argparse.Namespace, here: Folders) -> int:  # noqa: ARG001  # as every command
    """Print the completions of one shell."""
    for line in script(arguments.shell).splitlines():
        output.show(line)
    return 0


def script(shell: str) -> str:
    """Return the script of one of `SHELLS`, with a newline at its end."""
    import shtab  # 30 ms, which no other command needs
    from textual.theme import BUILTIN_THEMES

    from tui import themes

    whole = parser()
    names = [*(each.name for each in themes.ALL), *sorted(BUILTIN_THEMES)]
    _complete(whole, shtab.FILE, names)
    return shtab.complete(whole, shell=shell).rstrip() + "\n"


def _complete(
    whole: argparse.ArgumentParser, files: Mapping[str, object], themes: Sequence[str]
) -> None:
    """Mark the options that take a file, as shtab expects: an attribute of each. Name the themes."""
    for action in whole._actions:  # argparse has no public way to list its actions
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _complete(command, files, themes)
        elif action.type is Path:
            vars(action)["complete"] = files
        elif action.dest == "theme":  # the command line checks none: there are one's own, too
            action.choices = themes
