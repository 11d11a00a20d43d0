"""Switching, adding and signing out accounts, and new API keys: chosen from one list. Draws nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal, Protocol

from textual.worker import WorkerCancelled, WorkerFailed

from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.errors import TuiError
from tui.host import host_of
from tui.keys import keyboard_of
from tui.screens.accounts.accounts import Accounts, OpenAccount
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.question import Question


class Application(Protocol):
    """The application, as these choices see it."""

    folders: Folders

    def ask_to_sign_in(self, trouble: str) -> None:
        """Show the sign-in screen."""

    def open_account(self, zuliprc: Path) -> None:
        """Open and show the account of a zuliprc file."""


@dataclass(frozen=True, slots=True)
class AccountChoice:
    """An action, and the account it is for."""

    act: Literal["show", "add", "sign out", "new key"]
    account: OpenAccount | None = None


async def choose(accounts: Accounts, app: Application) -> None:
    """Show the list of accounts and actions, and run the chosen one."""
    key = keyboard_of(accounts.app).key
    choice: AccountChoice | None = await accounts.app.push_screen_wait(
        Chooser(
            "Organizations",
            _choices(accounts),
            hint=f"type to filter · {key('app.account_1')}, {key('app.account_2')}… switch at once",
        )
    )
    if choice is None:
        return
    if choice.account is None:
        app.ask_to_sign_in("")
    elif choice.act == "show":
        accounts.show(choice.account)
    elif choice.act == "sign out":
        await sign_out(accounts, choice.account, app)
    else:
        await new_key(accounts, choice.account, app)


def _choices(accounts: Accounts) -> list[Choice[AccountChoice]]:
    """Return the accounts in their order, then the other actions."""
    choices = [
        Choice(
            value=AccountChoice("show", each), label=f"{at} {each.line.name}", detail=_about(each)
        )
        for at, each in enumerate(accounts.all, 1)
    ]
    if host_of(accounts.app).can("servers"):
        adds = Choice(
            value=AccountChoice("add"), label="Add an account…", detail="sign in to another"
        )
        choices.append(adds)
    choices += [
        Choice(
            value=AccountChoice("sign out", each),
            label=f"Sign out of {each.line.name}…",
            detail=each.line.email,
        )
        for each in accounts.all
    ]
    choices += [
        Choice(
            value=AccountChoice("new key", each),
            label=f"New key for {each.line.name}…",
            detail="signs out all other devices",
        )
        for each in accounts.all
    ]
    return choices


def _about(account: OpenAccount) -> str:
    line = account.line
    count = f" · {line.count} unread" if line.count else ""
    return f"{line.email}{count}{'' if line.is_live else ' · offline'}"


async def sign_out(accounts: Accounts, account: OpenAccount, app: Application) -> None:
    """Ask, then sign the account out on this machine."""
    from tui.commands import sign_out as commands  # these bring HTTP with them

    sure = await accounts.app.push_screen_wait(
        Question(
            f"Sign out of {account.line.name}?",
            commands.consequences(app.folders, account.credentials),
            yes="Sign out",
        )
    )
    if not sure:
        return
    await _close(accounts, account)
    await commands.sign_out(app.folders, account.path, account.credentials)
    if not accounts.all:
        app.ask_to_sign_in("")


async def new_key(accounts: Accounts, account: OpenAccount, app: Application) -> None:
    """Ask, then have the server make a new API key, which the account uses from now on."""
    from tui.commands import sign_in

    sure = await accounts.app.push_screen_wait(
        Question(
            f"New API key for {account.line.name}?",
            "All other devices and scripts that use this account will be signed out."
            " This machine stays signed in.",
            yes="New key",
        )
    )
    if not sure:
        return
    await _close(accounts, account)  # with the old key it would be signed out meanwhile
    try:
        await sign_in.new_key(account.path, account.credentials)
    except TuiError as error:
        accounts.app.notify(sanitize_line(str(error)), markup=False, timeout=10)
    app.open_account(account.path)


async def _close(accounts: Accounts, account: OpenAccount) -> None:
    """Close an account, and wait until it has saved its state."""
    workers = [
        worker
        for worker in accounts.app.workers
        if worker.group == "session" and worker.node is account.screen
    ]
    accounts.close(account)
    for worker in workers:
        with suppress(WorkerCancelled, WorkerFailed):
            await worker.wait()
