"""The page of code playgrounds. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final

from tui.api.organization import Playground
from tui.api.routes import playgrounds as routes
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page
from tui.view import url_templates
from tui.view.permissions import is_administrator
from tui.view.playgrounds import detail

_FIELDS: Final = (
    TextField(name="name", label="Name", hint="Rust playground", longest=40),
    TextField(name="language", label="Language", hint="Rust", longest=40),
    TextField(
        name="url_template",
        label="Address",
        hint="https://play.rust-lang.org/?code={code}",
        longest=2048,
    ),
)


async def show(context: AccountContext) -> None:
    """Show the playgrounds until Esc."""
    await Playgrounds(context).show()


class Playgrounds(Page):
    """The playgrounds by language."""

    title = "Code playgrounds"
    nothing = "No playgrounds."

    @property
    def _known(self) -> Sequence[Playground]:
        return self.store.realm.playgrounds

    def rows(self) -> Sequence[ListingRow]:
        by_language = sorted(
            self._known, key=lambda each: (each.pygments_language.casefold(), each.name.casefold())
        )
        return [
            ListingRow(key=each.id, label=sanitize_line(each.name), detail=detail(each))
            for each in by_language
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        if not is_administrator(self.store):
            return []
        new = DialogAction(key="n", label="new", run=self._create)
        playground = next((each for each in self._known if each.id == key), None)
        if playground is None:
            return [new]
        return [DialogAction(key="d", label="delete", run=partial(self._delete, playground)), new]

    async def _create(self) -> None:
        async def submit(answers: Answers) -> None:
            await routes.create(
                self.sync.connection,
                name=answers.text("name"),
                pygments_language=answers.text("language"),
                url_template=answers.text("url_template"),
            )

        form = Form("New playground", _FIELDS, submit=submit, preview=_preview)
        if await self.context.ask(form):
            self.context.toast("Press o on a message with such code to try it there.")

    async def _delete(self, playground: Playground) -> None:
        text = "Code blocks will no longer link there."
        if await self.confirms(f"Delete {sanitize_line(playground.name)}?", text, yes="Delete"):
            await routes.delete(self.sync.connection, playground_id=playground.id)


def _preview(answers: Answers) -> str:
    """Return the URL that an example leads to, or the error of the template; "" without a template."""
    template = answers.text("url_template")
    if not template:
        return ""
    if url_templates.variables(template) != frozenset({"code"}):
        return "The URL needs {code}, and nothing else in braces."
    return sanitize_line(f"print(1) → {url_templates.expand(template, {'code': 'print(1)'})}")
