"""The key of a bot: shown when asked for, copied, kept in a file, made anew. Asks, and tells the server."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tui.api.model import UserId
from tui.commands import bots
from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.question import Question
from tui.screens.dialogs.secret import Secret

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show_key(screen: AccountScreen, bot_id: UserId, name: str) -> None:
    """Until Esc; `name` is sanitized."""
    save = partial(_save, screen, bot_id)
    regenerate = partial(_regenerate, screen, bot_id, name)
    while True:
        action = await screen.app.push_screen_wait(
            Secret(
                f"API key of {name}",
                "Anyone with this key can do everything the bot can.",
                ask=partial(bots.key, screen.session.sync, bot_id),
                actions=[
                    DialogAction(key="s", label="save a zuliprc", run=save),
                    DialogAction(key="r", label="new key", run=regenerate),
                ],
            )
        )
        if action is None:
            return
        try:
            await action.run()
        except TuiError as error:
            screen.tell(str(error))


async def _regenerate(screen: AccountScreen, bot_id: UserId, name: str) -> None:
    words = "The current key stops working at once; programs that use it need the new one."
    if await screen.app.push_screen_wait(Question(f"New key for {name}?", words, yes="New key")):
        await bots.new_key(screen.session.sync, bot_id)
        screen.tell(f"{name} has a new key.")


async def _save(screen: AccountScreen, bot_id: UserId) -> None:
    bot = screen.session.store.users.get(bot_id)
    if bot is None:  # just made, and not heard of yet
        screen.tell("The server has not sent it yet. Try again.")
        return
    saved: list[Path] = []

    async def submit(answers: Answers) -> None:
        path = Path(answers.text("path"))
        saved.append(await bots.save_zuliprc(screen.session.sync, bot, path))

    short = sanitize_line(bot.email).partition("@")[0]
    form = Form(
        "Save a zuliprc",
        [TextField(name="path", label="File", value=f"~/{short}.zuliprc")],
        submit=submit,
        words="For the bot's programs. Readable only by you; no file is overwritten.",
    )
    if await screen.app.push_screen_wait(form) and saved:
        screen.tell(f"Saved as {saved[0]}.")
