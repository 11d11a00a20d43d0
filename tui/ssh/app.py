"""The client behind SSH: it gives no access to this machine, and ends with its account."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual import work
from textual.app import SuspendNotSupported

from tui import accounts
from tui.app import ChinwagApp
from tui.errors import ConfigError
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.link import LinkDialog
from tui.ssh.key_client import KeyClient


class HostedApp(ChinwagApp):
    """Ends when its account is signed out; without an account, when one is signed in."""

    def __init__(
        self,
        *,
        key_client: KeyClient | None = None,
        offers: Sequence[tuple[str, str]] = (),
        **options: Any,
    ) -> None:
        """`offers` are keys, digest and description, by which the user could sign in the next time."""
        super().__init__(**options)
        self.key_client = key_client
        self._offers = offers

    signed_in: Path | None = None
    """The zuliprc of the account that was signed in."""
    trouble: str | None = None
    """Why the user has to sign in (again); "" if they signed out themselves."""

    def open_account(self, zuliprc: Path, *, start: str | None = None) -> None:
        """Open an account of the one server only."""
        try:
            site = accounts.read_zuliprc(zuliprc).site
        except ConfigError as error:
            self.ask_to_sign_in(str(error))
            return
        if site == self.host.site:
            super().open_account(zuliprc, start=start)
        else:
            self.ask_to_sign_in(self.host.refused["servers"])

    def _begin(self) -> None:
        super()._begin()
        if self._zuliprc is not None and self._offers:
            self.call_after_refresh(self._ask_for_key)

    @work(group="keys")
    async def _ask_for_key(self) -> None:
        """Ask which of the offered keys signs the user in the next time."""
        choices = [Choice(value=digest, label=text) for digest, text in self._offers]
        chosen: str | None = await self.push_screen_wait(
            Chooser(
                "Sign in with an SSH key next time?",
                [*choices, Choice(value="", label="Not now")],
                hint="Enter chooses, Esc: not now",
            )
        )
        if chosen and self.key_client is not None:
            try:
                await asyncio.to_thread(self.key_client.note, chosen)
            except ConfigError as error:
                self.notify(str(error), markup=False, timeout=10)
            else:
                text = "Next time this key signs you in, after one question."
                self.notify(text, markup=False, timeout=10)

    def ask_to_sign_in(self, trouble: str) -> None:
        """End a session that has an account, to begin another; without one, show the sign-in screen."""
        if "accounts" in self.__dict__ and self.accounts.all:
            self._refuse("servers")
        elif self._zuliprc is None:
            super().ask_to_sign_in(trouble)
        else:
            self.trouble = trouble
            self.leave(0)

    def _signed_in(self, zuliprc: Path | None) -> None:
        self.signed_in = zuliprc
        self.leave(0)

    # Textual's actions on the machine

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Copy the URL to the visitor's clipboard, and show it as a link of the terminal."""
        del new_tab
        self.copy_to_clipboard(url)
        self.push_screen(LinkDialog(url))

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Refuse: there is no shell to go back to."""
        if self.host.is_local:
            yield
        raise SuspendNotSupported("the terminal is elsewhere")

    def action_suspend_process(self) -> None:
        """Ignored: there is no shell to go back to."""

    def deliver_screenshot(self, *_: Any, **__: Any) -> None:
        """Refuse: a file would be written on this machine."""
        self._refuse("files")

    def action_screenshot(self, *_: Any, **__: Any) -> None:
        """Refuse: a file would be written on this machine."""
        self._refuse("files")

    def save_screenshot(self, *_: Any, **__: Any) -> str:
        """Refuse: a file would be written on this machine."""
        raise ConfigError(self.host.refused["files"])

    def _refuse(self, ability: Any) -> None:
        self.notify(self.host.refused[ability], markup=False, timeout=10)
