"""The page of email domains that may join. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tui.api.organization import RealmDomain
from tui.api.routes import domains as routes
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField, TickField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.organization.live_page import CurrentPage
from tui.view.permissions import is_owner


async def show(context: AccountContext) -> None:
    """Show the domains until Esc."""
    await Domains(context).show()


class Domains(CurrentPage[Mapping[str, RealmDomain]]):
    """The domains by name."""

    nothing = "No domains."

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        counts = self.store.realm.settings.emails_restricted_to_domains
        self.title = (
            "Only email addresses in these domains can join"
            if counts
            else "Domains (not enforced: see Organization settings)"
        )

    def known(self) -> Mapping[str, RealmDomain]:
        return dict(self.store.realm.domains)

    async def ask(self) -> Mapping[str, RealmDomain]:
        return {each.domain: each for each in await routes.fetch(self.sync.connection)}

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=name,
                label=sanitize_line(name),
                detail="and its subdomains" if domain.allow_subdomains else "",
            )
            for name, domain in sorted(self.current.items())
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        if not is_owner(self.store):
            return []
        new = DialogAction(key="n", label="new", run=self._add)
        domain = self.current.get(str(key))
        if domain is None:
            return [new]
        label = "without subdomains" if domain.allow_subdomains else "with subdomains"
        changed = replace(domain, allow_subdomains=not domain.allow_subdomains)
        change = partial(routes.update, self.sync.connection, domain=changed)
        return [
            DialogAction(key="enter", label=label, run=change),
            DialogAction(key="d", label="delete", run=partial(self._remove, domain)),
            new,
        ]

    async def _add(self) -> None:
        async def submit(answers: Answers) -> None:
            domain = RealmDomain(
                domain=answers.text("domain"), allow_subdomains=answers.tick("subdomains")
            )
            await routes.add(self.sync.connection, domain=domain)

        await self.context.ask(
            Form(
                "New domain",
                [
                    TextField(name="domain", label="Domain", hint="example.com", longest=80),
                    TickField(name="subdomains", label="include subdomains"),
                ],
                submit=submit,
            )
        )

    async def _remove(self, domain: RealmDomain) -> None:
        text = "New people can no longer join with its addresses; existing members stay."
        if len(self.current) == 1:
            text += " It is the last one: without it, any address can join."
        if await self.confirms(f"Delete {sanitize_line(domain.domain)}?", text, yes="Delete"):
            await routes.remove(self.sync.connection, name=domain.domain)
