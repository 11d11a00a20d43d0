"""Settings in sections: a list of the sections, a form for each. Sends by the caller's function."""

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


async def show_sections(
    context: AccountContext,
    title: str,
    sections: Sequence[SettingsSection],
    *,
    record: Callable[[], object],
    send: Callable[[Mapping[str, Any]], Awaitable[None]],
) -> None:
    """Show the sections with settings that can be changed; `record` returns the current values."""
    await _SettingsSections(context, title, sections, record=record, send=send).show()


class _SettingsSections(Page):
    nothing = "No settings that you can change."

    def __init__(
        self,
        context: AccountContext,
        title: str,
        sections: Sequence[SettingsSection],
        *,
        record: Callable[[], object],
        send: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        super().__init__(context)
        self.title = title
        self._sections = {section.name: section for section in sections}
        self._record = record
        self._send = send

    def rows(self) -> Sequence[ListingRow]:
        record = self._record()
        return [
            ListingRow(key=section.name, label=section.label, detail=section.help)
            for section in self._sections.values()
            if offered(self.store, section, record)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        section = self._sections.get(str(key))
        if section is None:
            return []
        change = partial(
            edit_section, self.context, section, record=self._record(), send=self._send
        )
        return [DialogAction(key="enter", label="change", run=change)]


async def edit_section(
    context: AccountContext,
    section: SettingsSection,
    *,
    record: object,
    send: Callable[[Mapping[str, Any]], Awaitable[None]],
    title: str = "",
) -> None:
    """Edit the settings of one section in a form; only changed values are sent."""

    async def submit(answers: Answers) -> None:
        news = changes(section, record, answers)
        if news:
            await send(news)

    form = Form(
        title or section.label,
        fields(context.session.store, section, record),
        submit=submit,
        text=section.text,
    )
    if await context.ask(form):
        context.toast("Saved.")
