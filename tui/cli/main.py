"""Runs `chinwag`: the screen or a command, and turns errors into sentences and exit codes.

No Textual before it is needed, and no parser of arguments where there are none.
"""

import errno
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

from tui import crash_log
from tui.cli.screen import open_screen
from tui.config import folders
from tui.errors import TuiError

_LOCAL: Final = ("local",)
_WITHOUT_PARSER: Final = ((), _LOCAL)
"""The usual starts: making the parser of all commands would take a tenth of their time."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `chinwag`; return the exit code: 0, 1 for an error, 2 for wrong arguments."""
    words = tuple(sys.argv[1:] if argv is None else argv)
    try:
        if words in _WITHOUT_PARSER:
            return open_screen(folders(), is_local=words == _LOCAL)
        return _run(words)
    except TuiError as error:
        _output().warn(str(error))
        return 1
    except BrokenPipeError:  # the reader of the output has had enough
        _output().write_nothing_more()
        return 0
    except KeyboardInterrupt:
        _output().end_line()
        _output().write_nothing_more()  # the rest of a line that a full pipe did not take
        return 130
    except Exception as error:  # noqa: BLE001  # a bug: a traceback on the screen helps nobody
        if isinstance(error, OSError) and error.errno == errno.EIO:  # the terminal is gone
            _output().write_nothing_more()
            return 129
        _output().warn(crash_log.crashed(folders().state, error))
        return 1


def _run(words: Sequence[str]) -> int:
    from tui.cli.arguments import contradiction, parser

    gc.enable()  # off since the program began; the screen goes on without it until it is shown
    whole = parser()
    arguments = whole.parse_args(words)
    if why := contradiction(arguments):
        whole.refuse(arguments.command, why)
    code = 0
    if arguments.run is not None:
        module, _, function = arguments.run.partition(":")
        # `tui.ssh` is above the command line, and is named in full.
        module = module if "." in module else f"tui.cli.{module}"
        code = int(getattr(import_module(module), function)(arguments, folders()))
        if code or not (arguments.then_opens and sys.stdin.isatty() and sys.stdout.isatty()):
            return code
    return open_screen(
        folders(),
        is_local=arguments.command == "local",
        zuliprc=arguments.zuliprc,
        narrow=arguments.narrow,
        theme=arguments.theme,
    )


def _output() -> ModuleType:
    """Import the output when it is needed: an ordinary start prints nothing."""
    return import_module("tui.cli.output")
