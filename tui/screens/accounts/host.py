"""What an account's screen asks of the application it lives in, where it may be one of several.

A protocol, and what holds for a screen that is alone. Opens nothing, draws nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from textual.app import App

from tui.config import Settings
from tui.screens.chat_panes import ChatPanes
from tui.screens.session import Session
from tui.view.accounts import line


class HostedAccount(Protocol):
    """What a host may ask of an account."""

    settings: Settings
    panes: ChatPanes

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def is_ready(self) -> bool:
        """Whether anything is known yet."""

    @property
    def session(self) -> Session:
        """Its connection, and what is known through it."""

    def apply(self, settings: Settings) -> None:
        """The person decided something else."""

    def dismiss(self, result: str) -> object:
        """Leave the screen, with a sentence why."""


class AccountHost(Protocol):
    """Where accounts live together."""

    def left(self, account: HostedAccount, sentence: str) -> None:
        """The account was signed out, with a sentence why."""

    def followed(self, account: HostedAccount) -> None:
        """The account's store or connection changed."""

    def looks(self, account: HostedAccount) -> bool:
        """Whether the person sees this account now."""

    def is_shown(self, account: HostedAccount) -> bool:
        """Whether the account is on screen, with or without a dialog over it."""

    def label(self, account: HostedAccount) -> str:
        """The organization's name, where one has to say which; else ""."""

    def read_on(self, account: HostedAccount) -> bool:
        """Everything here is read: go on to another account; False if all of them are read."""

    def show_account(self, at: int) -> None:
        """Go to an account, counted from 0."""

    def change(self, account: HostedAccount, name: str, value: str | int) -> None:
        """Apply a setting in all accounts and keep it. Raises ConfigError where it cannot be kept."""


class SingleAccountHost:
    """The only account there is."""

    def left(self, account: HostedAccount, sentence: str) -> None:
        account.dismiss(sentence)

    def followed(self, account: HostedAccount) -> None:
        if account.is_ready:
            session, counts = account.session, account.panes.panels.counts
            account.panes.organization.show(
                [line(session.store, counts, site=session.site, email="", shown=True, live=True)]
            )

    def looks(self, account: HostedAccount) -> bool:
        return account.app.app_focus

    def is_shown(self, account: HostedAccount) -> bool:  # noqa: ARG002  # the protocol's
        return True

    def label(self, account: HostedAccount) -> str:  # noqa: ARG002  # the protocol's
        return ""

    def read_on(self, account: HostedAccount) -> bool:  # noqa: ARG002  # the protocol's
        return False

    def show_account(self, at: int) -> None:
        """There is no other."""

    def change(self, account: HostedAccount, name: str, value: str | int) -> None:
        changes: dict[str, Any] = {name: value}
        account.apply(replace(account.settings, **changes))
