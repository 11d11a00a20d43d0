"""Sign-in methods: each ends with an account that the server has confirmed. No Textual.

Errors on the way are sentences about what to do (`sign_in_errors`).
"""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from tui.accounts import Account, path_for, remember, remember_local, write_zuliprc
from tui.api.base_url import BaseUrl, parse_base_url
from tui.api.connection import Connection
from tui.api.model import UserId
from tui.api.organization import AuthenticationBackend, ServerSettings
from tui.api.routes import credentials, server, users
from tui.api.routes.credentials import ApiKey, DevUser
from tui.commands.connecting import connect
from tui.commands.sign_in_errors import as_config_errors
from tui.commands.single_sign_on import OneTimePad
from tui.config import Folders, private_folder
from tui.dataclass import dataclass
from tui.errors import ApiRefused, ConfigError
from tui.host import LOCAL, Host


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A server's settings before signing in: its sign-in methods."""

    base_url: BaseUrl
    settings: ServerSettings
    people: tuple[DevUser, ...]
    """Users for signing in without a password, on a development server."""

    @property
    def pages(self) -> tuple[AuthenticationBackend, ...]:
        """Sign-in methods that go through a page in a browser."""
        return self.settings.external_authentication_methods


async def ask(site: str, *, allow_http: bool) -> Offer:
    """Fetch the sign-in methods of a server."""
    base_url = _address(site, allow_http=allow_http)
    async with anonymous(base_url) as connection:
        settings = await server.settings(connection)
        people: tuple[DevUser, ...] = ()
        if settings.authentication_methods.get("dev", False):
            with suppress(ApiRefused):  # no sign-in by name there
                people = await credentials.list_dev_users(connection)
    return Offer(base_url=base_url, settings=settings, people=people)


async def by_password(site: str, email: str, password: str, *, allow_http: bool) -> Account:
    """Return an account by email and password."""
    base_url = _address(site, allow_http=allow_http)
    async with anonymous(base_url) as connection:
        await server.settings(connection)  # tells a wrong address from a wrong password
        answer = await credentials.fetch_api_key(
            connection, username=email.strip(), password=password
        )
    return _account(base_url, answer)


async def by_token(site: str, token: str, *, allow_http: bool) -> Account:
    """Return an account by a token that another program has signed."""
    base_url = _address(site, allow_http=allow_http)
    if not token.strip():
        raise ConfigError("Paste the token; it has two dots in it.")
    async with anonymous(base_url) as connection:
        await server.settings(connection)
        answer = await credentials.jwt_fetch_api_key(connection, token="".join(token.split()))
    return _account(base_url, answer)


async def by_name(base_url: BaseUrl, email: str) -> Account:
    """Return any account of a development server."""
    async with anonymous(base_url) as connection:
        answer = await credentials.dev_fetch_api_key(connection, username=email)
    return _account(base_url, answer)


async def by_browser(offer: Offer, pad: OneTimePad, pasted: str) -> Account:
    """Return an account by the address to which the browser was redirected in the end."""
    signed = pad.read(pasted, offer.base_url, offer.settings.realm_url)
    account = Account(site=offer.base_url.text, email=signed.email, key=signed.api_key)
    await _confirm(account)
    return account


async def by_key(site: str, email: str, key: str, *, allow_http: bool) -> Account:
    """Return an account by email and API key, confirmed by a request."""
    base_url = _address(site, allow_http=allow_http)
    account = Account(site=base_url.text, email=email.strip(), key=key.strip())
    await _confirm(account)
    return account


async def by_zuliprc(account: Account) -> Account:
    """Return an account of another client's or bot's zuliprc, confirmed by a request."""
    await _confirm(account)
    return account


def _address(site: str, *, allow_http: bool) -> BaseUrl:
    """Parse an address; without `http://` too, it is one if the user chose to connect without encryption."""
    typed = site.strip()
    is_short = allow_http and typed and "://" not in typed
    return parse_base_url(f"http://{typed}" if is_short else typed, allow_http=allow_http)


def _account(base_url: BaseUrl, answer: ApiKey) -> Account:
    return Account(site=base_url.text, email=answer.email, key=answer.api_key)


@asynccontextmanager
async def anonymous(base_url: BaseUrl) -> AsyncIterator[Connection]:
    """Open a connection without an account; its errors are those of signing in."""
    connection = Connection(base_url, credentials=None)
    try:
        with as_config_errors():
            yield connection
    finally:
        await connection.aclose()


async def user_id(account: Account) -> UserId:
    """Return the account's user ID, which stays when the email address changes."""
    connection = connect(account)
    try:
        with as_config_errors():
            return (await users.get_own(connection)).user_id
    finally:
        await connection.aclose()


async def _confirm(account: Account) -> None:
    connection = connect(account)
    try:
        with as_config_errors():
            await server.settings(connection)
            await users.get_own(connection)
    finally:
        await connection.aclose()


def keep(folders: Folders, account: Account) -> Path:
    """Save the account and make it the one that opens next time; return its file."""
    path = path_for(folders, account)
    write_zuliprc(path, account)
    remember(folders, path)
    return path


async def new_key(path: Path, account: Account) -> None:
    """Regenerate the account's API key and save it; all earlier keys stop working."""
    connection = connect(account)
    try:
        key = await credentials.regenerate_api_key(connection)
    finally:
        await connection.aclose()
    write_zuliprc(path, replace(account, key=key))


async def local_zuliprc(folders: Folders, host: Host = LOCAL) -> Path:
    """Return the owner's zuliprc on this machine's own server, which is started if it does not run.

    The server is another program: it is asked by command line and answers with one line of JSON.
    """
    host.require("programs")
    private_folder(folders.data)
    process = await host.start(
        sys.executable,
        "-P",  # files in the current folder are not trusted, and no part of the program
        "-m",
        "server_lite",
        "local",
        "--data-dir",
        str(folders.data.absolute()),
        folder=folders.data,
        gives=True,
        complains=True,
    )
    try:
        out, err = await process.communicate()
    finally:
        if process.returncode is None:  # nothing awaits its answer any more
            process.terminate()
            await process.communicate()
    if process.returncode != 0:
        error_lines = err.decode(errors="replace").strip().splitlines()
        raise ConfigError(
            error_lines[-1] if error_lines else "The server on this machine did not start."
        )
    try:
        path = Path(json.loads(out)["zuliprc"])
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError("The server on this machine sent an invalid answer.") from error
    remember_local(folders, path)
    return path
