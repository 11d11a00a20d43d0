"""Pastes into the composer: inserted as text or code, shortened, attached. Draws nothing itself.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, Literal, TypeAlias

from tui.commands import clipboard, files
from tui.content import pasted
from tui.content.sanitize import sanitize, sanitize_line
from tui.host import host_of
from tui.keys import keyboard_of
from tui.screens.compose.attachments import AttachmentController
from tui.screens.context import ChatContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.prompt import Prompt
from tui.screens.dialogs.question import Question
from tui.view import reverse_links

Form: TypeAlias = Literal["text", "code", "file"]
LONGEST_LINE: Final = 60
"""Cells of the paste's beginning that the dialog shows, about as wide as the dialog."""
MOST_AS_TEXT: Final = 200_000
"""Most characters that are pasted into the composer; a message holds fewer, and it gets slow."""


class PasteController:
    """The choices after a paste: each is one step of undo, and Ctrl+Y inserts the pasted text."""

    def __init__(self, context: ChatContext, attachments: AttachmentController) -> None:
        self._context = context
        self._attachments = attachments
        self._host = host_of(context.app)

    async def look_at(self, text: str, *, left_out: int) -> None:
        """Look at a small paste before the cursor: it may be a path, or a URL with a short form."""
        if left_out:
            self._context.toast(f"Invisible control characters were left out: {left_out}.")
        if not self._shorten(text):
            await self._offer_files(text)

    def _shorten(self, text: str) -> bool:
        """Replace a URL by its short form; undo brings the URL back."""
        composer = self._context.panes.composer
        address = text.strip()
        short = reverse_links.short_form(address, self._context.session.store.realm.linkifiers)
        if short is None or not composer.before_cursor.endswith(text):
            return False
        cursor = composer.cursor_location
        before = composer.get_text_range(composer.document.start, cursor)
        behind = composer.get_text_range(cursor, composer.document.end)
        if not reverse_links.fits(before[: len(before) - len(text)], behind):
            return False
        composer.complete(text.replace(address, short), len(text))
        undo = keyboard_of(self._context.app).key("composer.undo")
        self._context.toast(f"{short} for the pasted link · {undo} to undo")
        return True

    async def _offer_files(self, text: str) -> None:
        paths = await asyncio.to_thread(files.dropped, text, self._host)  # a disk may be far away
        if not paths:
            return
        names = "\n".join(str(path) for path in paths)
        title = (
            f"Attach {sanitize_line(paths[0].name)}?"
            if len(paths) == 1
            else f"Attach {len(paths)} files?"
        )
        sure = await self._context.ask(Question(title, sanitize(names), yes="Attach"))
        if sure:
            self._context.panes.composer.take_out(text)
            await asyncio.gather(*(self._attachments.upload(path) for path in paths))

    async def ask(self, text: str) -> None:
        """Ask for a large paste: as text, as a code block, or as a file; Esc sets it aside."""
        composer = self._context.panes.composer
        composer.put_aside(pasted.fit(text)[0])
        kind = pasted.kind_of(pasted.with_newlines(text))
        match await self._form(text, kind):
            case "text":
                self._put_in(pasted.fit(text)[0])
            case "code":
                excerpt = pasted.fit(text)[0]
                before = composer.before_selection
                self._put_in(pasted.code_block(excerpt, kind.language, before=before))
            case "file":
                await self._as_file(pasted.with_newlines(text), kind)
            case _:
                self._not_pasted()

    async def _form(self, text: str, kind: pasted.Kind) -> Form | None:
        size = len(text.strip())
        over = size - self._context.session.store.realm.limits.max_message_length
        length = f"{over:,} characters too long for a message" if over > 0 else ""
        is_file_first = 3.0 if over > 0 else 0.0
        choices: list[Choice[Form]] = [
            Choice(value="text", label="As text", detail=length, weight=2.0),
            Choice(value="code", label="As a code block", detail=length or kind.language, weight=1.0),
            Choice(value="file", label="As a file", detail=_name(kind), weight=is_file_first),
        ]  # fmt: skip
        if size > MOST_AS_TEXT:
            choices = choices[2:]
        count = pasted.count_lines(pasted.with_newlines(text))
        title = f"Paste {count:,} lines" if count > 1 else f"Paste {size:,} characters"
        return await self._context.ask(Chooser(title, choices, hint="Choose a format"))

    def _not_pasted(self) -> None:
        key = keyboard_of(self._context.app).key("composer.yank")
        self._context.toast(f"Not pasted. {key} inserts it as text.")

    def _put_in(self, text: str) -> None:
        self._context.panes.composer.put_in(text)
        self._context.composing.focus()

    async def _as_file(self, text: str, kind: pasted.Kind) -> None:
        name = await self._context.ask(
            Prompt("Name of the file", hint="Enter attach", text=_name(kind))
        )
        if name is None:
            self._not_pasted()
            return
        await self._attach(name.strip() or _name(kind), text.encode("utf-8", "replace"))

    async def image(self) -> None:
        """Attach the image in the clipboard."""
        most = self._context.session.store.realm.limits.max_file_upload_size_mib
        image = await clipboard.read_image(most_mib=most, host=self._host)
        await self._attach(f"image.{image.ending}", image.data)

    async def _attach(self, name: str, data: bytes) -> None:
        path: Path = await asyncio.to_thread(
            files.keep_pasted, self._attachments.pasted_folder, name, data
        )
        await self._attachments.upload(path, undoable=True)


def _name(kind: pasted.Kind) -> str:
    return f"pasted.{kind.ending}"
