"""Settings in themes: a list of the themes, a form for each. What is sent, who opens it says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form
from tui.screens.dialogs.listing import ListingRow
from tui.screens.fields.settings import changes, fields, offered
from tui.screens.page import Page
from tui.view.settings import SettingsSection


async def show_themes(
    context: AccountContext,
    title: str,
    themes: Sequence[SettingsSection],
    *,
    record: Callable[[], object],
    send: Callable[[Mapping[str, Any]], Awaitable[None]],
) -> None:
    """Show the themes that have something to change; `record` is what holds now."""
    await _Themes(context, title, themes, record=record, send=send).show()


class _Themes(Page):
    nothing = "No settings that you can change."

    def __init__(
        self,
        context: AccountContext,
        title: str,
        themes: Sequence[SettingsSection],
        *,
        record: Callable[[], object],
        send: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        super().__init__(context)
        self.title = title
        self._themes = {theme.name: theme for theme in themes}
        self._record = record
        self._send = send

    def rows(self) -> Sequence[ListingRow]:
        record = self._record()
        return [
            ListingRow(key=theme.name, label=theme.label, detail=theme.help)
            for theme in self._themes.values()
            if offered(self.store, theme, record)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        theme = self._themes.get(str(key))
        if theme is None:
            return []
        change = partial(edit_theme, self.context, theme, record=self._record(), send=self._send)
        return [DialogAction(key="enter", label="change", run=change)]


async def edit_theme(
    context: AccountContext,
    theme: SettingsSection,
    *,
    record: object,
    send: Callable[[Mapping[str, Any]], Awaitable[None]],
    title: str = "",
) -> None:
    """A form for the settings of one theme; only what was changed is sent."""

    async def submit(answers: Answers) -> None:
        news = changes(theme, record, answers)
        if news:
            await send(news)

    form = Form(
        title or theme.label,
        fields(context.session.store, theme, record),
        submit=submit,
        text=theme.text,
    )
    if await context.ask(form):
        context.toast("Saved.")
