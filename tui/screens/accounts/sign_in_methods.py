"""Sign-in methods that a server offers besides a password: a choice, then the method's dialogs.

Saves no account: the caller does. Imported at use: the commands bring HTTP with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import field
from typing import Any

from textual.app import App

from tui.accounts import Account
from tui.api.organization import AuthenticationBackend
from tui.commands import sign_in
from tui.commands.sign_in import Offer
from tui.commands.single_sign_on import OneTimePad
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.screens.dialogs.browser import BrowserPage
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Answers, Form, TextField

EXPECTED = "zulip://login?"
"""How the address begins to which full servers redirect the browser."""


@dataclass
class OtherWays:
    """One attempt to sign in to one server by the methods that it offers."""

    app: App[Any]
    offer: Offer
    _accounts: list[Account] = field(default_factory=list)

    async def account(self) -> Account | None:
        """Return the account that was signed in; None if canceled."""
        way: Callable[[], Awaitable[None]] | None = await self.app.push_screen_wait(
            Chooser(f"Sign in at {self._name}", self._choices(), hint="how?")
        )
        if way is not None:
            await way()
        return self._accounts[-1] if self._accounts else None

    @property
    def _name(self) -> str:
        return sanitize_line(self.offer.settings.realm_name or self.offer.base_url.host)

    def _choices(self) -> list[Choice[Callable[[], Awaitable[None]]]]:
        choices: list[Choice[Callable[[], Awaitable[None]]]] = [
            Choice(
                value=_with(self._by_browser, page),
                label=sanitize_line(page.display_name or page.name),
                detail="on a page in your browser",
                weight=2,
            )
            for page in self.offer.pages
        ]
        choices.append(
            Choice(value=self._by_token, label="Token", detail="signed (JWT), from another program")
        )
        if self.offer.people:
            choices.append(
                Choice(
                    value=self._by_name,
                    label="By name",
                    detail="without a password: this is a development server",
                    weight=1,
                )
            )
        return choices

    async def _by_browser(self, page: AuthenticationBackend) -> None:
        pad = OneTimePad.new()
        address = pad.address(self.offer.base_url, page.login_url)

        async def submit(pasted: str) -> None:
            self._accounts.append(await sign_in.by_browser(self.offer, pad, pasted))

        await self.app.push_screen_wait(
            BrowserPage(f"Sign in at {self._name}", address, submit=submit, expects=EXPECTED)
        )

    async def _by_token(self) -> None:
        async def submit(answers: Answers) -> None:
            base_url = self.offer.base_url
            self._accounts.append(
                await sign_in.by_token(base_url.text, answers.text("token"), allow_http=True)
            )

        await self.app.push_screen_wait(
            Form(
                f"Sign in at {self._name}",
                [TextField(name="token", label="Token", secret=True)],
                submit=submit,
                yes="Sign in",
                text="It comes from a program that the server trusts, and has two dots in it.",
            )
        )

    async def _by_name(self) -> None:
        people = [
            Choice(value=person.email, label=sanitize_line(person.email), weight=-at)
            for at, person in enumerate(self.offer.people)
        ]
        email: str | None = await self.app.push_screen_wait(
            Chooser("Sign in as", people, hint="whom?")
        )
        if email is not None:
            self._accounts.append(await sign_in.by_name(self.offer.base_url, email))


def _with(
    way: Callable[[AuthenticationBackend], Awaitable[None]], page: AuthenticationBackend
) -> Callable[[], Awaitable[None]]:
    return lambda: way(page)
