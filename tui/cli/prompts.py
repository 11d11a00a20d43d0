"""Questions at the terminal, repeated until there is an answer. Standard output stays free.

They are asked outside of the event loop, where Ctrl+C ends them.
"""

import getpass
import sys
from typing import Final

from tui.cli import output
from tui.errors import ConfigError

_REPEAT: Final = "Repeat the password"


def is_somebody_there() -> bool:
    """Whether standard input is a terminal, where questions can be answered."""
    return sys.stdin.isatty()


def ask(what: str, option: str, *, suggested: str = "") -> str:
    """Ask for a line; Enter alone takes `suggested`. `option` is the alternative without a terminal. Raises
    ConfigError.
    """
    if not is_somebody_there():
        raise ConfigError(f"there is no terminal to ask on: use {option}.")
    while True:
        output.prompt(f"{what} [{suggested}]: " if suggested else f"{what}: ")
        typed = sys.stdin.readline()
        if not typed:  # Ctrl+D
            raise KeyboardInterrupt
        if answer := typed.strip() or suggested:
            return answer


def ask_secret(what: str) -> str:
    """Ask for a line without echo, at a terminal; it may be empty."""
    try:
        return getpass.getpass(f"{what}: ")
    except EOFError:  # Ctrl+D
        raise KeyboardInterrupt from None


def new_password(*, shortest: int) -> str:
    """Ask for a new password twice; the prompt names the minimum of `shortest` characters."""
    rule = f"Password (at least {shortest} characters)" if shortest else "Password"
    while True:
        typed = ask_secret(rule)
        if not typed:
            continue
        if len(typed) < shortest:
            output.print_notice(f"Too short: {len(typed)} of at least {shortest} characters.")
        elif ask_secret(_REPEAT) == typed:
            return typed
        else:
            output.print_notice("The passwords do not match.")


def pause(text: str) -> None:
    """Wait for Enter."""
    ask(text, "", suggested="Enter")
