"""A dialog that is closed in the moment in which the terminal changes its size."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Form, TextField
from tui.screens.dialogs.help import Help
from tui.screens.dialogs.listing import ListDialog


async def _sent(_: object) -> None: ...


@pytest.mark.parametrize(
    "made",
    [
        lambda: Help({}),
        lambda: Chooser("Which?", [Choice(value=1, label="one")], hint=""),
        lambda: Form("Fill in", [TextField(name="name", label="Name")], submit=_sent),
        lambda: ListDialog("List", rows=lambda: (), actions=lambda _: (), nothing="None."),
    ],
)
async def test_what_was_to_be_laid_out_later_is_gone(
    made: Callable[[], Dialog[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends nothing, and says nothing."""
    dialog = made()
    async with asking(dialog) as (_, pilot):
        later: list[Callable[[], object]] = []
        monkeypatch.setattr(dialog, "call_after_refresh", later.append)
        await pilot.resize_terminal(70, 20)
        assert later
        dialog.dismiss()
        await pilot.pause()
        for each in later:
            each()
