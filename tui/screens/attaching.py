"""Files to and from messages: asks which, shows how far they are. Draws nothing, opens nothing.

Imported when a session is opened: the commands bring httpx with them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from tui.commands import files, uploads
from tui.content.extracts import links
from tui.content.sanitise import sanitise_line
from tui.errors import TuiError
from tui.screens.dialogs.chooser import Choice, Chooser
from tui.screens.dialogs.path import PathPrompt
from tui.screens.dialogs.question import Question
from tui.view.rows import MessageRow

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


class Attaching:
    """What is on its way is told beside the composer, each file for itself."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

    async def attach(self) -> None:
        """Ask for a file, and put a link to it into what is being written."""
        path = await self._screen.app.push_screen_wait(PathPrompt("Attach a file"))
        if path is not None:
            await self._upload(path)

    async def offer(self, pasted: str) -> None:
        """What was pasted may be the path of a file that is meant to be attached."""
        path = files.existing(pasted)
        if path is None:
            return
        name = sanitise_line(path.name)
        sure = await self._screen.app.push_screen_wait(
            Question(f"Attach {name}?", f"Instead of the path {path}", yes="Attach")
        )
        if sure:
            composer = self._screen.composer
            if composer.before_cursor.endswith(pasted):
                composer.complete("", len(pasted))
            await self._upload(path)

    async def _upload(self, path: Path) -> None:
        screen = self._screen
        place, name = screen.composing.place, sanitise_line(path.name)
        note = ("upload", str(path))
        screen.composing.note(note, f"attaching {name}…")
        try:
            markdown = await uploads.upload(
                screen.session.sync, path, self._progress(note, f"attaching {name}")
            )
        except TuiError as error:
            screen.tell(f"{name} was not attached. {error}")
        else:
            screen.composing.add(place, markdown)
            screen.composing.keep()
        finally:
            screen.composing.note(note, "")

    async def save(self, row: MessageRow) -> None:
        """Fetch a file of a message into the downloads folder."""
        hrefs = dict.fromkeys(link.href for link in links(row.nodes))
        found = [href for href in hrefs if self.is_file(href)]
        if not found:
            self._screen.tell("There is no file in this message.")
            return
        wanted: str | None = found[0]
        if len(found) > 1:
            choices = [
                Choice(value=href, label=sanitise_line(uploads.file_name(href))) for href in found
            ]
            wanted = await self._screen.app.push_screen_wait(
                Chooser("Save a file", choices, hint="which one?")
            )
        if wanted is not None:
            await self.fetch(wanted)

    def is_file(self, href: str) -> bool:
        """Whether a link of a message leads to a file that was uploaded to this server."""
        return uploads.is_upload(self._screen.session.site, href)

    async def fetch(self, href: str) -> None:
        """Fetch an uploaded file into the downloads folder."""
        screen = self._screen
        name = sanitise_line(uploads.file_name(href))
        note = ("download", href)
        screen.composing.note(note, f"fetching {name}…")
        try:
            path = await uploads.download(
                screen.session.sync,
                href,
                name,
                self.folder(),
                self._progress(note, f"fetching {name}"),
            )
        except TuiError as error:
            screen.tell(f"{name} was not saved. {error}")
        else:
            screen.tell(f"Saved as {path}.")
        finally:
            screen.composing.note(note, "")

    def folder(self) -> Path:
        """Where files go that are fetched."""
        chosen = self._screen.settings.downloads
        return Path(chosen).expanduser() if chosen else platformdirs.user_downloads_path()

    def _progress(self, note: tuple[str, str], words: str) -> Callable[[int, int | None], None]:
        """Tells each percent once, or, where nobody knows how much there is, each MiB."""
        told = ""

        def hear(done: int, size: int | None) -> None:
            nonlocal told
            part = f"{done * 100 // size} %" if size else f"{done // 2**20} MiB"
            if part != told:
                told = part
                self._screen.composing.note(note, f"{words}: {part}")

        return hear
