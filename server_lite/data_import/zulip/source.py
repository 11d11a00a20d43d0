"""The export of a full Zulip server as a source of records, in the order of the plain form. Reads only."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from server_lite.data_import.digest import digest_of
from server_lite.data_import.source import Named, Placed, number_of, walk
from server_lite.data_import.zulip.channels import channels, folders
from server_lite.data_import.zulip.dump import Dump
from server_lite.data_import.zulip.groups import groups
from server_lite.data_import.zulip.messages import Messages
from server_lite.data_import.zulip.numbers import Numbers
from server_lite.data_import.zulip.organization import organization, settings_records
from server_lite.data_import.zulip.people import people
from server_lite.data_import.zulip.receipts import Receipts
from server_lite.data_import.zulip.uploads import Files
from server_lite.export import format as form
from server_lite.store.backups import Tell

FOLLOWS: Final = frozenset({"zerver_huddle", "zerver_presencesequence"})
"""Tables that only repeat others."""
UNREAD: Final = {
    "zerver_botconfigdata": "configurations of bots",
    "zerver_botstoragedata": "what bots remember",
    "zerver_mutedtopic": "topics muted in versions up to 5",
    "zerver_navigationview": "navigation views",
    "zerver_realmauditlog": "entries of the audit log",
    "zerver_realmauthenticationmethod": "sign-in methods",
    "zerver_service": "addresses of outgoing webhooks",
    "zerver_useractivity": "records of activity",
    "zerver_useractivityinterval": "records of activity",
}
"""Tables that are left out."""


class ZulipExport:
    """`Source` for a folder with the layout of a full server's export; `path` is the file as given."""

    def __init__(self, path: Path, folder: Path, work: Path) -> None:
        self.path = path
        self.numbers_stay = True
        self.left_out: Counter[str] = Counter()
        self._folder = folder
        self._work = work
        self._files: Files | None = None
        self._numbers: Numbers | None = None
        self._origin = ""

    def records(self, tell: Tell) -> Iterator[Placed]:
        """Yield all records. A first pass over the messages derives the periods of subscriptions."""
        dump = Dump(self._folder, self._work)
        dump.split()
        numbers = self._numbers = Numbers(dump)
        for _, realm in dump.raw("zerver_realm"):
            self._origin = f"zulip {realm.get('uuid') or realm.get('date_created')}"
        files = self._files = Files(dump, numbers, self.left_out)
        receipts = Receipts(dump, numbers, walk(tell, 0, 40))
        messages = Messages(dump, numbers, receipts, self.left_out)
        yield from organization(dump, numbers)
        yield from settings_records(dump, self.left_out)
        yield from people(dump, numbers, files.pictures, self.left_out)
        yield from groups(dump, numbers)
        yield from folders(dump, numbers)
        yield from channels(dump, numbers, receipts)
        yield from files.emoji()
        yield from messages.scheduled()
        yield from files.uploads()
        yield from messages.records(walk(tell, 40, 100))
        for table, number in dump.unread().items():
            if table not in FOLLOWS:
                self.left_out[UNREAD.get(table, f"rows of {table}")] += number

    def find(self, kind: Literal["uploads", "emoji", "avatars"], number: int) -> Path:
        """Return the path of a file, an emoji or an avatar."""
        assert self._files is not None
        return self._files.find(kind, number)

    def digest(self) -> str:
        """Return the digest of all files by their paths, equal for an archive and its folder."""
        return digest_of(self._folder)

    def origin(self) -> str:
        """Identify the organization by the permanent ID that a full server assigns."""
        return self._origin

    def key(self, record: Named) -> str:
        """Return the export's own IDs, before some of them were changed."""
        if isinstance(record, form.Person) and self._numbers is not None:
            return str(self._numbers.account(record.id))
        return number_of(record)
