"""The page of invitations: open and new ones, links, the command to join. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial

from tui.api.features import knows
from tui.api.model import ChannelId
from tui.api.organization import Invite
from tui.commands import invites as commands
from tui.commands.invites import Terms
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.card import Card, Section
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import (
    Answers,
    ChoiceField,
    Field,
    Form,
    SeveralField,
    TextField,
    TickField,
)
from tui.screens.dialogs.listing import ListingRow
from tui.screens.organization.users import role_field
from tui.screens.page import Page
from tui.store import Store
from tui.view import invites, names, permissions, roles, user_groups
from tui.view.cards import CardPart, Heading, Sentence, Source


async def show(context: AccountContext) -> None:
    """Show the open invitations until Esc."""
    await Invites(context).show()


class Invites(Page):
    """The open invitations, as fetched last."""

    title = "Invitations"
    nothing = "No open invitations."
    asked = "invites"

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._open: dict[Hashable, Invite] = {}

    async def load(self) -> None:
        open_invites = await commands.fetch(self.sync)
        # IDs of the two kinds overlap.
        self._open = {(each.is_multiuse, each.id): each for each in open_invites}

    def rows(self) -> Sequence[ListingRow]:
        store, times = self.store, self.context.times
        return [
            ListingRow(
                key=key, label=invites.label(each), detail=invites.detail(store, each, times)
            )
            for key, each in self._open.items()
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        store, context, invite = self.store, self.context, self._open.get(key)
        actions = []
        if invite is not None:
            if invite.link_url:
                links = {"": invite.link_url}
                show_link = partial(_show_links, context, invites.label(invite), links)
                actions.append(DialogAction(key="enter", label="link", run=show_link))
            if not invite.is_multiuse:
                resend = partial(self._resend, invite)
                actions.append(DialogAction(key="s", label="renew", run=resend))
            actions.append(DialogAction(key="d", label="revoke", run=partial(self._revoke, invite)))
        if permissions.may_invite_people(store):
            by_address = partial(_invite, context)
            actions.append(DialogAction(key="n", label="invite by address", run=by_address))
        if permissions.may_make_links(store):
            make_link = partial(_make_link, context)
            actions.append(DialogAction(key="l", label="reusable link", run=make_link))
        return actions

    async def _resend(self, invite: Invite) -> None:
        link = await commands.resend(self.sync, invite)
        self.context.toast("Invitation renewed.")
        if link is not None:
            await _show_links(self.context, invites.label(invite), {"": link})

    async def _revoke(self, invite: Invite) -> None:
        text = "The link stops working. People who have already joined stay."
        title = f"Revoke the invitation: {invites.label(invite)}?"
        if await self.confirms(title, text, yes="Revoke"):
            await commands.revoke(self.sync, invite)


async def _invite(context: AccountContext) -> None:
    store, links = context.session.store, dict[str, str]()

    async def submit(answers: Answers) -> None:
        emails = answers.text("emails").replace(",", " ").split()
        try:
            links.update(await commands.invite(context.session.sync, emails, _terms(answers)))
        except ApiRefused as error:
            told = invites.refusal(error)
            raise ApiRefused(
                error.route, told, code=error.code, status=error.status, data=error.data
            ) from error

    fields: list[Field] = [
        TextField(name="emails", label="Email addresses", lines=2),
        *_fields(store),
    ]
    if knows(store.realm.feature_level, "notify_referrer_on_join"):
        fields.append(TickField(name="notify", label="notify me when they join", value=True))
    text = "One invitation for each address, separated by commas or lines."
    form = Form("Invite people", fields, submit=submit, yes="Invite", text=text)
    if await context.ask(form):
        if links:
            await _show_links(context, "Send these links", links)
        else:
            context.toast("Invitations sent.")


async def _make_link(context: AccountContext) -> None:
    links: list[str] = []

    async def submit(answers: Answers) -> None:
        links.append(await commands.create_link(context.session.sync, _terms(answers)))

    text = "It works any number of times until it expires or is revoked."
    form = Form(
        "Reusable invitation link",
        _fields(context.session.store),
        submit=submit,
        yes="Create link",
        text=text,
    )
    if await context.ask(form):
        await _show_links(context, "Reusable invitation link", {"": links[-1]})


def _fields(store: Store) -> list[Field]:
    channels = sorted(
        (each.channel_id for each in store.channels.subscriptions()),
        key=lambda each: names.channel(store, each).casefold(),
    )
    begin = frozenset(each for each in channels if each in store.realm.default_channel_ids)
    groups = [
        Choice(value=each.id, label=user_groups.group(store, each.id))
        for each in user_groups.named_groups(store)
        if permissions.may_add_members(store, each)
    ]
    lifetimes: list[Choice[int | None]] = [
        Choice(value=minutes, label=words) for minutes, words in invites.LIFETIMES
    ]
    fields: list[Field] = [
        role_field(roles.to_invite_as(store)),
        SeveralField(
            name="channels",
            label="Channels",
            choices=[Choice(value=each, label=_channel(store, each)) for each in channels],
            value=begin,
        ),
    ]
    if groups and knows(store.realm.feature_level, "group_ids"):
        fields.append(SeveralField(name="groups", label="Groups", choices=groups))
    level = store.realm.feature_level
    if knows(level, "include_realm_default_subscriptions"):
        fields.append(TickField(name="defaults", label="Also the default channels when they join"))
    fields.append(
        ChoiceField(name="minutes", label="Expires in", choices=lifetimes, value=10 * invites.DAY)
    )
    if permissions.is_administrator(store) and knows(level, "welcome_message_custom_text"):
        text = store.realm.settings.welcome_message_custom_text or ""
        fields.append(TextField(name="welcome", label="Welcome message", value=text, lines=3))
    return fields


def _channel(store: Store, channel_id: ChannelId) -> str:
    return f"{names.channel_mark(store, channel_id)}{names.channel(store, channel_id)}"


def _terms(answers: Answers) -> Terms:
    return Terms(
        role=answers.choice("role"),
        channel_ids=sorted(answers.several("channels")),
        group_ids=sorted(answers.several("groups")) if "groups" in answers.values else (),
        minutes=answers.choice("minutes"),
        default_channels=answers.tick("defaults") if "defaults" in answers.values else None,
        notify=answers.tick("notify") if "notify" in answers.values else None,
        welcome=answers.text("welcome") if "welcome" in answers.changed else None,
    )


async def _show_links(context: AccountContext, title: str, links: dict[str, str]) -> None:
    """Show the invitation links by email address, and how to join by them; copies on request."""

    async def parts() -> Sequence[CardPart]:
        parts: list[CardPart] = []
        for email, link in links.items():
            parts += [Heading(sanitize_line(email))] if email else []
            parts += [Sentence("Open this in a browser:"), Source(sanitize_line(link))]
            if invites.command(link):
                parts += [Sentence("Or, with Chinwag:"), Source(invites.command(link))]
        return parts

    async def copy(all_of: Iterable[str]) -> None:
        context.copy("\n".join(all_of))
        context.toast("Copied.")

    urls = links.values()
    actions = [
        DialogAction(key="c", label="copy the link", run=partial(copy, urls)),
        DialogAction(
            key="k", label="copy the command", run=partial(copy, map(invites.command, urls))
        ),
    ]
    section = Section(name="", load=parts)
    card = Card(title, [section], reader=context.reader, actions=actions)
    action = await context.ask(card)
    if action is not None:
        await action.run()
