"""Several accounts side by side: unread counts, and one inbox for all. Pure functions."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NewType

from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.narrow import Conversation, DmNarrow
from tui.store.store import Store
from tui.view.overview import HEADINGS, OverviewRow, heading_row, unread_places
from tui.view.unread_counts import UnreadCounts

AccountName = NewType("AccountName", str)
"""Identifies an open account while the program runs."""

MOST: Final = 200
"""Most conversations listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLine:
    """An account in the list of open accounts."""

    name: str
    """Name of the organization; texts are sanitized."""
    email: str
    count: int = 0
    """Unread messages that are not muted."""
    is_urgent: bool = False
    """Whether some of them are direct messages or mentions."""
    is_shown: bool = False
    is_live: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadRow:
    """A conversation with unread messages in one of the accounts, or a heading."""

    account: AccountName | None
    row: OverviewRow

    @property
    def conversation(self) -> Conversation | None:
        return self.row.conversation

    @property
    def key(self) -> Hashable:
        return (self.account, self.row.key)

    @property
    def revision(self) -> OverviewRow:
        return self.row

    @property
    def selectable(self) -> bool:
        return self.row.selectable

    def estimate(self, width: int) -> int:
        """Estimate the row's height in lines, before it is drawn."""
        return self.row.estimate(width)


def line(
    store: Store | None,
    counts: UnreadCounts,
    *,
    site: str,
    email: str,
    shown: bool,
    live: bool,
) -> AccountLine:
    """Return the line of an account; without a snapshot it has its server's host as name."""
    if store is None:
        host = sanitize_line(site.partition("//")[2].rstrip("/"))
        return AccountLine(name=host, email=sanitize_line(email), is_shown=shown, is_live=live)
    return AccountLine(
        name=organization(store),
        email=sanitize_line(email),
        count=counts.inbox,
        is_urgent=counts.personal > 0,
        is_shown=shown,
        is_live=live,
    )


def organization(store: Store) -> str:
    """Return the organization's name."""
    return sanitize_line(store.realm.settings.name) or "Chinwag"


def has_urgent(store: Store) -> bool:
    """Whether the account has unread direct messages or mentions."""
    return any(_is_urgent(store, place) for place in unread_places(store))


def _is_urgent(store: Store, place: Conversation) -> bool:
    return isinstance(place, DmNarrow) or bool(store.unread_mentions(place))


def merged(inboxes: Mapping[AccountName, tuple[str, Sequence[OverviewRow]]]) -> list[UnreadRow]:
    """Return one inbox of several: the headings in order, below each the largest conversations first.

    `inboxes` are the names of the organizations and the rows of `overview.inbox`.
    """
    groups: dict[str, list[UnreadRow]] = {heading: [] for heading in HEADINGS}
    for account, (name, rows) in inboxes.items():
        heading = ""
        for row in rows:
            if row.conversation is None:
                heading = row.place if row.place in groups else HEADINGS[-1]
            else:
                account_row = replace(row, place=f"{name} · {row.place}")
                groups[heading].append(UnreadRow(account=account, row=account_row))
    unread_rows: list[UnreadRow] = []
    for heading, under in groups.items():
        if under:
            title = heading_row(heading, is_first=not unread_rows)
            unread_rows.append(UnreadRow(account=None, row=title))
            unread_rows += sorted(under, key=lambda each: -each.row.count)
    return unread_rows[:MOST]
