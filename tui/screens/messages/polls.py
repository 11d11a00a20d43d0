"""Polls and to-do lists: voting, ticking and adding, by keys and clicks. Asks by dialogs."""

from __future__ import annotations

from tui.commands import submessages
from tui.dataclass import dataclass
from tui.narrow import conversation_of, destination_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.prompt import Prompt
from tui.view.polls import PollView
from tui.view.rows import MessageRow

_HINTS = {
    "poll": "type to add an option",
    "todo": "type to add a task",
    "offers": "your answer",
}


@dataclass(frozen=True, slots=True)
class _Added:
    text: str


class _Renamed:
    """The choice of another title."""


async def choose(context: AccountContext, row: MessageRow) -> None:
    """Show the options or tasks to choose from, or to add to."""
    ballot = row.ballot
    if ballot is None:
        context.toast("This message has no poll or to-do list.")
        return
    choices: list[Choice[str | _Added | _Renamed]] = [
        Choice(value=line.key, label=f"{_sign(ballot, line.is_on)} {line.text}", detail=line.detail)
        for line in ballot.lines
    ]
    if ballot.is_own:
        what = "question" if ballot.kind == "poll" else "title"
        choices.append(Choice(value=_Renamed(), label=f"✎ Change the {what}"))
    chosen: str | _Added | _Renamed | None = await context.ask(
        Chooser(
            ballot.title or "Poll",
            choices,
            hint=_HINTS[ballot.kind],
            nothing="Type to add the first.",
            made_of=None if ballot.kind == "offers" else _Added,
        )
    )
    match chosen:
        case _Added(text):
            await _add(context, row, text)
        case _Renamed():
            await _rename(context, row, ballot)
        case str(key):
            await _choose(context, row, ballot, key)


async def _choose(context: AccountContext, row: MessageRow, ballot: PollView, key: str) -> None:
    """Vote or tick; a choice that a bot offers is answered with a message."""
    message = context.session.store.message(row.message_id)
    if ballot.kind != "offers":
        await submessages.toggle(context.session.sync, row.message_id, key)
    elif message is not None:
        context.session.sending.send(destination_of(conversation_of(message)), key)


async def _rename(context: AccountContext, row: MessageRow, ballot: PollView) -> None:
    title = await context.ask(Prompt("New title", hint="visible to everyone", text=ballot.title))
    if title is not None and title.strip():
        await submessages.rename(context.session.sync, row.message_id, title.strip())


async def click(context: AccountContext, row: MessageRow, index: int) -> None:
    """Handle a click on the option or task of that index, or on the line after them, which adds one."""
    ballot = row.ballot
    if ballot is None:
        return
    if 0 <= index < len(ballot.lines):
        await _choose(context, row, ballot, ballot.lines[index].key)
        return
    if ballot.kind == "offers":
        return
    hint = "another option" if ballot.kind == "poll" else "description (optional)"
    text = await context.ask(Prompt(ballot.title or "Poll", hint=hint))
    if text and text.strip():
        await _add(context, row, text.strip())


async def _add(context: AccountContext, row: MessageRow, text: str) -> None:
    sync = context.session.sync
    if row.ballot is not None and row.ballot.kind == "todo":
        task, _, detail = text.partition(":")
        await submessages.add(sync, row.message_id, task.strip(), detail.strip())
    else:
        await submessages.add(sync, row.message_id, text)


def _sign(ballot: PollView, is_on: bool) -> str:
    if ballot.kind == "offers":
        return "▸"
    if ballot.kind == "poll":
        return "◉" if is_on else "○"
    return "☑" if is_on else "☐"
