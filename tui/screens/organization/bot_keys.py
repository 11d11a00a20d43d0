"""A bot's API key: shown on request, copied, saved to a file, regenerated. Asks, and tells the server."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tui.api.model import UserId
from tui.commands import bots
from tui.content.sanitize import sanitize_line
from tui.errors import TuiError
from tui.host import host_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.question import Question
from tui.screens.dialogs.secret import Secret


async def show_key(context: AccountContext, bot_id: UserId, name: str) -> None:
    """Show the key until Esc; `name` is sanitized."""
    save = partial(_save, context, bot_id)
    can_save = host_of(context.app).can("files")
    regenerate = partial(_regenerate, context, bot_id, name)
    while True:
        action = await context.ask(
            Secret(
                f"API key of {name}",
                "Anyone with this key can do everything the bot can.",
                ask=partial(bots.key, context.session.sync, bot_id),
                actions=[
                    *([DialogAction(key="s", label="save a zuliprc", run=save)] * can_save),
                    DialogAction(key="r", label="new key", run=regenerate),
                ],
            )
        )
        if action is None:
            return
        try:
            await action.run()
        except TuiError as error:
            context.toast(str(error))


async def _regenerate(context: AccountContext, bot_id: UserId, name: str) -> None:
    text = "The current key stops working at once; programs that use it need the new one."
    if await context.ask(Question(f"New key for {name}?", text, yes="New key")):
        await bots.new_key(context.session.sync, bot_id)
        context.toast(f"{name} has a new key.")


async def _save(context: AccountContext, bot_id: UserId) -> None:
    bot = context.session.store.users.get(bot_id)
    if bot is None:  # just created, and its event has not arrived
        context.toast("The server has not sent it yet. Try again.")
        return
    saved: list[Path] = []

    async def submit(answers: Answers) -> None:
        path = answers.text("path")
        host = host_of(context.app)
        saved.append(await bots.save_zuliprc(context.session.sync, bot, path, host))

    short = sanitize_line(bot.email).partition("@")[0]
    form = Form(
        "Save a zuliprc",
        [TextField(name="path", label="File", value=f"~/{short}.zuliprc")],
        submit=submit,
        text="For the bot's programs. Readable only by you; no file is overwritten.",
    )
    if await context.ask(form) and saved:
        context.toast(f"Saved as {saved[0]}.")
