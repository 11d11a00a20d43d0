"""Derives periods of subscriptions from the received messages, in a first pass over all of them.

An export contains who is subscribed, not since when. Access to the history of a private channel depends
on that, so the periods are those in which a user received every message, and never longer.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from server_lite.data_import.checked import checked
from server_lite.data_import.json_rows import rows as json_rows
from server_lite.data_import.zulip import rows
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.numbers import Numbers
from server_lite.errors import StartError
from server_lite.ids import ChannelId
from server_lite.store.backups import Tell

HISTORICAL: Final = 1024
Period = tuple[int, int | None]
_Member = tuple[int, ChannelId]


def message_files(dump: Dump) -> Iterator[str]:
    """Yield their names: numbered from 1, up to the first that is missing."""
    number = 1
    while dump.has(name := f"messages-{number:06}.json"):
        yield name
        number += 1


def received_row(row: object, name: str) -> tuple[int, int, int]:
    """Return (account, message, flags) of a row of zerver_usermessage, by far the largest table."""
    if isinstance(row, dict):
        account, message, mask = row.get("user_profile"), row.get("message"), row.get("flags_mask")
        if type(account) is type(message) is type(mask) is int and 0 <= mask < 2**53:
            return account, message, mask
    raise StartError(f"A row of zerver_usermessage in {name} is not valid.")


class Receipts:
    """Subscriptions derived from messages, and which messages exist."""

    def __init__(self, dump: Dump, numbers: Numbers, tell: Tell) -> None:
        self._numbers = numbers
        self._since: dict[ChannelId, dict[int, int]] = defaultdict(dict)
        self._past: dict[_Member, list[Period]] = defaultdict(list)
        self._last: dict[ChannelId, int] = {}
        self._ids = array("q")
        self._idle = {
            numbers.person(row.id, where)
            for where, row in dump.table("zerver_userprofile", rows.Profile)
            if row.long_term_idle
        }
        names = list(message_files(dump))
        for done, name in enumerate(names):
            self._survey(dump, name)
            tell(done, len(names))
        if any(later < earlier for earlier, later in zip(self._ids, self._ids[1:], strict=False)):
            self._ids = array("q", sorted(self._ids))

    def __len__(self) -> int:
        return len(self._ids)

    def has_message(self, number: int) -> bool:
        """Whether the export contains the message: partial exports have reactions to others, too."""
        at = bisect_left(self._ids, number)
        return at < len(self._ids) and self._ids[at] == number

    def _survey(self, dump: Dump, name: str) -> None:
        messages: list[tuple[int, ChannelId | None]] = []
        received: dict[int, array[int]] = {}
        for table, row in json_rows(dump.path(name)):
            if table == "zerver_message":
                message = checked(rows.Message, row, f"A row of {table} in {name}")
                place = self._numbers.place(message.recipient, f"Message {message.id}")
                messages.append((message.id, place.channel))
            elif table == "zerver_usermessage":
                account, number, mask = received_row(row, name)
                if not mask & HISTORICAL:
                    person = self._numbers.person(account, name)
                    received.setdefault(number, array("q")).append(person)
        for number, channel in messages:
            self._ids.append(number)
            if channel is not None:
                self._receive(number, channel, set(received.get(number, ())))

    def _receive(self, number: int, channel: ChannelId, people: set[int]) -> None:
        since = self._since[channel]
        for person in people - since.keys():
            since[person] = number - 1
        for person in since.keys() - people - self._idle:
            self._past[person, channel].append((since.pop(person), self._last[channel]))
        self._last[channel] = number

    def periods(self, person: int, channel: ChannelId, *, is_active: bool) -> list[Period]:
        """Return (after this message, up to this one) of a subscription's periods; None: still subscribed."""
        periods = list(self._past.get((person, channel), ()))
        since = self._since[channel].get(person)
        last = self._last.get(channel, 0)
        if since is not None:
            periods.append((since, None if is_active else last))
        elif is_active:
            newest = self._ids[-1] if self._ids else 0
            periods.append((newest, None))
        return periods
