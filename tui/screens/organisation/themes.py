"""Settings in themes: a list of the themes, a form for each. What is sent, who opens it says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.form import Answers, Form
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.organisation.administration import show_listing
from tui.screens.organisation.setting_fields import changes, fields, offered
from tui.view.settings import Theme

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show_themes(
    screen: AccountScreen,
    title: str,
    themes: Sequence[Theme],
    *,
    record: Callable[[], object],
    send: Callable[[Mapping[str, Any]], Awaitable[None]],
) -> None:
    """Show the themes that have something to change; `record` is what holds now."""
    by_name = {theme.name: theme for theme in themes}

    def rows() -> list[ListingRow]:
        store, now = screen.session.store, record()
        return [
            ListingRow(key=theme.name, label=theme.label, detail=theme.help)
            for theme in themes
            if offered(store, theme, now)
        ]

    async def do(_: str, key: Hashable | None) -> None:
        if isinstance(key, str):
            await edit_theme(screen, by_name[key], record=record(), send=send)

    await show_listing(
        screen,
        Listing(
            title,
            rows=rows,
            acts=lambda _: [Act(key="enter", label="change", act="change")],
            do=do,
        ),
    )


async def edit_theme(
    screen: AccountScreen,
    theme: Theme,
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
        fields(screen.session.store, theme, record),
        submit=submit,
        words=theme.words,
    )
    if await screen.app.push_screen_wait(form):
        screen.tell("Saved.")
