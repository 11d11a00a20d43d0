"""The interface between an account's screen and the application, which may hold several accounts.

A protocol, and an implementation for a screen that is alone. Opens nothing, draws nothing.
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
    """An account, as its host sees it."""

    settings: Settings
    panes: ChatPanes

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def is_ready(self) -> bool:
        """Whether the store holds a snapshot yet."""

    @property
    def session(self) -> Session:
        """The account's connection and store."""

    def apply(self, settings: Settings) -> None:
        """Apply changed settings."""

    def dismiss(self, result: str) -> object:
        """Leave the screen, with a sentence why."""


class AccountHost(Protocol):
    """The application, as an account sees it: it holds several accounts."""

    def left(self, account: HostedAccount, sentence: str) -> None:
        """Close an account that was signed out, with a sentence why."""

    def followed(self, account: HostedAccount) -> None:
        """Follow a change of the account's store or connection."""

    def looks(self, account: HostedAccount) -> bool:
        """Whether the user sees this account now."""

    def is_shown(self, account: HostedAccount) -> bool:
        """Whether the account is on screen, with or without a dialog over it."""

    def label(self, account: HostedAccount) -> str:
        """Return the organization's name where there are several accounts, else ""."""

    def read_on(self, account: HostedAccount) -> bool:
        """Switch to the next account with unread messages; False if all are read."""

    def show_account(self, at: int) -> None:
        """Switch to the account at a place in the order, counted from 0."""

    def change(self, account: HostedAccount, name: str, value: str | int) -> None:
        """Apply a setting in all accounts and keep it. Raises ConfigError where it cannot be kept."""


class SingleAccountHost:
    """The host of the only account."""

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
        """Ignored: there is no other account."""

    def change(self, account: HostedAccount, name: str, value: str | int) -> None:
        changes: dict[str, Any] = {name: value}
        account.apply(replace(account.settings, **changes))
