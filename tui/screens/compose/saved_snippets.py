"""Saved snippets: inserted into the draft, created from it, edited. Asks, and tells the server.

Imported when a session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Literal

from tui.api.model import SavedSnippet
from tui.commands import saved_snippets
from tui.commands.idempotency import Attempts
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.screens.context import ChatContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.question import Question
from tui.screens.dialogs.text_editor import TextDialog, TitledText

LONGEST_TITLE: Final = 60


@dataclass(frozen=True, slots=True)
class _SnippetChoice:
    act: Literal["insert", "save", "edit", "delete"]
    snippet: SavedSnippet | None = None


class Snippets:
    """One list: the snippets to insert, and below them the other actions."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._attempts = Attempts()

    async def choose(self) -> None:
        """Insert, save, edit or delete a snippet."""
        choice: _SnippetChoice | None = await self._context.ask(
            Chooser(
                "Snippets",
                self._choices(),
                hint="a title, or: save, edit, delete",
                nothing="No matches.",
            )
        )
        if choice is None:
            return
        match choice:
            case _SnippetChoice("insert", SavedSnippet() as snippet):
                self._context.composing.focus()
                self._context.panes.composer.insert_at_cursor(snippet.content)
            case _SnippetChoice("edit", SavedSnippet() as snippet):
                await self._edit(snippet)
            case _SnippetChoice("delete", SavedSnippet() as snippet):
                await self._delete(snippet)
            case _:
                await self._save()

    def _choices(self) -> list[Choice[_SnippetChoice]]:
        snippets = sorted(
            self._context.session.store.snippets.all(), key=lambda each: each.title.casefold()
        )
        choices = [
            Choice(
                value=_SnippetChoice("insert", each),
                label=sanitize_line(each.title),
                detail=_beginning(each.content),
                weight=3.0,
            )
            for each in snippets
        ]
        choices.append(Choice(value=_SnippetChoice("save"), label="save a new snippet", weight=2.0))
        for each in snippets:
            title = sanitize_line(each.title)
            choices.append(
                Choice(value=_SnippetChoice("edit", each), label=f"edit {title}", weight=1.0)
            )
            choices.append(Choice(value=_SnippetChoice("delete", each), label=f"delete {title}"))
        return choices

    async def _save(self) -> None:
        """Save a snippet; proposes the text selected in the composer, else the whole draft."""
        composer = self._context.panes.composer
        text = composer.selected_text or composer.text

        async def submit(written: TitledText) -> None:
            await saved_snippets.create(
                self._context.session.sync,
                self._attempts,
                title=written.title,
                content=written.text,
            )

        await self._ask("New snippet", TitledText(title="", text=text), submit)

    async def _edit(self, snippet: SavedSnippet) -> None:
        async def submit(written: TitledText) -> None:
            await saved_snippets.edit(
                self._context.session.sync, snippet, title=written.title, content=written.text
            )

        await self._ask("Snippet", TitledText(title=snippet.title, text=snippet.content), submit)

    async def _ask(
        self, heading: str, written: TitledText, submit: Callable[[TitledText], Awaitable[None]]
    ) -> None:
        dialog = TextDialog(heading, written, submit=submit, longest_title=LONGEST_TITLE)
        if await self._context.ask(dialog):
            self._context.toast("Saved.")

    async def _delete(self, snippet: SavedSnippet) -> None:
        title = sanitize_line(snippet.title)
        if await self._context.ask(Question(f"Delete {title}?", snippet.content, yes="Delete")):
            await saved_snippets.delete(self._context.session.sync, snippet)


def _beginning(content: str) -> str:
    line = sanitize_line(content.strip())
    return line if len(line) <= 40 else f"{line[:39]}…"
