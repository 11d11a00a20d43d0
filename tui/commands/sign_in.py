"""Ways to become signed in: each ends with an account that the server has confirmed. No Textual."""

import asyncio
import json
import sys
from pathlib import Path

from tui.accounts import Account, path_for, remember, remember_local, write_zuliprc
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.api.routes import credentials, server, users
from tui.config import Folders, private_folder
from tui.errors import ConfigError


def connect(account: Account) -> Connection:
    """A connection in the account's name. Plain http is used where the account's site says so."""
    base_url = parse_base_url(account.site, allow_http=True)
    return Connection(base_url, credentials=Credentials(account.email, account.key))


async def by_password(site: str, email: str, password: str, *, allow_http: bool) -> Account:
    """An account by e-mail and password; raises the errors of the two requests."""
    base_url = parse_base_url(site, allow_http=allow_http)
    connection = Connection(base_url, credentials=None)
    try:
        await server.settings(connection)  # tells a wrong address from a wrong password
        found = await credentials.fetch_api_key(
            connection, username=email.strip(), password=password
        )
    finally:
        await connection.aclose()
    return Account(site=base_url.text, email=found.email, key=found.api_key)


async def by_key(site: str, email: str, key: str, *, allow_http: bool) -> Account:
    """An account by e-mail and API key, confirmed by asking who that is."""
    base_url = parse_base_url(site, allow_http=allow_http)
    account = Account(site=base_url.text, email=email.strip(), key=key.strip())
    await _confirm(account)
    return account


async def by_zuliprc(account: Account) -> Account:
    """An account from a file that another client or bot uses too, confirmed likewise."""
    await _confirm(account)
    return account


async def _confirm(account: Account) -> None:
    connection = connect(account)
    try:
        await server.settings(connection)
        await users.get_own(connection)
    finally:
        await connection.aclose()


def keep(folders: Folders, account: Account) -> Path:
    """Store the account and make it the one that opens next time; returns its file."""
    path = path_for(folders, account)
    write_zuliprc(path, account)
    remember(folders, path)
    return path


async def local_zuliprc(folders: Folders) -> Path:
    """The owner's zuliprc on this machine's own server, which is started if it does not run.

    The server is another program: it is asked by command line and answers with one line of JSON.
    """
    private_folder(folders.data)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server_lite",
        "local",
        "--data-dir",
        str(folders.data),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await process.communicate()
    finally:
        if process.returncode is None:  # nobody waits for the answer any more
            process.terminate()
            await process.communicate()
    if process.returncode != 0:
        words = err.decode(errors="replace").strip().splitlines()
        raise ConfigError(words[-1] if words else "The server on this machine did not start.")
    try:
        path = Path(json.loads(out)["zuliprc"])
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            "The server on this machine gave an answer that makes no sense."
        ) from error
    remember_local(folders, path)
    return path
