"""The page of invitations: what is still open, new ones, the link and the command that a colleague runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.api.features import knows
from tui.api.model import ChannelId
from tui.api.organization import Invite
from tui.commands import invites as commands
from tui.commands.invites import Terms
from tui.content.sanitize import sanitize_line
from tui.screens.dialogs.actions import Act
from tui.screens.dialogs.card import Card, Section
from tui.screens.dialogs.chooser import Choice
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
from tui.view import invites, names, permissions, roles, user_groups
from tui.view.cards import CardPart, Heading, Sentence, Source

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen
    from tui.store import Store


async def show(screen: AccountScreen) -> None:
    """Open invitations, and what may be done."""
    await Invites(screen).show()


class Invites(Page):
    """Those that are open, as the server said last."""

    title = "Invitations"
    nothing = "No open invitations."
    asked = "invites"

    def __init__(self, screen: AccountScreen) -> None:
        super().__init__(screen)
        self._open: dict[Hashable, Invite] = {}

    async def load(self) -> None:
        found = await commands.fetch(self.sync)
        # The two kinds may have the same numbers.
        self._open = {(each.is_multiuse, each.id): each for each in found}

    def rows(self) -> Sequence[ListingRow]:
        store, times = self.store, self.screen.times
        return [
            ListingRow(
                key=key, label=invites.label(each), detail=invites.detail(store, each, times)
            )
            for key, each in self._open.items()
        ]

    def acts(self, key: Hashable | None) -> Sequence[Act]:
        store, found = self.store, self._open.get(key)
        acts = []
        if found is not None:
            if found.link_url:
                acts.append(Act(key="enter", label="link", act="open"))
            if not found.is_multiuse:
                acts.append(Act(key="s", label="renew", act="resend"))
            acts.append(Act(key="d", label="revoke", act="revoke"))
        if permissions.may_invite_people(store):
            acts.append(Act(key="n", label="invite by address", act="invite"))
        if permissions.may_make_links(store):
            acts.append(Act(key="l", label="reusable link", act="link"))
        return acts

    async def do(self, act: str, key: Hashable | None) -> None:
        found, screen = self._open.get(key), self.screen
        if act == "invite":
            await _invite(screen)
        elif act == "link":
            await _make_link(screen)
        elif found is None:
            pass
        elif act == "open" and found.link_url:
            await _show_links(screen, invites.label(found), {"": found.link_url})
        elif act == "resend":
            link = await commands.resend(screen.session.sync, found)
            screen.tell("Invitation renewed.")
            if link is not None:
                await _show_links(screen, invites.label(found), {"": link})
        elif act == "revoke":
            words = "The link stops working. People who have already joined stay."
            title = f"Revoke the invitation: {invites.label(found)}?"
            if await self.confirms(title, words, yes="Revoke"):
                await commands.revoke(screen.session.sync, found)


async def _invite(screen: AccountScreen) -> None:
    store, links = screen.session.store, dict[str, str]()

    async def submit(answers: Answers) -> None:
        emails = answers.text("emails").replace(",", " ").split()
        links.update(await commands.invite(screen.session.sync, emails, _terms(answers)))

    fields: list[Field] = [
        TextField(name="emails", label="Email addresses", lines=2),
        *_fields(store),
    ]
    if knows(store.realm.feature_level, "notify_referrer_on_join"):
        fields.append(TickField(name="notify", label="notify me when they join", value=True))
    words = "One invitation for each address, separated by commas or lines."
    form = Form("Invite people", fields, submit=submit, yes="Invite", words=words)
    if await screen.app.push_screen_wait(form):
        if links:
            await _show_links(screen, "Send these links", links)
        else:
            screen.tell("Invitations sent.")


async def _make_link(screen: AccountScreen) -> None:
    made: list[str] = []

    async def submit(answers: Answers) -> None:
        made.append(await commands.create_link(screen.session.sync, _terms(answers)))

    words = "It works any number of times until it expires or is revoked."
    form = Form(
        "Reusable invitation link",
        _fields(screen.session.store),
        submit=submit,
        yes="Create link",
        words=words,
    )
    if await screen.app.push_screen_wait(form):
        await _show_links(screen, "Reusable invitation link", {"": made[-1]})


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


async def _show_links(screen: AccountScreen, title: str, links: dict[str, str]) -> None:
    """The links of invitations by whom they are for, and how to join by them; copies on demand."""

    async def parts() -> Sequence[CardPart]:
        found: list[CardPart] = []
        for email, link in links.items():
            found += [Heading(sanitize_line(email))] if email else []
            found += [Sentence("Open this in a browser:"), Source(sanitize_line(link))]
            if invites.command(link):
                found += [Sentence("Or, with Chinwag:"), Source(invites.command(link))]
        return found

    acts = [
        Act(key="c", label="copy the link", act="link"),
        Act(key="k", label="copy the command", act="command"),
    ]
    card = Card(title, [Section(name="", load=parts)], reader=screen.messages.reader, acts=acts)
    chosen = await screen.app.push_screen_wait(card)
    if chosen is not None:
        all_of = list(links.values()) if chosen == "link" else map(invites.command, links.values())
        screen.app.copy_to_clipboard("\n".join(all_of))
        screen.tell("Copied.")
