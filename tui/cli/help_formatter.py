"""Writes the help of commands as wide as the terminal. Imports little: each start makes many formatters."""

import argparse
import os
import sys
from typing import Any, Final

USUAL_COLUMNS: Final = 80


class HelpFormatter(argparse.HelpFormatter):
    """argparse's own imports `shutil` to measure the terminal, which brings three kinds of compression."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class ArgumentParser(argparse.ArgumentParser):
    """A parser with this help."""

    def __init__(self, **named: Any) -> None:
        super().__init__(formatter_class=HelpFormatter, **named)


def _columns() -> int:
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or USUAL_COLUMNS  # type: ignore[union-attr]  # caught
    except (AttributeError, OSError, ValueError):  # no output, closed, or no terminal
        return USUAL_COLUMNS
