"""The open accounts: each in a mode of its own with its dialogs, one of them shown.

Opens no connection and reads no file of an account: their screens do. Imported after the first frame.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

from tui import accounts
from tui.accounts import Account
from tui.config import Folders, Settings
from tui.dataclass import dataclass
from tui.errors import ConfigError
from tui.hook_settings import Hooks
from tui.host import host_of
from tui.narrow import Conversation
from tui.screens.account_screen import AccountScreen
from tui.screens.accounts.host import HostedAccount
from tui.screens.session import open_session
from tui.screens.terminal_title import TerminalTitle
from tui.sync.status import Live
from tui.view import accounts as view
from tui.view import overview
from tui.view.accounts import AccountLine, AccountName, UnreadRow
from tui.view.notifications import terminal_title, waiting
from tui.view.unread_counts import UnreadCounts
from tui.view.unreads import next_unread

if TYPE_CHECKING:
    # Imported when it is opened.
    from tui.screens.accounts.all_unreads import Everywhere
    from tui.screens.dialogs.base import Dialog

NOBODY = "nobody"
"""The mode of the sign-in screen while there is no account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAccount:
    """An account with its screen; `mode` is its unique name."""

    mode: AccountName
    path: Path
    credentials: Account
    screen: AccountScreen

    @property
    def counts(self) -> UnreadCounts:
        """The account's unread counts, by conversation and in all."""
        return self.screen.panes.panels.counts

    @property
    def line(self) -> AccountLine:
        """The account's name and unread count."""
        screen = self.screen
        return view.line(
            screen.account.session.store if screen.account.is_ready else None,
            self.counts,
            site=self.credentials.site,
            email=self.credentials.email,
            shown=screen.app.current_mode == self.mode,
            live=screen.account.is_ready and isinstance(screen.account.session.sync.status, Live),
        )


class Accounts:
    """The accounts in the order in which they were added."""

    def __init__(
        self,
        app: App[None],
        folders: Folders,
        *,
        nobody_left: Callable[[str], None],
        keep: Callable[[str, str | int], None],
    ) -> None:
        """`nobody_left` is called with a sentence when the user has to sign in (again), `keep` with a
        setting.
        """
        self.app = app
        self._folders = folders
        self._nobody_left = nobody_left
        self._keep = keep
        self._serial = count(1)
        self._inbox: Everywhere | None = None
        self._quitting: Dialog[bool] | None = None
        """The question whether to quit without the drafts, if it was asked."""
        self._terminal = TerminalTitle(app)
        self.all: list[OpenAccount] = []
        app.add_mode(NOBODY, Screen)

    # Opening and closing

    def open(
        self,
        path: Path,
        account: Account,
        settings: Settings,
        *,
        show: bool,
        start: str | None = None,
    ) -> OpenAccount:
        """Open an account, on screen or in the background; show it if it is open already."""
        for each in self.all:
            if (each.credentials.site, each.credentials.email) == (account.site, account.email):
                if each.credentials == account:
                    if show:
                        self.show(each)
                    return each
                self.close(each)  # its API key has changed
                break
        hooks = settings.hooks if host_of(self.app).can("programs") else Hooks()
        opens = partial(open_session, account, self._folders, hooks)
        screen = AccountScreen(opens, settings, start=start, home=self)
        is_first = not self.app.screen_stack
        mode = AccountName(self.app.DEFAULT_MODE if is_first else f"account-{next(self._serial)}")
        opened = OpenAccount(mode=mode, path=path, credentials=account, screen=screen)
        self.all.append(opened)
        order = accounts.known(self._folders)  # whichever was shown first
        self.all.sort(key=lambda each: order.index(each.path) if each.path in order else len(order))
        if is_first:  # the app starts with this screen
            self._remember(opened)
            return opened
        before = self.app.current_mode
        self.app.add_mode(mode, lambda: screen)
        self.app.switch_mode(mode)  # Textual starts a screen only this way
        if show:
            self.show(opened)
        else:
            self.app.switch_mode(before)
            self._notify_all()
        return opened

    def close(self, closed: OpenAccount) -> None:
        """Save the account's draft and end its session; show another account."""
        at = self.all.index(closed)
        closed.screen.account.keep_draft()
        self.all.remove(closed)
        if self.app.current_mode == closed.mode:
            if self.all:
                self.show(self.all[at % len(self.all)])
            else:
                self.show_nobody()
        self.app.remove_mode(closed.mode)
        self._notify_all()

    def left(self, account: HostedAccount, sentence: str) -> None:
        """Close an account that was signed out with a sentence why; it may be one in the background."""
        gone = self._of(account)
        if gone is None:
            return
        name = gone.line.name
        was_shown = self.shown is gone
        several = len(self.all) > 1
        self.close(gone)
        text = f"{name}: {sentence}" if several else sentence
        if was_shown:
            self._nobody_left(text)
        else:
            self.app.notify(text, markup=False, timeout=10)

    def keep_drafts(self) -> None:
        """Save the drafts of all accounts."""
        for each in self.all:
            each.screen.account.keep_draft()

    def may_quit(self) -> bool:
        """Save the drafts of all accounts. If the disk does not take one, return False, and quit if the user
        agrees to lose it, or presses the key again.
        """
        self.keep_drafts()
        drafts = [
            each.screen.account.session.drafts
            for each in self.all
            if each.screen.account.has_session
        ]
        for each in drafts:
            with suppress(ConfigError):
                each.look()
        if self.app.screen is self._quitting or not any(each.unwritten for each in drafts):
            return True
        from tui.screens.dialogs.question import Question

        text = (
            "They cannot be saved, and would be lost. Free some space on the disk, and try again."
        )
        self._quitting = question = Question("Quit without your drafts?", text, yes="Quit")
        self.app.push_screen(
            question, lambda quits: self.app.exit(return_code=0) if quits else None
        )
        return False

    def apply(self, settings: Settings) -> None:
        """Apply changed settings in all accounts."""
        for each in self.all:
            each.screen.account.settings = settings
            if each.screen.is_mounted:
                each.screen.account.apply(settings)

    def change(self, account: HostedAccount, name: str, value: str | int) -> None:  # noqa: ARG002  # the protocol's
        """Apply a setting in all accounts and keep it."""
        self._keep(name, value)

    # Which one is shown

    @property
    def shown(self) -> OpenAccount | None:
        """The account on screen; None where there is none."""
        mode = self.app.current_mode
        return next((each for each in self.all if each.mode == mode), None)

    def show(self, account: OpenAccount) -> None:
        """Switch to an account, as it was left."""
        self.app.switch_mode(account.mode)
        self._remember(account)
        self.looked()
        self._notify_all()

    def _remember(self, account: OpenAccount) -> None:
        """Begin with this account the next time."""
        try:
            accounts.remember(self._folders, account.path)
        except ConfigError as error:
            self.app.notify(str(error), markup=False, timeout=10)

    def show_nobody(self) -> None:
        """Show the sign-in screen."""
        self.app.switch_mode(NOBODY)

    def show_account(self, at: int) -> None:
        """Switch to the account at a place in the order, if there is one."""
        if 0 <= at < len(self.all) and self.all[at] is not self.shown:
            self.show(self.all[at])

    def looked(self) -> None:
        """Report what is on screen as read, since the user looks at another account, or at the terminal
        again.
        """
        if self.app.app_focus and self.shown is not None:
            self.shown.screen.account.look()

    def looks(self, account: HostedAccount) -> bool:
        """Whether the user sees this account now."""
        return self.app.app_focus and self.is_shown(account)

    def is_shown(self, account: HostedAccount) -> bool:
        """Whether the account is on screen, with or without a dialog over it."""
        current = self.shown
        return current is not None and current.screen.account is account

    def _of(self, account: HostedAccount) -> OpenAccount | None:
        return next((each for each in self.all if each.screen.account is account), None)

    def mode_of(self, screen: Screen[Any]) -> str | None:
        """Return the mode of a screen; None if it is no account's."""
        modes = (each.mode for each in self.all)
        return next((m for m in modes if screen in self.app.get_screen_stack(m)), None)

    # Summaries of all accounts

    @property
    def lines(self) -> list[AccountLine]:
        """Return every account with its unread count."""
        return [each.line for each in self.all]

    def label(self, account: HostedAccount) -> str:
        """Return the organization's name where there are several accounts, else ""."""
        opened = self._of(account)
        return opened.line.name if opened is not None and len(self.all) > 1 else ""

    def followed(self, account: HostedAccount) -> None:
        """Update the unread counts of an account that changed."""
        if self._of(account) is not None:
            self._notify_all()

    def _notify_all(self) -> None:
        lines = self.lines
        for each in self.all:
            each.screen.panes.organization.show(lines)
        if self.shown is not None:
            self._show_title(self.shown.screen)
        if self._inbox is not None:
            self._inbox.update(self.unread())

    def _show_title(self, shown: AccountScreen) -> None:
        """Set the terminal's title: the unread count of all accounts, and the shown organization."""
        if shown.account.is_ready and shown.account.settings.terminal_title:
            ready = [each for each in self.all if each.screen.account.is_ready]
            total = sum(waiting(each.screen.account.session.store, each.counts) for each in ready)
            self._terminal.show(terminal_title(shown.account.session.store, total))

    # Unread messages of all accounts

    def read_on(self, account: HostedAccount) -> bool:
        """Switch to the next account with unread messages, urgent ones first; False if there is none."""
        here = self._of(account)
        if here is None:
            return False
        at = self.all.index(here)
        others = [
            each for each in self.all[at + 1 :] + self.all[:at] if each.screen.account.is_ready
        ]
        candidates = [
            (not view.has_urgent(store), order, each, place)
            for order, each in enumerate(others)
            if (place := next_unread(store := each.screen.account.session.store, None)) is not None
        ]
        if not candidates:
            return False
        *_, target, place = min(candidates, key=lambda one: one[:2])
        self.show(target)
        target.screen.account.go(place)
        self.app.notify(
            f"{here.line.name} is all read. Now in {target.line.name}.",
            markup=False,
            timeout=6,
        )
        return True

    def unread(self) -> list[UnreadRow]:
        """Return the inboxes of all accounts, merged."""
        ready = [each for each in self.all if each.screen.account.is_ready]
        return view.merged(
            {
                each.mode: (
                    each.line.name,
                    overview.inbox(
                        each.screen.account.session.store,
                        each.screen.account.times,
                        each.screen.account.today(),
                    ),
                )
                for each in ready
            }
        )

    async def ask_unread(self) -> None:
        """Show the unread conversations of all accounts, and open the chosen one."""
        for each in self.all:
            if each.screen.account.is_ready:
                each.screen.account.run(partial(self._load_quoted, each.screen), group="everywhere")
        from tui.screens.accounts.all_unreads import Everywhere

        self._inbox = Everywhere(self.unread())
        try:
            chosen: tuple[AccountName, Conversation] | None
            chosen = await self.app.push_screen_wait(self._inbox)
        finally:
            self._inbox = None
        target = next((each for each in self.all if chosen and each.mode == chosen[0]), None)
        if chosen is not None and target is not None:
            self.show(target)
            target.screen.account.go(chosen[1])

    async def _load_quoted(self, screen: AccountScreen) -> None:
        """Fetch the messages whose first lines the inbox quotes."""
        missing = overview.wanted(screen.account.session.store, "inbox")
        if missing:
            await screen.account.session.sync.history.by_id(missing)
            if self._inbox is not None:
                self._inbox.update(self.unread())
