"""`chinwag serve-ssh`: the process that speaks SSH. It holds the host key and no chat."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tui import VERSION
from tui.cli import output
from tui.config import Folders, private_folder
from tui.content import web
from tui.errors import ConfigError
from tui.ssh.events import Log
from tui.ssh.limits import Limits
from tui.ssh.service import Service

try:
    import asyncssh
except ImportError:  # the extra
    asyncssh = None  # type: ignore[assignment]  # checked before it is used

HOST_KEY: Final = "host_ed25519"
SECRET: Final = "CHINWAG_SSH_SECRET"  # noqa: S105  # the name of a variable
"""The environment variable with the secret by which the server trusts visitors' addresses."""
DEFAULT_PORT: Final = 2222
_SIGNATURES: Final = (
    "ssh-ed25519", "sk-ssh-ed25519@openssh.com", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521", "sk-ecdsa-sha2-nistp256@openssh.com", "rsa-sha2-512", "rsa-sha2-256",
)  # fmt: skip
_EXCHANGES: Final = (
    "mlkem768x25519-sha256", "sntrup761x25519-sha512", "curve25519-sha256", "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256", "ecdh-sha2-nistp384",
)  # fmt: skip
_CIPHERS: Final = (
    "chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr", "aes128-ctr",
)  # fmt: skip
_MACS: Final = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256")


def host_key(state: Path) -> asyncssh.SSHKey:
    """Return the host key, created at the first start with mode 0600. Raises ConfigError."""
    path = private_folder(state) / HOST_KEY
    try:
        if not path.exists():
            key = asyncssh.generate_private_key("ssh-ed25519", comment="chinwag")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(path, flags, 0o600), "wb") as file:
                file.write(key.export_private_key())
                file.flush()
                os.fsync(file.fileno())
            (state / f"{HOST_KEY}.pub").write_bytes(key.export_public_key())
        if path.stat().st_mode & 0o077:
            raise ConfigError(f"{path} could be read by others: run `chmod 600 {path}`.")
        return asyncssh.read_private_key(path)
    except (OSError, asyncssh.KeyImportError) as error:
        raise ConfigError(f"{path} cannot be used as the host key: {error}.") from error


def fingerprint(state: Path) -> str:
    """Return the fingerprint of the host key, as OpenSSH shows it: `SHA256:…`."""
    return str(host_key(state).get_fingerprint())


def command(name: str, port: int) -> str:
    """Return the command with which people connect."""
    return f"ssh {name}" if port == 22 else f"ssh -p {port} {name}"


@asynccontextmanager
async def serving(service: Service, state: Path, host: str, port: int) -> AsyncIterator[int]:
    """Accept connections during the block; yield the port, which the system chose where 0 was asked for."""
    await service.start()
    try:
        server = await _listen(service, state, host, port)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            await service.stop()
            await server.wait_closed()
    finally:
        await service.stop()


async def _listen(service: Service, state: Path, host: str, port: int) -> asyncssh.SSHAcceptor:
    """Listen for connections. Raises ConfigError."""
    from tui.ssh.connection import VisitorConnection

    try:
        return await asyncssh.listen(
            host,
            port,
            server_factory=lambda: VisitorConnection(service),
            server_host_keys=[host_key(state)],
            server_version=f"Chinwag_{VERSION}",
            signature_algs=_SIGNATURES,
            kex_algs=[each for each in _EXCHANGES if each.encode() in asyncssh.kex.get_kex_algs()],
            encryption_algs=_CIPHERS,
            mac_algs=_MACS,
            compression_algs=["none"],
            encoding=None,
            line_editor=False,
            password_auth=False,
            gss_host=None,
            host_based_auth=False,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            login_timeout=service.limits.login_seconds,
            keepalive_interval=service.limits.keepalive_seconds,
            keepalive_count_max=service.limits.keepalives,
        )
    except OSError as error:
        why = error.strerror or str(error)
        raise ConfigError(f"Could not listen at {host}:{port}: {why}.") from error


async def _serve(arguments: argparse.Namespace) -> int:
    state: Path = arguments.state.absolute()
    log = Log(private_folder(state) / "ssh.log")
    limits = Limits(
        sessions=arguments.sessions,
        idle_seconds=float(arguments.idle * 60),
    )
    name = arguments.name or web.split(arguments.site).hostname or arguments.host
    service = Service(
        site=arguments.site,
        state=state,
        command=command(name, arguments.port),
        limits=limits,
        log=log,
        takes_new=not arguments.no_new_keys,
        secret=os.environ.get(SECRET, ""),
    )
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with serving(service, state, arguments.host, arguments.port) as port:
        service.command = command(name, port)
        output.show(f"SSH for {service.site} at {arguments.host}:{port}")
        output.show(f"Host key: ED25519 {fingerprint(state)}")
        output.show(f"People connect with: {service.command}")
        await ended.wait()
    return 0


def run(arguments: argparse.Namespace, here: Folders) -> int:
    """Serve until SIGTERM or Ctrl+C."""
    del here
    require()
    return asyncio.run(_serve(arguments))


def require() -> None:
    """Raise ConfigError where SSH cannot be served here."""
    if sys.platform == "win32":
        raise ConfigError("SSH can be served on Linux and macOS.")
    if asyncssh is None:
        raise ConfigError("asyncssh is missing. Install it: pip install 'chinwag[ssh]'")
