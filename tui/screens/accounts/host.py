"""What an account's screen asks of the application it lives in, where it may be one of several.

A protocol, and what holds for a screen that is alone. Opens nothing, draws nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tui.view.accounts import line

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


class AccountHost(Protocol):
    """Where accounts live together."""

    def left(self, screen: AccountScreen, sentence: str) -> None:
        """The account was signed out, with a sentence why."""

    def followed(self, screen: AccountScreen) -> None:
        """What is known in the account is otherwise now, or how its connection is."""

    def looks(self, screen: AccountScreen) -> bool:
        """Whether the person sees this account now."""

    def is_shown(self, screen: AccountScreen) -> bool:
        """Whether the account is on screen, with or without a dialog over it."""

    def label(self, screen: AccountScreen) -> str:
        """The organization's name, where one has to say which; else ""."""

    def read_on(self, screen: AccountScreen) -> bool:
        """Everything here is read: go on to another account; False if all of them are read."""

    def show_account(self, at: int) -> None:
        """Go to an account, counted from 0."""

    def change(self, screen: AccountScreen, name: str, value: str | int) -> None:
        """Apply a setting in all accounts and keep it. Raises ConfigError where it cannot be kept."""


class SingleAccountHost:
    """The only account there is."""

    def left(self, screen: AccountScreen, sentence: str) -> None:
        screen.dismiss(sentence)

    def followed(self, screen: AccountScreen) -> None:
        if screen.is_ready:
            session, counts = screen.session, screen.display_parts.counts
            screen.organization.show(
                [line(session.store, counts, site=session.site, email="", shown=True, live=True)]
            )

    def looks(self, screen: AccountScreen) -> bool:
        return screen.app.app_focus

    def is_shown(self, screen: AccountScreen) -> bool:  # noqa: ARG002  # the protocol's
        return True

    def label(self, screen: AccountScreen) -> str:  # noqa: ARG002  # the protocol's
        return ""

    def read_on(self, screen: AccountScreen) -> bool:  # noqa: ARG002  # the protocol's
        return False

    def show_account(self, at: int) -> None:
        """There is no other."""

    def change(self, screen: AccountScreen, name: str, value: str | int) -> None:
        changes: dict[str, Any] = {name: value}
        screen.apply(replace(screen.settings, **changes))
