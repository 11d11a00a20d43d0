"""Going to another account, adding one, signing out of one: chosen from one list. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from tui import accounts as files
from tui.screens.dialogs.chooser import Choice, Chooser
from tui.screens.dialogs.question import Question

if TYPE_CHECKING:
    from tui.config import Folders
    from tui.screens.accounts import Accounts, OpenAccount


class Application(Protocol):
    """What the choices need of the application."""

    folders: Folders

    def ask_to_sign_in(self, trouble: str) -> None:
        """Show the sign-in screen."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done, and with which account."""

    act: Literal["show", "add", "sign out"]
    account: OpenAccount | None = None


async def choose(accounts: Accounts, app: Application) -> None:
    """Ask what to do, and do it."""
    wish: Wish | None = await accounts.app.push_screen_wait(
        Chooser(
            "Organisations", _choices(accounts), hint="which one? Alt+1, Alt+2… go there at once"
        )
    )
    if wish is None:
        return
    if wish.account is None:
        app.ask_to_sign_in("")
    elif wish.act == "show":
        accounts.show(wish.account)
    else:
        await _sign_out(accounts, wish.account, app)


def _choices(accounts: Accounts) -> list[Choice[Wish]]:
    """The accounts in their order, then what else can be done."""
    found = [
        Choice(value=Wish("show", each), label=f"{at} {each.line.name}", detail=_about(each))
        for at, each in enumerate(accounts.all, 1)
    ]
    found.append(Choice(value=Wish("add"), label="Add an account…", detail="sign in to another"))
    found += [
        Choice(
            value=Wish("sign out", each),
            label=f"Sign out of {each.line.name}…",
            detail=each.line.email,
        )
        for each in accounts.all
    ]
    return found


def _about(account: OpenAccount) -> str:
    line = account.line
    count = f" · {line.count} unread" if line.count else ""
    return f"{line.email}{count}{'' if line.is_live else ' · offline'}"


async def _sign_out(accounts: Accounts, account: OpenAccount, app: Application) -> None:
    name = account.line.name
    sure = await accounts.app.push_screen_wait(
        Question(
            f"Sign out of {name}?",
            "Its key is deleted from this machine, and it is not opened at start any more."
            " What you wrote and did not send there is kept for when you sign in again.",
            yes="Sign out",
        )
    )
    if not sure:
        return
    accounts.close(account)
    files.forget(app.folders, account.path)
    if not accounts.all:
        app.ask_to_sign_in("")
