"""Opens the screen, and gives the terminal back when it ends. No Textual before the terminal was asked."""

import gc
import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tui import accounts, terminal, textual_import
from tui.config import CONFIG, Folders, Settings, read_settings
from tui.errors import ConfigError
from tui.garbage import THRESHOLDS
from tui.late_imports import made_cheaply


def open_screen(
    here: Folders,
    *,
    is_local: bool,
    zuliprc: Path | None = None,
    narrow: str | None = None,
    theme: str | None = None,
) -> int:
    """Run the screen until it ends, on an account or, with `is_local`, that of the server on this machine.

    Returns the exit code. Raises ConfigError if the named file cannot be used, or without a terminal.
    """
    settings, troubles = read_settings(here.config / CONFIG)
    if theme:
        settings = replace(settings, theme=theme)
    account = _zuliprc(zuliprc, here, is_local=is_local)
    others: list[Path] | None = None
    if zuliprc is None:
        others = [path for path in accounts.known(here) if path != account]
    return _run(here, settings, account, others, narrow, troubles)


def _zuliprc(named: Path | None, here: Folders, *, is_local: bool) -> Path | None:
    """Return the account to open; None to ask."""
    if named is not None:
        accounts.read_zuliprc(named)
        return named.resolve()
    if is_local:
        local_file = accounts.local(here)
        if local_file is not None:
            return local_file  # the open session keeps the server running
        import asyncio

        from tui.commands.sign_in import local_zuliprc

        return asyncio.run(local_zuliprc(here))
    return accounts.to_open(here)


def _run(
    here: Folders,
    settings: Settings,
    zuliprc: Path | None,
    others: list[Path] | None,
    narrow: str | None,
    troubles: list[str],
) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError(
            "a terminal is needed, but standard input or output is redirected."
            " For scripts there are commands: chinwag --help"
        )
    if os.environ.get("TERM") == "dumb":
        raise ConfigError(
            "this terminal (TERM=dumb) cannot draw a screen. Use another one, or set TERM if it can,"
            " e.g. TERM=xterm-256color. Commands work here: chinwag --help"
        )
    # Read when Textual is imported: else the screen's own timer, not the work, would set the latency.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # A start makes a hundred thousand objects that stay; collecting garbage among them takes a tenth of it.
    # The app turns it on when its first screen is there.
    gc.set_threshold(*THRESHOLDS)
    gc.disable()
    for number in (signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])):
        signal.signal(number, _end)
    probe = terminal.begin(asks_sixel=settings.images == "auto")
    try:
        textual_import.import_textual()
        with made_cheaply():
            from tui import event_loop  # the terminal answers meanwhile
            from tui.app import ChinwagApp

        app = ChinwagApp(
            folders=here,
            settings=settings,
            zuliprc=zuliprc,
            others=others,
            narrow=narrow,
            terminal=probe.finish() if probe is not None else None,
            troubles=troubles,
        )
        event_loop.run(app.run_async())
    finally:
        if probe is not None:
            with suppress(Exception):  # there may be no terminal any more
                probe.restore()
    return app.return_code or 0


def _end(number: int, _: object) -> None:
    """Exit with the signal's status before the screen is up, with the terminal restored."""
    raise SystemExit(128 + number)
