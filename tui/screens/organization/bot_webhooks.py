"""The URL of an incoming webhook: composed, shown, copied. Draws nothing."""

from __future__ import annotations

from typing import Final

from tui.api.model import UserId
from tui.commands import bots
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, ChoiceField, Field, Form, TextField
from tui.screens.dialogs.secret import HIDDEN, Secret
from tui.view import names
from tui.view.bots import webhook_address
from tui.view.channels import in_order

_WORDS: Final = (
    "Services that post to Slack work with the Slack-compatible one. The topic is the service's"
    " own if you leave it empty."
)


async def show_address(context: AccountContext, bot_id: UserId, name: str) -> None:
    """Ask for the service and the destination, then show the URL; `name` is sanitized."""
    chosen: list[Answers] = []

    async def submit(answers: Answers) -> None:
        chosen.append(answers)

    form = Form(
        f"Webhook URL of {name}",
        place_fields(context),
        submit=submit,
        yes="Show the URL",
        text=_WORDS,
    )
    if await context.ask(form) and chosen:
        await show_url(context, bot_id, name, chosen[-1])


async def show_url(context: AccountContext, bot_id: UserId, name: str, answers: Answers) -> None:
    """Show the URL for the answers of `place_fields`; `name` is sanitized."""
    sync = context.session.sync

    def address(key: str) -> str:
        return webhook_address(
            sync.connection.base_url.api,
            answers.choice("webhook"),
            key,
            channel=answers.choice("channel"),
            topic=answers.text("topic").strip(),
        )

    async def whole() -> str:
        return address(await bots.key(sync, bot_id))

    # The key's position is found by letters that encoding does not change.
    hidden = address("KEY").replace("api_key=KEY", f"api_key={HIDDEN[:8]}")
    text = "Give this URL to the service. It contains the bot's key: keep it secret."
    await context.ask(Secret(f"Webhook URL of {name}", text, ask=whole, hidden=hidden))


def place_fields(context: AccountContext) -> list[Field]:
    """Return the fields of the service and the destination of its messages."""
    store = context.session.store
    webhooks = [
        Choice(
            value=each.name,
            label=sanitize_line(each.display_name or each.name),
            detail=sanitize_line(each.name),
        )
        for each in store.realm.incoming_webhooks
    ]
    places: list[Choice[str]] = [Choice(value="", label="none: a direct message to its owner")]
    places += [
        Choice(value=str(each.channel_id), label=names.channel(store, each.channel_id))
        for each in in_order(store)
        if not each.is_archived
    ]
    return [
        ChoiceField(name="webhook", label="Service", choices=webhooks, value=webhooks[0].value),
        ChoiceField(name="channel", label="Channel", choices=places, value=""),
        TextField(name="topic", label="Topic", hint="the service's own", longest=60),
    ]
