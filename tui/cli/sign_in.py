"""`chinwag login` and `chinwag logout`: signs an account in and out on this machine.

Secrets come from the environment, the terminal or standard input: other people on this machine can see the
arguments of commands.
"""

import argparse
import asyncio
import os
import sys

from tui import accounts
from tui.accounts import Account
from tui.cli import output, prompts
from tui.cli.account import zuliprc_of
from tui.commands import devices, sign_in, sign_out
from tui.commands.sign_in import Offer
from tui.commands.single_sign_on import OneTimePad
from tui.config import Folders
from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError

VARIABLE = "CHINWAG_SECRET"
"""The environment variable with the password, key, token or address of the browser."""


def login(arguments: argparse.Namespace, here: Folders) -> int:
    """Sign in, and make it the account that opens next time."""
    account = asyncio.run(kept(here, _account(arguments)))
    output.show(f"{account.email} at {account.site}")
    return 0


def logout(arguments: argparse.Namespace, here: Folders) -> int:
    """Ask unless told not to, and sign the account out on this machine."""
    path = zuliprc_of(arguments, here)
    account = accounts.read_zuliprc(path)
    if not arguments.yes:
        output.print_notice(f"Sign out {account.email} at {account.site}?")
        output.print_notice(sign_out.consequences(here, account))
        if not sys.stdin.isatty():
            raise ConfigError("confirmation needs a terminal; use --yes to skip it")
        output.prompt("Type yes to continue: ")
        if sys.stdin.readline().strip().casefold() != "yes":
            return 1
    asyncio.run(sign_out.sign_out(here, path, account))
    return 0


async def kept(here: Folders, account: Account) -> Account:
    """Save the account as the one that opens next time, and register this device; return it."""
    path = sign_in.keep(here, account)
    accounts.add(here, path)
    await devices.enrol(here, account)
    return account


def _account(arguments: argparse.Namespace) -> Account:
    """Ask between the requests: within one, Ctrl+C would not end the question."""
    site: str = arguments.site
    http: bool = arguments.http
    match arguments.by:
        case "page":
            return _by_page(asyncio.run(sign_in.ask(site, allow_http=http)), arguments.page)
        case "token":
            token = secret("Token")
            return asyncio.run(sign_in.by_token(site, token, allow_http=http))
        case "name":
            offer = asyncio.run(sign_in.ask(site, allow_http=http))
            return asyncio.run(sign_in.by_name(offer.base_url, _email(arguments)))
        case "key":
            email, key = _email(arguments), secret("API key")
            return asyncio.run(sign_in.by_key(site, email, key, allow_http=http))
        case _:
            email, password = _email(arguments), secret("Password")
            return asyncio.run(sign_in.by_password(site, email, password, allow_http=http))


def _by_page(offer: Offer, name: str | None) -> Account:
    pages = [each for each in offer.pages if name in (None, each.name, each.display_name)]
    if len(pages) != 1:
        names = ", ".join(sanitize_line(each.name) for each in offer.pages)
        raise ConfigError(
            f"name the page with --page: {names}." if names else "it has no sign-in page."
        )
    pad = OneTimePad.new()
    output.print_notice("Open this page in a browser, and sign in there:")
    output.print_notice(sanitize_line(pad.address(offer.base_url, pages[0].login_url)))
    output.print_notice(
        "Then paste the address that the browser is redirected to (zulip://login?…)."
    )
    while True:
        pasted = secret("Address")
        try:
            return asyncio.run(sign_in.by_browser(offer, pad, pasted))
        except ConfigError as error:
            if VARIABLE in os.environ or not prompts.is_somebody_there():
                raise
            output.print_notice(str(error))  # a wrong paste does not require signing in again


def _email(arguments: argparse.Namespace) -> str:
    if not arguments.email and not prompts.is_somebody_there():
        raise ConfigError("--email is required.")
    return str(arguments.email or prompts.ask("Your email address", "--email"))


def secret(name: str) -> str:
    """Read a secret from the environment, the terminal (without echo), or a line of standard input."""
    given = os.environ.get(VARIABLE)
    if given is None:
        there = prompts.is_somebody_there()
        given = prompts.ask_secret(name) if there else sys.stdin.readline()
    if not given.strip():
        raise ConfigError(
            f"the {name.lower()} is missing: give it on standard input or in {VARIABLE}."
        )
    return given.rstrip("\r\n")
