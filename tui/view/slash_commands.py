"""Completions of commands at the beginning of a message: `/me`, `/poll`, `/todo`. Pure."""

from typing import Final

from tui.view.completions import Completion

_COMMANDS: Final = (
    ("/me", "set your status"),
    ("/poll", "a question; its options on the lines below"),
    ("/todo", "a list of tasks; one on each line below"),
)


def slash_commands(before: str) -> list[Completion]:
    """Return completions for the first line of a message, up to the cursor."""
    if not before.startswith("/") or " " in before:
        return []
    return [
        Completion(label=name, detail=detail, text=f"{name} ", replaces=len(before))
        for name, detail in _COMMANDS
        if name.startswith(before.casefold())
    ]
