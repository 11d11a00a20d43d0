"""Prepares a new user's account: default channels and recent history. Checks no permissions: callers did.

New users have no messages yet, but an empty chat is a poor start. As on a full server, the newest messages of
their channels become part of their history, a few of them unread; so does the tour of the organization.
"""

from collections.abc import Sequence
from typing import Final

from server_lite.access.channels import reads_whole_history
from server_lite.actions.flags import clear_flag
from server_lite.actions.subscriptions import subscribe_newcomers
from server_lite.ids import ChannelId
from server_lite.store import channels, flags, messages
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

HISTORY_SECONDS: Final = 12 * 7 * 24 * 3600
"""Maximum age of messages added to the history; older ones are found in their channels."""
MOST_HISTORY: Final = 1000
MOST_UNREAD: Final = 20
"""Maximum of unread messages: enough to see current topics, without a backlog on the first day."""


def welcome(
    tx: Tx, user: UserRow, *, defaults: bool = True, also: Sequence[ChannelRow] = ()
) -> None:
    """Subscribe a user created in this transaction to the default channels (guests to none) and to `also`, with recent history."""
    rows = {row.id: row for row in also}
    if defaults and not user.is_guest:
        rows |= {row.id: row for row in channels.defaults(tx)}
    if rows:
        subscribe_newcomers(tx, list(rows.values()), [user])
        _give_history(tx, user, [row.id for row in rows.values() if reads_whole_history(row)])


def _give_history(tx: Tx, user: UserRow, channel_ids: Sequence[ChannelId]) -> None:
    recent = messages.newest_in_channels(tx, channel_ids, tx.now - HISTORY_SECONDS, MOST_HISTORY)
    tour = messages.sent_at_founding(tx, channel_ids)
    flags.add(tx, user.id, flags.HISTORICAL, sorted({*recent, *tour}))
    clear_flag(tx, user, flags.READ, sorted({*recent[-MOST_UNREAD:], *tour}))
