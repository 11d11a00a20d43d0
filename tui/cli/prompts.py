"""Questions at the terminal, asked until there is an answer. Standard output stays free.

They are asked outside of the event loop, where Ctrl+C ends them.
"""

import getpass
import sys
from typing import Final

from tui.cli import output
from tui.errors import ConfigError

_REPEAT: Final = "Repeat the password"


def is_somebody_there() -> bool:
    """Whether questions can be answered."""
    return sys.stdin.isatty()


def ask(what: str, option: str, *, suggested: str = "") -> str:
    """A line; Enter alone takes what is suggested. `option` is what to give where nobody is asked."""
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
    """A line that is not shown, from a terminal; it may be empty."""
    try:
        return getpass.getpass(f"{what}: ")
    except EOFError:  # Ctrl+D
        raise KeyboardInterrupt from None


def new_password(*, shortest: int) -> str:
    """A password, typed twice; of at least `shortest` characters, which is said beforehand."""
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
