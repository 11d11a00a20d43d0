"""Uploads and downloads: asks for files, shows progress. Draws nothing, opens nothing.

Imported when a session is opened, before the network; its dialogs are imported when they are opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from pathlib import Path
from typing import Any, Final, TypeVar

from tui import bugs
from tui.cache.uploads import PendingUpload
from tui.commands import files, uploads
from tui.content.extracts import links
from tui.content.insertion import Spot
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import ApiRefused, TuiError
from tui.host import host_of
from tui.narrow import Conversation, destination_of
from tui.screens.context import ChatContext
from tui.screens.dialogs.choices import Choice
from tui.store.drafts import conversation_of
from tui.view.rows import MessageRow

T = TypeVar("T")
TOO_LARGE: Final = "It is too large for the server, or for a proxy in front of it."


@dataclass(frozen=True, slots=True)
class _Transfer:
    label: str
    task: asyncio.Future[Any]


class AttachmentController:
    """The transfers; each is shown beside the composer and can be canceled."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._under_way: dict[Hashable, _Transfer] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a transfer is in progress."""
        return bool(self._under_way)

    async def cancel(self) -> None:
        """Cancel a transfer; ask which if there are several."""
        under_way = list(self._under_way.values())
        if not under_way:
            self._context.toast("No transfer in progress.")
            return
        chosen: _Transfer | None = under_way[0]
        if len(under_way) > 1:
            choices = [Choice(value=each, label=each.label) for each in under_way]
            chosen = await self._choose("Cancel", choices)
        if chosen is not None:
            chosen.task.cancel()

    async def attach(self) -> None:
        """Ask for a file, upload it, and put its link into the draft."""
        from tui.screens.dialogs.path import ask_path

        path = await ask_path(self._context, "Attach a file")
        if path is not None:
            await self.upload(path)

    async def _choose(self, title: str, choices: list[Choice[T]]) -> T | None:
        from tui.screens.dialogs.chooser import Chooser

        return await self._context.ask(Chooser(title, choices, hint="type to filter"))

    async def resume(self) -> None:
        """Resume the uploads that an earlier run of the program left."""
        left = self._context.session.uploads.adopt()
        await asyncio.gather(*(self._send(each, again=True) for each in left))

    @property
    def pasted_folder(self) -> Path:
        """The folder that keeps pasted files until they are attached."""
        return self._context.session.state / "pasted"

    async def upload(self, path: Path, *, undoable: bool = False) -> None:
        """Upload a file, then put its link into the draft.

        `undoable`: until then undo in the composer cancels it, unless the text changes first.
        """
        place = self._context.composing.place
        destination = None if place is None else destination_of(place)
        upload = self._context.session.uploads.begin(path, destination)
        spot = self._context.panes.composer.spot
        if undoable:
            self._context.panes.composer.undo_means(lambda: self._stop(("upload", upload.key)))
        try:
            await self._send(upload, again=False, spot=spot)
        finally:
            if undoable:
                self._context.panes.composer.undo_means(None)

    def _stop(self, note: Hashable) -> None:
        if note in self._under_way:
            self._under_way[note].task.cancel()

    async def _send(self, upload: PendingUpload, *, again: bool, spot: Spot | None = None) -> None:
        """Upload a file and put its link into its draft; on disk until then."""
        context, uploads = self._context, self._context.session.uploads
        name = sanitize_line(upload.path.name)
        note, label = ("upload", upload.key), f"attaching {name}"
        progress = self._progress(note, label)

        def trouble(sentence: str) -> None:
            context.composing.note(note, f"{label} waits: {sentence}" if sentence else f"{label}…")

        try:
            markdown = await self._transfer(
                note, label, uploads.send(upload, progress, trouble, again=again)
            )
        except TuiError as error:
            uploads.end(upload)
            is_kept = upload.path.parent.parent == self.pasted_folder
            where = f" A copy is kept at {upload.path}." if is_kept else ""
            is_large = isinstance(error, ApiRefused) and error.status == 413
            reason = TOO_LARGE if is_large else str(error)
            context.toast(f"{name} was not attached. {reason}{where}")
            return
        if markdown is not None:
            place = self._place(upload)
            if not (again and context.composing.has(place, markdown)):
                context.composing.add(place, markdown, spot)
                context.composing.keep()
        uploads.end(upload)
        files.forget_pasted(self.pasted_folder, upload.path)

    def _place(self, upload: PendingUpload) -> Conversation | None:
        to = upload.destination
        return None if to is None else conversation_of(to, self._context.session.store.self_id)

    async def _transfer(self, note: Hashable, label: str, work: Coroutine[Any, Any, T]) -> T | None:
        """Await `work`, canceled by the user's Esc; return its result, None if canceled."""
        task = bugs.awaited(work)
        self._under_way[note] = _Transfer(label, task)
        self._context.composing.note(note, f"{label}…")
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()  # also where this task itself is canceled: the program ends
            del self._under_way[note]
            self._context.composing.note(note, "")
        if task.cancelled():
            self._context.toast(f"Canceled {label}.")
            return None
        return task.result()

    async def save(self, row: MessageRow) -> None:
        """Download an attachment of a message into the downloads folder."""
        hrefs = dict.fromkeys(link.href for link in links(row.nodes))
        file_hrefs = [href for href in hrefs if self.is_file(href)]
        if not file_hrefs:
            self._context.toast("This message has no files.")
            return
        chosen_href: str | None = file_hrefs[0]
        if len(file_hrefs) > 1:
            choices = [
                Choice(value=href, label=sanitize_line(uploads.file_name(href)))
                for href in file_hrefs
            ]
            chosen_href = await self._choose("Save a file", choices)
        if chosen_href is not None:
            await self.fetch(chosen_href)

    def is_file(self, href: str) -> bool:
        """Whether a link leads to a file that was uploaded to this server."""
        return uploads.is_upload(self._context.session.site, href)

    async def fetch(self, href: str) -> None:
        """Download an uploaded file into the downloads folder."""
        context = self._context
        name = sanitize_line(uploads.file_name(href))
        host = host_of(context.app)
        if not host.can("files"):
            command = uploads.fetch_command(host, context.session.site, href)
            context.copy(command)
            context.toast(f"Copied. Run on your machine: {command}")
            return
        note, label = ("download", href), f"fetching {name}"
        if note in self._under_way:
            return
        coming = uploads.download(
            context.session.sync, href, name, self.folder(), self._progress(note, label)
        )
        try:
            path = await self._transfer(note, label, coming)
        except TuiError as error:
            context.toast(f"{name} was not saved. {error}")
        else:
            if path is not None:
                context.toast(f"Saved as {path}.")

    def folder(self) -> Path:
        """Return the folder for downloads."""
        return host_of(self._context.app).downloads(self._context.settings.downloads)

    def _progress(self, note: Hashable, label: str) -> Callable[[int, int | None], None]:
        """Return a callback that shows each percent once, or each MiB where the size is unknown."""
        last_part = ""

        def hear(done: int, size: int | None) -> None:
            nonlocal last_part
            part = f"{done * 100 // size} %" if size else f"{done // 2**20} MiB"
            if part != last_part:
                last_part = part
                self._context.composing.note(note, f"{label}: {part}")

        return hear
