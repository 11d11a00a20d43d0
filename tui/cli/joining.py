"""`chinwag join`: an account by an invitation link. Missing and refused answers are asked for again."""

import argparse
import asyncio
import os

from tui.accounts import Account
from tui.cli import output, prompts
from tui.cli.sign_in import VARIABLE, kept, secret
from tui.commands import joining
from tui.commands.joining import Field, Invitation, NotAccepted
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError


def join(arguments: argparse.Namespace, here: Folders) -> int:
    """Show the invitation, ask for name, email and password, and create the account."""
    invitation = asyncio.run(joining.look(arguments.link, allow_http=arguments.http))
    realm = sanitize_line(invitation.says.realm_name)
    output.print_notice(f"You are invited to {realm}, at {invitation.base_url.text}.")
    given = {"full_name": arguments.name, "email": arguments.email or invitation.says.email}
    answers: dict[Field, str] = {
        field: text for field in joining.FIELDS if (text := given.get(field))
    }
    asks = prompts.is_somebody_there() and VARIABLE not in os.environ
    while True:
        _fill(answers, invitation, asks=asks)
        if asks:
            output.print_notice(
                "Creating your account…"
            )  # hashing a password takes a slow server a while
        try:
            account = asyncio.run(_join(here, invitation, answers))
        except NotAccepted as error:
            if not asks:
                raise
            output.print_notice(str(error))
            if error.has_account:
                site = invitation.base_url.text
                output.print_notice(f"If that account is yours, run: chinwag login {site}")
            _forget(answers, error.field, arguments)
        except ConfigError as error:
            if not asks:
                raise
            output.print_notice(str(error))
            prompts.pause("Press Enter to try again, or Ctrl+C to stop")
        else:
            output.show(f"{account.email} at {account.site}")
            return 0


async def _join(here: Folders, invitation: Invitation, answers: dict[Field, str]) -> Account:
    account = await joining.join(
        invitation,
        full_name=answers["full_name"],
        email=answers["email"],
        password=answers["password"],
    )
    return await kept(here, account)


def _fill(answers: dict[Field, str], invitation: Invitation, *, asks: bool) -> None:
    """Ask for the missing answers."""
    if "full_name" not in answers:
        answers["full_name"] = prompts.ask("Your name", "--name")
    if "email" not in answers:
        answers["email"] = prompts.ask("Your email address", "--email")
    if "password" not in answers:
        shortest = invitation.says.password_min_length
        answers["password"] = (
            prompts.new_password(shortest=shortest) if asks else secret("Password")
        )


def _forget(
    answers: dict[Field, str],
    field: Field | None,
    arguments: argparse.Namespace,
) -> None:
    """Forget a refused answer, so that it is asked for again; the others are kept."""
    if field is not None:
        del answers[field]
        return
    # The error names no field: the invitation may have ended, which looking at it again shows.
    asyncio.run(joining.look(arguments.link, allow_http=arguments.http))
    for known, what in (("full_name", "Your name"), ("email", "Your email address")):
        answers[known] = prompts.ask(what, "", suggested=answers[known])  # type: ignore[index]  # both are fields
    del answers["password"]
