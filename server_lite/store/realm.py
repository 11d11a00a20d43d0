"""The organisation's settings as values: names, defaults. SQL only through `settings`; decides nothing."""

from typing import Final

from server_lite.store import settings
from server_lite.store.connection import Db

DEFAULT_DOMAIN: Final = "chinwag.local"


def domain(db: Db) -> str:
    """Where made-up addresses of this organisation live; no mail is ever delivered there."""
    name: str = settings.value(db, "domain", DEFAULT_DOMAIN)
    return name
