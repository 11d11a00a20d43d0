"""`chinwag-server serve`: takes the lock, writes the note, runs the server until it is stopped."""

import argparse
import asyncio
import gc
import logging
import os
import secrets
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, cast

from server_lite import VERSION
from server_lite.api.decoding import complaint
from server_lite.cli import output, ssh_beside
from server_lite.cli.log_lines import log_to_stderr
from server_lite.cli.tls import fingerprint, tls_of
from server_lite.config import CallProvider, Limits, Settings
from server_lite.errors import StartError
from server_lite.http.allowed_hosts import is_loopback
from server_lite.maintenance.damage import look_for_damage
from server_lite.maintenance.files import in_use, require_file
from server_lite.maintenance.leftovers import discard_abandoned
from server_lite.server import Server, running
from server_lite.store.instance_lock import Lock, ServerInfo
from server_lite.validation import ValidationError, validator
from server_lite.workers import garbage

log = logging.getLogger("chinwag.server")
REPUBLISH_SECONDS: Final = 5.0
NO_RATES = Limits(
    requests_per_minute=None, anonymous_per_minute=None, failed_logins_per_half_hour=None
)


def serve(options: argparse.Namespace) -> int:
    """Serve an existing organization; never creates one, so a misspelled path is harmless."""
    if options.check:
        from server_lite.cli.upgrade_check import check  # only needed without a server

        return check(options.db)
    settings = Settings(
        db=options.db,
        host=options.host,
        port=options.port,
        tls=tls_of(options.tls_cert, options.tls_key),
        dev=options.dev,
        exit_when_idle=options.exit_when_idle,
        names=tuple(options.name),
        behind_proxy=options.behind_proxy,
        ssh_port=options.ssh,
        ssh_secret="" if options.ssh is None else secrets.token_urlsafe(32),
        install_command=options.install_command,
        jwt_key=None if options.jwt_key_file is None else _key(options.jwt_key_file),
        jwt_audience=options.jwt_audience,
        limits_presence=not options.presence_for_everybody,
        webhook_hosts=tuple(options.webhooks_to),
        mail_domain=options.mail_domain,
        metrics_key=None if options.metrics_key_file is None else _key(options.metrics_key_file),
        call_provider=None if options.calls_file is None else _call_provider(options.calls_file),
        limits=replace(
            NO_RATES if options.no_rate_limits else Limits(),
            uploads_per_person=options.upload_quota_per_person * 1024**2,
            uploads_together=options.upload_quota * 1024**2,
        ),
    )
    require_file(settings.db)
    if settings.tls is None and not is_loopback(settings.host):
        output.warn(
            f"listening on {settings.host} without TLS: traffic, including passwords, can"
            " be read on the network. Encrypt it with --tls-cert and --tls-key."
        )
    if settings.jwt_key is not None and settings.jwt_audience is None:
        output.warn(
            "without --jwt-audience, a JSON web token can be used any number of times,"
            " until it expires or forever. --jwt-audience NAME limits each to one use."
        )
    log_to_stderr(options.log_format, options.log_level)
    lock = Lock(settings.db)
    if not lock.take():
        raise StartError(in_use(settings.db))
    try:
        discard_abandoned(settings.db.resolve())
        with asyncio.Runner(loop_factory=event_loop) as runner:
            runner.run(_serve(settings, lock, options))
    finally:
        lock.release()
    return 0


def _key(path: Path) -> str:
    """Return the key in a private file; signing tokens requires at least 32 bytes."""
    key = _private(path).strip()
    if len(key.encode()) < 32:
        raise StartError(f"The key in {path} is too short: at least 32 characters, please.")
    return key


def _call_provider(path: Path) -> CallProvider:
    """Return the video call provider that a JSON file describes, by the names of its fields."""
    try:
        return cast(CallProvider, validator(CallProvider).validate_json(_private(path)))
    except ValidationError as error:
        raise StartError(f"{path}: {complaint('provider', error)}.") from error


def _private(path: Path) -> str:
    """Return the text of a secret file; raises StartError if others can read it."""
    try:
        if path.stat().st_mode & 0o077:
            raise StartError(f"{path} can be read by others; `chmod 600` it, and change the key.")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"{path} cannot be read: {error}.") from error


async def _serve(settings: Settings, lock: Lock, options: argparse.Namespace) -> None:
    async with running(settings, signals=True) as (server, url):
        host, port = reachable(settings.host), int(url.rpartition(":")[2])
        note = ServerInfo(
            pid=os.getpid(),
            host=host,
            port=port,
            url=url,
            version=VERSION,
            secret=server.app.context.secret,
            certificate=None if settings.tls is None else fingerprint(settings.tls),
        )
        publishing = asyncio.create_task(_publish(lock, note))
        if settings.tls is not None:
            renew = partial(_renew_certificate, server, lock, note)
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, renew)
        reads = server.app.database.long_reads
        background = [
            publishing,
            asyncio.create_task(look_for_damage(settings.db)),
            asyncio.create_task(garbage.run(lambda: reads.is_reading)),
        ]
        if options.ssh is not None:
            ssh_argv = ssh_beside.command(options, settings, port)
            background.append(
                asyncio.create_task(ssh_beside.keep_running(ssh_argv, settings.ssh_secret))
            )
        output.show(f"listening on {url}")
        gc.freeze()  # loaded objects are permanent: later collections need not scan them
        try:
            await server.leaving.wait()
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)


def _renew_certificate(server: Server, lock: Lock, note: ServerInfo) -> None:
    """Use the certificate that the files contain now for new connections; invalid files change nothing."""
    tls = server.app.settings.tls
    assert tls is not None
    try:
        tls_of(tls.certificate, tls.key)
        server.reload_certificate()
        lock.publish(replace(note, certificate=fingerprint(tls)))
    except (StartError, OSError) as error:
        log.error("The certificate was not reloaded: %s", error)  # noqa: TRY400  # the sentence says all
    else:
        log.info("The certificate was reloaded.")


async def _publish(lock: Lock, note: ServerInfo) -> None:
    """Write the note, as soon as the disk has space for it."""
    has_failed = False
    while True:
        try:
            lock.publish(note)
        except StartError as error:
            if not has_failed:
                output.warn(f"{error} Commands cannot reach this server yet.")
                has_failed = True
            await asyncio.sleep(REPUBLISH_SECONDS)
        else:
            return


def reachable(host: str) -> str:
    """Return the address at which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # compared, not bound


def event_loop() -> asyncio.AbstractEventLoop:
    """Return uvloop's loop if installed: a third of the time per request."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
