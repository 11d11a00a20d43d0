"""Saved views: naming, pinning, deleting. Asks, and tells the server; imported when needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from tui.commands import navigation_views as commands
from tui.keys import keyboard_of
from tui.narrow import Narrow
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.view import names
from tui.view.navigation_views import KeptView, kept_views

LONGEST: Final = 100
"""In characters."""


async def keep_or_change(context: AccountContext, narrow: Narrow) -> None:
    """Save a narrow as a view; ask what to change if it is saved already."""
    kept = kept_views(context.session.store)
    view = next((each for each in kept if each.narrow == narrow), None)
    if view is None:
        await keep(context, narrow)
        return
    choices = [
        Choice(value=rename, label="Rename…"),
        Choice(value=pin, label="Hide in the sidebar" if view.is_pinned else "Show in the sidebar"),
        Choice(value=delete, label="Delete", detail="its messages are kept"),
    ]
    chooser = Chooser(f"Saved as {view.name}", choices, hint="rename, hide, delete")
    change = await context.ask(chooser)
    if change is not None:
        await change(context, view)


async def keep(context: AccountContext, narrow: Narrow) -> None:
    """Ask for a name and save the view; the narrow's own name is proposed."""

    async def submit(answers: Answers) -> None:
        name = answers.text("name")
        await commands.keep(context.session.sync, narrow, name)
        jump = keyboard_of(context.app).key("app.jump")
        context.toast(f"Saved as {name}: in the sidebar and in {jump}.")

    default_name = names.narrow(context.session.store, narrow).removeprefix("Search: ")
    await _ask(context, "Save this view", default_name[:LONGEST], submit)


async def pin(context: AccountContext, view: KeptView) -> None:
    """Pin the view to the sidebar, or unpin it."""
    await commands.pin(context.session.sync, view.fragment, pinned=not view.is_pinned)


async def delete(context: AccountContext, view: KeptView) -> None:
    """Delete the view and say so."""
    await commands.delete(context.session.sync, view.fragment)
    context.toast(f"{view.name} deleted.")


async def rename(context: AccountContext, view: KeptView) -> None:
    """Ask for another name."""

    async def submit(answers: Answers) -> None:
        await commands.rename(context.session.sync, view.fragment, answers.text("name"))

    await _ask(context, "Rename the view", view.name, submit)


async def _ask(
    context: AccountContext, title: str, name: str, submit: Callable[[Answers], Awaitable[None]]
) -> None:
    field = TextField(name="name", label="Name", value=name, longest=LONGEST)
    await context.ask(Form(title, [field], submit=submit))
