"""The page of bots: the user's own, and for administrators all. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final

from tui.api.model import User, UserId
from tui.api.organization import BotService
from tui.commands import bots
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Answers, ChoiceField, Field, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.dialogs.path import ask_path
from tui.screens.organization import bot_storage, integrations
from tui.screens.organization.bot_keys import show_key
from tui.screens.organization.bot_webhooks import show_address
from tui.screens.page import Page
from tui.view import names
from tui.view.bots import (
    EMBEDDED,
    GENERIC,
    INCOMING,
    OUTGOING,
    detail,
    looked_after,
    may_create_webhooks,
    possible_owners,
)
from tui.view.permissions import is_administrator, is_in

_WORDS: Final = {
    GENERIC: ("generic", "reads and writes like a person, through the API"),
    INCOMING: ("incoming webhook", "posts messages of other services; reads nothing"),
    OUTGOING: ("outgoing webhook", "calls your URL when it is mentioned"),
    EMBEDDED: ("embedded", "a service on the server itself"),
}
_INTERFACES: Final = (
    Choice(value=1, label="this API's own", detail="JSON with the whole message"),
    Choice(value=2, label="Slack's", detail="form fields, as Slack sends them"),
)


async def show(context: AccountContext) -> None:
    """Show the bots until Esc."""
    await Bots(context).show()


class Bots(Page):
    """The user's own bots; all for administrators."""

    title = "Bots"
    nothing = "No bots. Press n to create one."

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=bot.user_id,
                label=names.person(self.store, bot.user_id),
                detail=detail(self.store, bot),
                faint=not bot.is_active,
            )
            for bot in looked_after(self.store)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        actions: list[DialogAction] = []
        bot = self.store.users.by_id.get(UserId(key)) if isinstance(key, int) else None
        if bot is not None and bot.is_active:
            actions += self._actions_of_active(bot)
        elif bot is not None and is_administrator(self.store):
            reactivate = partial(self._reactivate, bot)
            actions.append(DialogAction(key="d", label="reactivate", run=reactivate))
        if self._kinds():
            actions.append(DialogAction(key="n", label="new", run=self._create))
        return actions

    def _actions_of_active(self, bot: User) -> list[DialogAction]:
        actions = [
            DialogAction(key="enter", label="change", run=partial(self._change, bot)),
            DialogAction(key="k", label="key", run=partial(self._key, bot)),
        ]
        if bot.bot_type == INCOMING and self.store.realm.incoming_webhooks:
            webhook = partial(self._webhook, bot)
            actions.append(DialogAction(key="w", label="webhook URL", run=webhook))
        storage = partial(bot_storage.show, self.context, bot)
        return [
            *actions,
            DialogAction(key="s", label="storage", run=storage),
            DialogAction(key="p", label="picture", run=partial(self._picture, bot)),
            DialogAction(key="d", label="deactivate", run=partial(self._deactivate, bot)),
        ]

    # Creating bots

    def _kinds(self) -> list[int]:
        """Return the kinds of bots that the user may create."""
        realm = self.store.realm.settings
        if is_in(self.store, realm.can_create_bots_group):
            embedded = [EMBEDDED] if self.store.realm.embedded_bots else []
            return [GENERIC, INCOMING, OUTGOING, *embedded]
        return [INCOMING] if may_create_webhooks(self.store) else []

    async def _create(self) -> None:
        kinds: list[Choice[int]] = [
            Choice(value=kind, label=_WORDS[kind][0], detail=_WORDS[kind][1], weight=-kind)
            for kind in self._kinds()
        ]
        kind: int | None = await self.context.ask(
            Chooser("What kind of bot?", kinds, hint="generic, incoming, outgoing…")
        )
        if kind is None:
            return
        if kind == INCOMING and self.store.realm.incoming_webhooks:
            await integrations.create(self.context)
            return
        created: list[tuple[UserId, str]] = []

        async def submit(answers: Answers) -> None:
            new = await self._send_new(kind, answers)
            created.append((new, answers.text("full_name")))

        form = Form(
            f"New bot: {_WORDS[kind][0]}",
            self._fields(kind),
            submit=submit,
            yes="Create",
            text=f"{_WORDS[kind][1][0].upper()}{_WORDS[kind][1][1:]}. Its email address starts with the short name.",
        )
        if await self.context.ask(form) and created:
            name = sanitize_line(created[0][1])
            self.context.toast(f"{name} created.")
            await show_key(self.context, created[0][0], name)

    def _fields(self, kind: int) -> list[Field]:
        fields: list[Field] = [
            TextField(name="full_name", label="Name", hint="Echo", longest=100),
            TextField(name="short_name", label="Short name", hint="echo", longest=50),
        ]
        if kind == OUTGOING:
            fields += _called(None)
        if kind == EMBEDDED:
            fields += [
                ChoiceField(
                    name="service",
                    label="Service",
                    choices=[
                        Choice(value=each.name, label=sanitize_line(each.name))
                        for each in self.store.realm.embedded_bots
                    ],
                    value=self.store.realm.embedded_bots[0].name,
                ),
                TextField(name="config", label="Configuration", hint="key: value", lines=4),
            ]
        return fields

    async def _send_new(self, kind: int, answers: Answers) -> UserId:
        outgoing, embedded = kind == OUTGOING, kind == EMBEDDED
        new = await bots.create(
            self.sync,
            full_name=answers.text("full_name"),
            short_name=answers.text("short_name"),
            bot_type=kind,
            payload_url=answers.text("payload_url") if outgoing else None,
            interface=answers.choice("interface") if outgoing else None,
            service_name=answers.choice("service") if embedded else None,
            config_data=bots.configuration(answers.text("config")) if embedded else None,
        )
        return new.user_id

    # Changing bots

    async def _change(self, bot: User) -> None:
        service = None
        if bot.bot_type == OUTGOING:
            service = await bots.service(self.sync, bot)

        async def submit(answers: Answers) -> None:
            def changed(name: str) -> bool:
                return name in answers.changed

            await bots.change(
                self.sync,
                bot.user_id,
                full_name=answers.text("full_name") if changed("full_name") else None,
                owner_id=answers.choice("owner") if changed("owner") else None,
                payload_url=answers.text("payload_url") if changed("payload_url") else None,
                interface=answers.choice("interface") if changed("interface") else None,
                config_data={"trigger_words": answers.text("trigger_words")}
                if changed("trigger_words")
                else None,
            )

        name = names.person(self.store, bot.user_id)
        form = Form(f"Bot {name}", self._fields_of(bot, name, service), submit=submit)
        if await self.context.ask(form):
            self.context.toast(f"{name} updated.")

    def _fields_of(self, bot: User, name: str, service: BotService | None) -> list[Field]:
        choices = [
            Choice(value=user.user_id, label=names.person(self.store, user.user_id))
            for user in possible_owners(self.store)
        ]
        return [
            TextField(name="full_name", label="Name", value=name, longest=100),
            ChoiceField(name="owner", label="Owner", choices=choices, value=bot.bot_owner_id),
            *(_called(service, hint="stays as it is") if bot.bot_type == OUTGOING else []),
            *_words(service),
        ]

    async def _picture(self, bot: User) -> None:
        name = names.person(self.store, bot.user_id)
        path = await ask_path(self.context, f"Picture for {name}", enter="Choose")
        if path is not None:
            await bots.set_picture(self.sync, bot, path)
            self.context.toast(f"{name} has a new picture.")

    async def _deactivate(self, bot: User) -> None:
        name = names.person(self.store, bot.user_id)
        text = "It is disconnected at once, and its key stops working. Its messages are kept."
        if await self.confirms(f"Deactivate {name}?", text, yes="Deactivate"):
            await bots.deactivate(self.sync, bot.user_id)
            self.context.toast(f"{name} deactivated.")

    async def _reactivate(self, bot: User) -> None:
        await bots.reactivate(self.sync, bot.user_id)
        self.context.toast(f"{names.person(self.store, bot.user_id)} reactivated.")

    async def _webhook(self, bot: User) -> None:
        await show_address(self.context, bot.user_id, names.person(self.store, bot.user_id))

    async def _key(self, bot: User) -> None:
        name = names.person(self.store, bot.user_id)
        await show_key(self.context, bot.user_id, name)


def _words(service: BotService | None) -> list[Field]:
    """Return the field of trigger words, on a server that has these; else nothing."""
    if service is None or service.trigger_words is None:
        return []
    trigger_words = sanitize_line(" ".join(service.trigger_words))
    return [
        TextField(
            name="trigger_words", label="Trigger words", value=trigger_words, hint="/deploy /status"
        )
    ]


def _called(service: BotService | None, *, hint: str = "https://example.com/hook") -> list[Field]:
    """Return the fields of an outgoing webhook: its URL and format."""
    return [
        TextField(
            name="payload_url",
            label="URL to call",
            value=sanitize_line(service.base_url) if service else "",
            hint=hint,
        ),
        ChoiceField(
            name="interface",
            label="Format",
            choices=_INTERFACES,
            value=service.interface if service else 1,
        ),
    ]
