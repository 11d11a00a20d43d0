"""Voting and ticking: what keys and clicks on a poll or to-do list do. Asks by dialogs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.commands import submessages
from tui.screens.dialogs.chooser import Choice, Chooser
from tui.screens.dialogs.prompt import Prompt
from tui.view.ballots import Ballot
from tui.view.rows import MessageRow

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

_HINTS = {
    "poll": "an option; another text adds one",
    "todo": "a task; another text adds one",
}


@dataclass(frozen=True, slots=True)
class _Added:
    text: str


async def act(screen: AccountScreen, row: MessageRow) -> None:
    """Choose an option or a task, or type a new one."""
    ballot = row.ballot
    if ballot is None:
        screen.tell("This message is neither a poll nor a to-do list.")
        return
    choices: list[Choice[str | _Added]] = [
        Choice(value=line.key, label=f"{_sign(ballot, line.is_on)} {line.text}", detail=line.detail)
        for line in ballot.lines
    ]
    chosen: str | _Added | None = await screen.app.push_screen_wait(
        Chooser(
            ballot.title or "Poll",
            choices,
            hint=_HINTS[ballot.kind],
            nothing="Type the first one.",
            made_of=lambda text: _Added(text) if text else None,
        )
    )
    if isinstance(chosen, _Added):
        await _add(screen, row, chosen.text)
    elif chosen is not None:
        await submessages.toggle(screen.session.sync, row.message_id, chosen)


async def click(screen: AccountScreen, row: MessageRow, index: int) -> None:
    """A click on the option or task of that index, or beyond them all: on what adds one."""
    ballot = row.ballot
    if ballot is None:
        return
    if 0 <= index < len(ballot.lines):
        await submessages.toggle(screen.session.sync, row.message_id, ballot.lines[index].key)
        return
    hint = "another option" if ballot.kind == "poll" else "what is to be done: a few words about it"
    text = await screen.app.push_screen_wait(Prompt(ballot.title or "Poll", hint=hint))
    if text and text.strip():
        await _add(screen, row, text.strip())


async def _add(screen: AccountScreen, row: MessageRow, text: str) -> None:
    sync = screen.session.sync
    if row.ballot is not None and row.ballot.kind == "todo":
        task, _, detail = text.partition(":")
        await submessages.add(sync, row.message_id, task.strip(), detail.strip())
    else:
        await submessages.add(sync, row.message_id, text)


def _sign(ballot: Ballot, is_on: bool) -> str:
    if ballot.kind == "poll":
        return "◉" if is_on else "○"
    return "☑" if is_on else "☐"
