"""`chinwag join`: an account by an invitation's link. What is missing is asked for at the terminal."""

import argparse
import asyncio
import sys

from tui.cli.sign_in import kept, print_line, secret
from tui.commands import joining
from tui.commands.joining import Invitation
from tui.config import Folders
from tui.content.sanitise import sanitise_line
from tui.errors import ConfigError


def join(arguments: argparse.Namespace, here: Folders) -> int:
    """Say where one is invited to, ask who one is, and come."""
    account = asyncio.run(_joined(arguments, here))
    print_line(account)
    return 0


async def _joined(arguments: argparse.Namespace, here: Folders) -> str:
    invitation = await joining.look(arguments.link, allow_http=arguments.http)
    realm = sanitise_line(invitation.says.realm_name)
    sys.stderr.write(f"You are invited to {realm}, at {invitation.base_url.text}.\n")
    account = await joining.join(
        invitation,
        full_name=arguments.name or _asked("Your name", "--name"),
        email=_email(arguments, invitation),
        password=secret("Password"),
    )
    await kept(here, account)
    return f"{account.email} at {account.site}"


def _email(arguments: argparse.Namespace, invitation: Invitation) -> str:
    given: str | None = arguments.email or invitation.says.email
    return given or _asked("Your e-mail address", "--email")


def _asked(what: str, option: str) -> str:
    if not sys.stdin.isatty():
        raise ConfigError(f"nobody is there to ask: give {option}.")
    sys.stderr.write(f"{what}: ")
    sys.stderr.flush()
    typed = sys.stdin.readline().strip()
    if not typed:
        raise ConfigError(f"{what.lower()} is needed.")
    return typed
