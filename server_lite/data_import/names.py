"""Names and addresses that accounts and channels can have here, out of what they were called elsewhere. Pure."""

import re
import unicodedata
from collections import Counter
from typing import Final

from server_lite.access.accounts import MAX_NAME
from server_lite.access.channel_settings import checked_name
from server_lite.errors import ApiError
from server_lite.store.channels import name_key

_ADDRESS: Final = re.compile(r"[A-Za-z0-9.+_-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
_NOT_IN_NAMES: Final = frozenset('*`\\>"@|')
_CONTROLS: Final = ("Cc", "Cs", "Co", "Cf", "Zl", "Zp")
LONGEST_CHANNEL: Final = 60


class AccountNames:
    """Full names and addresses, each address given once."""

    def __init__(self, domain: str) -> None:
        self._domain = domain
        """Of the addresses of people whose own are not known."""
        self._addresses = set[str]()
        self._names: Counter[str] = Counter()
        self.made_up = 0
        """How many addresses of people were made up."""

    def name(self, given: str) -> str:
        """A full name; several people may share it."""
        kept = "".join(
            c for c in given if c not in _NOT_IN_NAMES and unicodedata.category(c) not in _CONTROLS
        )
        name = " ".join(kept.split())[:MAX_NAME].strip() or "Unknown"
        self._names[name.casefold()] += 1
        return name

    def mention(self, name: str, number: int) -> str:
        """How a message mentions somebody with this name."""
        return f"@**{name}|{number}**" if self._names[name.casefold()] > 1 else f"@**{name}**"

    def address(self, given: str, user_name: str, *, is_bot: bool) -> str:
        """The address, if it is one that nobody has; else one that is made of the user name."""
        if not _ADDRESS.fullmatch(given) or given.lower() in self._addresses:
            self.made_up += not is_bot
            local = re.sub(r"[^a-z0-9._-]+", "-", user_name.lower())[:40].strip("-.")
            given = f"{local or 'account'}@{self._domain}"
            if given in self._addresses:
                given = f"account-{len(self._addresses) + 1}@{self._domain}"
        self._addresses.add(given.lower())
        return given


class ChannelNames:
    """Names of channels, each given once."""

    def __init__(self) -> None:
        self._taken = set[str]()

    def name(self, given: str) -> str:
        """A name that a channel can have, and none has yet."""
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
