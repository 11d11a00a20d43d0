"""Words excluded from a search, `-news`, on the command line: they look like options. No network."""

import argparse
import re
from collections.abc import Sequence
from typing import Any, Final

from tui.cli.help_formatter import ArgumentParser
from tui.narrow.naming import did_you_mean

_MARK: Final = "\0"
"""Put before an excluded word, so that argparse takes it for a positional; no argument contains it."""
_OPTION: Final = re.compile(r"--.*|-h|-n(=?[0-9]+)?|[^-].*|", re.DOTALL)
"""Matches arguments that are not excluded words: options as they are written, and other words."""


class WordsParser(ArgumentParser):
    """A parser where `words` names an argument that collects words before and after the options, in order."""

    words: str | None = None

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for namespaces of other types
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[Any, list[str]]:
        """Return the arguments; unknown ones are refused here, with the usage of this command."""
        if self.words is None or args is None:
            arguments, others = super().parse_known_args(args, namespace)
            self._refuse(others)
            return arguments, []
        arguments, others = super().parse_known_args(_marked(args), namespace)
        unknown = [each for each in others if each.startswith("-")]
        words = [*getattr(arguments, self.words), *(each for each in others if each not in unknown)]
        setattr(arguments, self.words, [each.removeprefix(_MARK) for each in words])
        self._refuse(unknown)
        return arguments, []

    def _refuse(self, unknown: Sequence[str]) -> None:
        if unknown:
            options = self._option_string_actions
            hint = did_you_mean(unknown[0], options) if unknown[0].startswith("--") else ""
            if not hint and "--narrow" in options:
                hint = " Words that narrow the messages follow --narrow."
            self.error(f"unknown argument: {' '.join(unknown)}.{hint}")


def _marked(args: Sequence[str]) -> list[str]:
    until = args.index("--") if "--" in args else len(args)
    return [
        each if at >= until or _OPTION.fullmatch(each) else f"{_MARK}{each}"
        for at, each in enumerate(args)
    ]
