"""The page of integrations: services that post by webhooks through bots. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final

from tui.api.model import User, UserId
from tui.api.organization import IncomingWebhook
from tui.commands import bots
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Field, Form, TextField, TickField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.organization.bot_webhooks import place_fields, show_address, show_url
from tui.screens.page import Page
from tui.view import names
from tui.view.bots import (
    INCOMING,
    detail,
    looked_after,
    may_create_webhooks,
    short_name,
    short_names,
)

_SECRET: Final = "secret"  # noqa: S105  # the name of an option
_TEMPLATES: Final = ("topic_template", "content_template")
_WORDS: Final = (
    "Creates a bot and a URL to paste into the service's settings. The event chooses the topic if you leave"
    " it empty."
)
_SIGNING: Final = " With a secret, only requests that the service signs with it are posted."
_CONFIGURING: Final = (
    "What you leave empty stays. With a secret, only requests that the service signs with it are posted."
    " Templates are for JSON."
)


async def show(context: AccountContext) -> None:
    """Show the integrations until Esc."""
    await Integrations(context).show()


async def create(context: AccountContext) -> None:
    """Ask for the service and the destination, create a bot, and show the URL."""
    created: list[tuple[UserId, str, Answers]] = []

    async def submit(answers: Answers) -> None:
        service = _service(context, answers.choice("webhook"))
        secret = answers.text(_SECRET) if signs(context) else ""
        if secret and not service.is_configured_by(_SECRET):
            raise ConfigError(f"{_label(service)} does not sign. Leave the secret empty.")
        name = answers.text("full_name") or _label(service)
        bot = await bots.create(
            context.session.sync,
            full_name=name,
            short_name=short_name(name, short_names(context.session.store)),
            bot_type=INCOMING,
            service_name=service.name if secret else None,
            config_data={_SECRET: secret} if secret else None,
        )
        created.append((bot.user_id, sanitize_line(name), answers))

    fields: list[Field] = [
        *place_fields(context),
        TextField(name="full_name", label="Name", hint="that of the service", longest=100),
    ]
    if signs(context):
        fields.append(
            TextField(name=_SECRET, label="Secret", hint="none", longest=500, secret=True)
        )
    text = _WORDS + _SIGNING if signs(context) else _WORDS
    form = Form("New integration", fields, submit=submit, yes="Create", text=text)
    if await context.ask(form) and created:
        bot_id, name, answers = created[-1]
        context.toast(f"{name} created.")
        await show_url(context, bot_id, name, answers)


def signs(context: AccountContext) -> bool:
    """Whether the server checks signatures of any service."""
    return any(
        each.is_configured_by(_SECRET) for each in context.session.store.realm.incoming_webhooks
    )


def _service(context: AccountContext, name: str) -> IncomingWebhook:
    return next(each for each in context.session.store.realm.incoming_webhooks if each.name == name)


def _label(service: IncomingWebhook) -> str:
    return sanitize_line(service.display_name or service.name)


class Integrations(Page):
    """The bots of integrations: the user's own; all for administrators."""

    title = "Integrations"
    nothing = "No integrations. Press n to create one."

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=bot.user_id,
                label=names.person(self.store, bot.user_id),
                detail=detail(self.store, bot),
            )
            for bot in looked_after(self.store)
            if bot.bot_type == INCOMING and bot.is_active
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        actions: list[DialogAction] = []
        bot = self.store.users.by_id.get(UserId(key)) if isinstance(key, int) else None
        offered = bool(self.store.realm.incoming_webhooks)
        if bot is not None and offered:
            actions.append(DialogAction(key="enter", label="URL", run=partial(self._url, bot)))
        if bot is not None and signs(self.context):
            configure = partial(self._configure, bot)
            actions.append(DialogAction(key="e", label="secret, templates", run=configure))
        if bot is not None:
            deactivate = partial(self._deactivate, bot)
            actions.append(DialogAction(key="d", label="deactivate", run=deactivate))
        if offered and may_create_webhooks(self.store):
            create_one = partial(create, self.context)
            actions.append(DialogAction(key="n", label="new", run=create_one))
        return actions

    async def _url(self, bot: User) -> None:
        await show_address(self.context, bot.user_id, names.person(self.store, bot.user_id))

    async def _configure(self, bot: User) -> None:
        async def submit(answers: Answers) -> None:
            texts = {name: answers.text(name) for name in (_SECRET, *_TEMPLATES)}
            options = {name: text for name, text in texts.items() if text}
            if answers.tick("no_secret"):
                options[_SECRET] = ""
            if answers.tick("no_templates"):
                options |= dict.fromkeys(_TEMPLATES, "")
            if options:
                await bots.configure(self.sync, bot.user_id, options)

        name = names.person(self.store, bot.user_id)
        fields: list[Field] = [
            TextField(name=_SECRET, label="Secret", hint="stays", longest=500, secret=True),
            TickField(name="no_secret", label="Remove the secret"),
            TextField(name=_TEMPLATES[0], label="Template of the topic", hint="stays"),
            TextField(name=_TEMPLATES[1], label="Template of the message", lines=4),
            TickField(name="no_templates", label="Remove the templates"),
        ]
        form = Form(f"Integration {name}", fields, submit=submit, text=_CONFIGURING)
        if await self.context.ask(form):
            self.context.toast(f"{name} updated.")

    async def _deactivate(self, bot: User) -> None:
        name = names.person(self.store, bot.user_id)
        text = "Its URL stops working at once. Its messages are kept."
        if await self.confirms(f"Deactivate {name}?", text, yes="Deactivate"):
            await bots.deactivate(self.sync, bot.user_id)
            self.context.toast(f"{name} deactivated.")
