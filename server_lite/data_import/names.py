"""Makes valid names and addresses of accounts and channels from those of other services. Pure."""

import re
import unicodedata
from collections import Counter
from typing import Final

from server_lite.access.accounts import MAX_NAME, is_address
from server_lite.access.channel_settings import checked_name
from server_lite.errors import ApiError
from server_lite.store.channels import name_key

_ADDRESS: Final = re.compile(r"[A-Za-z0-9.+_-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
_NOT_IN_NAMES: Final = frozenset('*`\\>"@|')
_CONTROLS: Final = ("Cc", "Cs", "Co", "Cf", "Zl", "Zp")
LONGEST_CHANNEL: Final = 60


class AccountNames:
    """Full names, and unique addresses."""

    def __init__(self, domain: str) -> None:
        self._domain = domain
        """Domain of generated addresses, for users without a known one."""
        self._addresses = set[str]()
        self._names: Counter[str] = Counter()
        self.made_up = 0
        """Number of generated addresses of people."""

    def name(self, given: str) -> str:
        """Return a valid full name; names need not be unique."""
        kept = "".join(
            c for c in given if c not in _NOT_IN_NAMES and unicodedata.category(c) not in _CONTROLS
        )
        name = " ".join(kept.split())[:MAX_NAME].strip() or "Unknown"
        self._names[name.casefold()] += 1
        return name

    def mention(self, name: str, number: int) -> str:
        """Return the mention of a user with this name."""
        return f"@**{name}|{number}**" if self._names[name.casefold()] > 1 else f"@**{name}**"

    def address(self, given: str, user_name: str, *, is_bot: bool) -> str:
        """Return the address, if it is valid and unused; else one made of the username."""
        is_valid = _ADDRESS.fullmatch(given) and is_address(given)
        if not is_valid or given.lower() in self._addresses:
            self.made_up += not is_bot
            local = re.sub(r"[^a-z0-9._-]+", "-", user_name.lower())[:40].strip("-.")
            given = f"{local or 'account'}@{self._domain}"
            number = len(self._addresses) + 1
            while given in self._addresses:
                given = f"account-{number}@{self._domain}"
                number += 1
        self._addresses.add(given.lower())
        return given


class ChannelNames:
    """Unique names of channels."""

    def __init__(self) -> None:
        self._taken = set[str]()

    def name(self, given: str) -> str:
        """Return a valid and unused channel name."""
        try:
            name = checked_name(given[:LONGEST_CHANNEL])
        except ApiError:
            name = "channel"
        number, first = 2, name
        while name_key(name) in self._taken:
            name = f"{first[: LONGEST_CHANNEL - 6]} {number}"
            number += 1
        self._taken.add(name_key(name))
        return name
