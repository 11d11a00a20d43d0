"""Connections in an account's name. Sends nothing."""

from tui.accounts import Account
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials


def connect(account: Account) -> Connection:
    """Return a connection in the account's name. Plain http is used where the account's site says so."""
    base_url = parse_base_url(account.site, allow_http=True)
    return Connection(base_url, credentials=Credentials(account.email, account.key))
