"""The command line of `chinwag`: arguments to settings, then the app. No Textual before it is needed."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tui import VERSION, accounts
from tui.config import Folders, Settings, folders, load_settings
from tui.errors import ConfigError, TuiError


def main(argv: Sequence[str] | None = None) -> int:
    """Run `chinwag`; returns the exit code: 0, 1 for what went wrong, 2 for wrong arguments."""
    arguments = _parser().parse_args(argv)
    try:
        here = folders()
        settings = load_settings(here.config / "config.toml")
        if arguments.theme:
            settings = replace(settings, theme=arguments.theme)
        zuliprc = _zuliprc(arguments, here)
        return _run(here, settings, zuliprc, arguments.narrow)
    except TuiError as error:
        sys.stderr.write(f"chinwag: {error}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chinwag",
        description="Topic-threaded team chat in a terminal. Without arguments: the account used"
        " last, or how to sign in.",
    )
    parser.add_argument("--version", action="version", version=f"chinwag {VERSION}")
    parser.add_argument(
        "where", nargs="?", choices=["local"], help="local: the server on this machine"
    )
    parser.add_argument("--zuliprc", type=Path, metavar="FILE", help="sign in as this file says")
    parser.add_argument(
        "--narrow", metavar="WORDS", help="open there, such as 'channel:design topic:colours'"
    )
    parser.add_argument("--theme", metavar="NAME", help="colours, such as chinwag-light")
    return parser


def _zuliprc(arguments: argparse.Namespace, here: Folders) -> Path | None:
    """The account to open; None asks. A file that was named and cannot be used is an error."""
    if arguments.zuliprc is not None:
        accounts.read_zuliprc(arguments.zuliprc)
        given: Path = arguments.zuliprc.resolve()
        return given
    if arguments.where == "local":
        known = accounts.local(here)
        if known is not None:
            return known  # the open session sees to it that the server runs
        import asyncio

        from tui.commands.sign_in import local_zuliprc

        return asyncio.run(local_zuliprc(here))
    return accounts.last_used(here)


def _run(here: Folders, settings: Settings, zuliprc: Path | None, narrow: str | None) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError("a terminal is needed: standard input or output is something else.")
    # Read when Textual is imported: the screen's own timer, not the work, would set the latency.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    from tui.app import ChinwagApp

    app = ChinwagApp(folders=here, settings=settings, zuliprc=zuliprc, narrow=narrow)
    app.run()
    return app.return_code or 0
