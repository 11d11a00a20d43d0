"""The parser of a command: argparse, with shorter refusals and a cheaper start. Knows no command."""

import argparse
import os


class CommandParser(argparse.ArgumentParser):
    """Refuses an unknown command with one sentence that names the most similar one.

    argparse lists all commands instead, over several lines.
    """

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return a formatter, which argparse makes for each option."""
        return argparse.HelpFormatter(self.prog, width=_columns() - 2)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        names = list(action.choices or ())
        if not isinstance(action, argparse._SubParsersAction) or value in names:
            super()._check_value(action, value)
            return
        from difflib import get_close_matches  # needed only here

        typed = "".join(letter if letter.isprintable() else "·" for letter in str(value))[:40]
        near = get_close_matches(str(value), names, n=1)
        hint = f"Did you mean “{near[0]}”?" if near else f"“{self.prog} --help” lists them."
        self.exit(2, f"{self.prog}: there is no command “{typed}”. {hint}\n")


def _columns() -> int:
    """Return the terminal's width, as `shutil` does, which imports compressors."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80
