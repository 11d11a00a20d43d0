"""What a session would load and build for itself, done before the first fork. Needs no server."""

from __future__ import annotations

import asyncio
import importlib
import logging
import pkgutil
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import tui
from tui.accounts import Account, write_zuliprc
from tui.config import Settings
from tui.host import hosted

SITE: Final = "http://127.0.0.1:9"
"""Nobody answers there: the port of the service that discards."""
_LEFT_OUT: Final = (
    "tui.__main__",
    "tui.ssh",
    "tui.commands.picture_decoder",
    "tui.cli.completions",
)


def load_everything() -> None:
    """Import all of the client: a session would import it at its first use, and have it for itself alone."""
    for each in pkgutil.walk_packages(tui.__path__, "tui."):
        if not each.name.startswith(_LEFT_OUT):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(each.name)
    import mimetypes

    mimetypes.init()  # reads files of the system


def rehearse() -> None:
    """Play a session without a terminal and without a server, so that caches are filled and style sheets parsed."""
    from tui.ssh.app import HostedApp
    from tui.ssh.child import folders_at

    base = Path(tempfile.mkdtemp(prefix="chinwag-rehearsal-"))
    logging.disable(logging.CRITICAL)  # that nobody answers is no news
    try:
        folders = folders_at(base)
        zuliprc = folders.config / "accounts" / "nobody.zuliprc"
        write_zuliprc(zuliprc, Account(site=SITE, email="nobody@example.com", key="none"))
        for path in (None, zuliprc):
            app = HostedApp(
                folders=folders,
                settings=Settings(images="off"),
                zuliprc=path,
                host=hosted(site=SITE, command="ssh example.com"),
            )
            asyncio.run(_play(app))
    finally:
        logging.disable(logging.NOTSET)
        shutil.rmtree(base, ignore_errors=True)


async def _play(app: object) -> None:
    from tui.ssh.app import HostedApp

    assert isinstance(app, HostedApp)
    async with app.run_test(size=(120, 32)) as pilot:
        await pilot.pause(0.2)
        await pilot.press("f1")
        await pilot.pause()
