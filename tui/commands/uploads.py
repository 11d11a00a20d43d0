"""Uploads and downloads of files. Raises ApiError, ConfigError.

An upload has a key and is on disk before its first byte leaves, until a link to it is saved: what a crash or
a bad line interrupts is sent again, and exists once.
"""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeAlias

from tui.api.destination import Destination
from tui.api.routes import uploads as routes
from tui.cache.uploads import PendingUpload, UploadFile
from tui.commands import files
from tui.commands.downloads import incoming, safe_name
from tui.commands.outbox import KEY_HOURS, KeyFactory
from tui.content import web
from tui.content.sanitize import sanitize_line
from tui.errors import ApiError, ApiRefused, ConfigError, RateLimited
from tui.host import Host
from tui.sync.backoff import Backoff
from tui.sync.machine import Environment, Sync

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with bytes done, and bytes in all where that is known."""
Trouble: TypeAlias = Callable[[str], None]
"""Called with the reason why an upload waits; "" when it goes on."""

MOST_FETCHED = 4 * 2**30
CLOCKS_DIFFER = 300
"""Seconds that the server's clock may be behind this one's."""


class Uploads:
    """The uploads. Canceling the task that awaits one ends it."""

    def __init__(
        self,
        sync: Sync,
        disk: UploadFile,
        *,
        environment: Environment | None = None,
        key_factory: KeyFactory | None = None,
    ) -> None:
        self._sync = sync
        self._disk = disk
        self._environment = environment or Environment()
        self._key_factory = key_factory or KeyFactory()

    def begin(self, path: Path, destination: Destination | None) -> PendingUpload:
        """Record an upload whose link belongs into the draft for `destination`."""
        size, modified = files.identity(path)
        upload = PendingUpload(
            key=self._key_factory.new_key(),
            path=path,
            size=size,
            modified=modified,
            destination=destination,
            started=self._key_factory.now(),
        )
        self._disk.put(upload)
        return upload

    def adopt(self) -> list[PendingUpload]:
        """Return the uploads that earlier runs left, to be sent again or ended."""
        return self._disk.adopt()

    def end(self, upload: PendingUpload) -> None:
        """End an upload: its link is saved, or it is given up."""
        self._disk.remove(upload.key)

    async def send(
        self, upload: PendingUpload, progress: Progress, trouble: Trouble, *, again: bool = False
    ) -> str:
        """Upload a file, again and again until the server accepts or refuses; return Markdown that links to
        it.

        `again`: an earlier run may have sent it. A file that is there already is found, not uploaded twice.
        """
        if files.identity(upload.path) != (upload.size, upload.modified):
            raise ConfigError(f"{sanitize_line(upload.path.name)} was changed meanwhile.")
        limit = self._sync.store.realm.limits.max_file_upload_size_mib
        backoff, doubtful = Backoff(), again
        with files.opened(upload.path, most_mib=limit) as (file, size):
            while True:
                try:
                    url = await self._find(upload) if doubtful else None
                    return url or await self._attempt(upload, file, size, progress)
                except ApiError as error:
                    if isinstance(error, ApiRefused) and not isinstance(error, RateLimited):
                        raise
                    doubtful = doubtful or error.may_have_arrived
                    trouble(str(error))
                    at_least = error.retry_after if isinstance(error, RateLimited) else 0.0
                    delay = backoff.next_delay(self._environment.chance(), at_least=at_least)
                    await self._environment.sleep_unless(delay, self._sync.connected)
                    trouble("")

    async def _attempt(
        self, upload: PendingUpload, file: BinaryIO, size: int, progress: Progress
    ) -> str:
        file.seek(0)
        sent = await routes.upload(
            self._sync.connection,
            file=file,
            filename=upload.path.name,
            progress=lambda done: progress(done, size),
            idempotency_key=upload.key,
        )
        return link(sent.filename or upload.path.name, sent.url)

    async def _find(self, upload: PendingUpload) -> str | None:
        """Return the URL of an earlier attempt's upload where no key prevents a second one; None if there is
        none.
        """
        age = self._key_factory.now() - upload.started
        if self._sync.store.realm.idempotency_keys and 0 <= age < KEY_HOURS * 3600:
            return None
        mine = await routes.list_attachments(self._sync.connection)
        for each in mine.attachments:
            created = each.create_time / 1000 if each.create_time > 10**11 else each.create_time
            is_it = (each.name, each.size, each.message_ids) == (upload.path.name, upload.size, ())
            if is_it and created >= upload.started - CLOCKS_DIFFER:
                return link(each.name, f"/user_uploads/{each.path_id}")
        return None


def link(name: str, url: str) -> str:
    """Return Markdown that links to an upload; brackets would end the text of the link too early."""
    text = sanitize_line(name).replace("[", "(").replace("]", ")")
    return f"[{text}]({url})"


async def download(sync: Sync, url: str, name: str, folder: Path, progress: Progress) -> Path:
    """Download a file into a folder; return its path. `name` is the sender's name for it."""
    with incoming(folder) as landing:
        done = 0
        async with routes.download(sync.connection, url=url, max_bytes=MOST_FETCHED) as coming:
            async for chunk in coming.chunks:
                landing.file.write(chunk)
                done += len(chunk)
                progress(done, coming.length)
        return landing.keep(name)


def is_upload(site: str, href: str) -> bool:
    """Whether a URL in a message is a file that was uploaded to this server."""
    path = web.split(web.joined(site, href)).path
    return web.is_at(site, href) and path.startswith("/user_uploads/")


def fetch_command(host: Host, site: str, href: str) -> str:
    """Return the command that downloads an uploaded file to the user's own machine, for a hosted client."""
    import shlex  # no start waits for it

    path = web.split(web.joined(site, href)).path.removeprefix("/user_uploads/")
    return f"{host.command} get {shlex.quote(path)} > {shlex.quote(safe_name(file_name(href)))}"


def file_name(href: str) -> str:
    """Return the file name in an upload's URL."""
    return web.file_name(href)
