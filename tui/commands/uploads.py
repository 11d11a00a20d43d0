"""Files on their way: up from this machine, down into a folder. Raises ApiError, ConfigError."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote, urljoin, urlsplit

from tui.api.routes import uploads as routes
from tui.commands import files
from tui.commands.landing import incoming
from tui.commands.outbox import new_key
from tui.content.sanitise import sanitise_line
from tui.sync.machine import Sync

Progress: TypeAlias = Callable[[int, int | None], None]
"""Hears bytes that went, and bytes in all where that is known."""

MOST_FETCHED = 4 * 2**30


async def upload(sync: Sync, path: Path, progress: Progress) -> str:
    """Send a file; returns the Markdown that links to it."""
    limit = sync.store.realm.limits.max_file_upload_size_mib
    with files.opened(path, most_mib=limit) as (file, size):
        sent = await routes.upload(
            sync.connection,
            file=file,
            filename=path.name,
            progress=lambda done: progress(done, size),
            idempotency_key=new_key(),
        )
    return link(sent.filename or path.name, sent.url)


def link(name: str, url: str) -> str:
    """Markdown that links to an upload; brackets would end the text of the link too early."""
    text = sanitise_line(name).replace("[", "(").replace("]", ")")
    return f"[{text}]({url})"


async def download(sync: Sync, url: str, name: str, folder: Path, progress: Progress) -> Path:
    """Fetch a file into a folder; returns where it is. `name` is what its sender called it."""
    with incoming(folder) as landing:
        done = 0
        async with routes.download(sync.connection, url=url, max_bytes=MOST_FETCHED) as coming:
            async for chunk in coming.chunks:
                landing.file.write(chunk)
                done += len(chunk)
                progress(done, coming.length)
        return landing.keep(name)


def is_upload(site: str, href: str) -> bool:
    """Whether an address of a message is a file that was uploaded to this server."""
    address, own = urlsplit(urljoin(f"{site.rstrip('/')}/", href)), urlsplit(site)
    same = (address.scheme, address.netloc) == (own.scheme, own.netloc)
    return same and address.path.startswith("/user_uploads/")


def file_name(href: str) -> str:
    """What an uploaded file is called, by its address."""
    return unquote(urlsplit(href).path.rstrip("/").rpartition("/")[2])
