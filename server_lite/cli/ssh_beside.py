"""`serve --ssh PORT`: keeps `chinwag serve-ssh` running beside the server. No SSH itself."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from contextlib import suppress
from typing import Final

from server_lite.config import Settings
from server_lite.http.allowed_hosts import is_loopback
from server_lite.maintenance import ssh_host_key

log = logging.getLogger("chinwag.server")
SECRET: Final = "CHINWAG_SSH_SECRET"  # noqa: S105  # the name of a variable
"""Environment variable with the secret for serve-ssh: others can read arguments."""
PAUSE_SECONDS: Final = 5.0
LEAVING_SECONDS: Final = 20.0
"""Time for its sessions to save drafts."""


def command(options: argparse.Namespace, settings: Settings, port: int) -> list[str]:
    """Return the command to run beside a server that listens on `port`."""
    name = settings.names[0] if settings.names else ""
    if settings.tls is not None and name:
        site = f"https://{name}:{port}"  # the name in the certificate
    else:
        scheme = "http" if settings.tls is None else "https"
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)  # noqa: S104  # compared, not bound
        site = f"{scheme}://{host}:{port}"
    argv = ["serve-ssh", "--site", site, "--host", settings.host, "--port", str(options.ssh)]
    argv += ["--state", str(ssh_host_key.state(settings.db))]
    if name and not is_loopback(settings.host):
        argv += ["--name", name]
    return [sys.executable, "-P", "-m", "tui", *argv]


async def keep_running(argv: list[str], secret: str) -> None:
    """Run the command until canceled; restart it if it exits. It sends the secret with its requests."""
    environment = {**os.environ, SECRET: secret}
    while True:
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=asyncio.subprocess.DEVNULL, env=environment
        )
        try:
            status = await process.wait()
        finally:
            if process.returncode is None:
                await _end(process)
        log.error("serve-ssh ended with %s; it is started again.", status)
        await asyncio.sleep(PAUSE_SECONDS)


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), LEAVING_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
