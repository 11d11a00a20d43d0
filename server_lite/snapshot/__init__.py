"""The snapshot that POST /register returns: one function per entry of `fetch_event_types`. Reads only."""

from collections.abc import Iterable
from typing import Final

from server_lite.snapshot import (
    channels,
    drafts,
    messages,
    organization,
    personal,
    presence,
    realm,
    user_groups,
    users,
)
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store.connection import Db

SECTIONS: Final[dict[str, Section]] = {
    **realm.SECTIONS,
    **organization.SECTIONS,
    **users.SECTIONS,
    **user_groups.SECTIONS,
    **presence.SECTIONS,
    **channels.SECTIONS,
    **messages.SECTIONS,
    **drafts.SECTIONS,
    **personal.SECTIONS,
}


def initial_state(
    db: Db, request: SnapshotRequest, fetch: Iterable[str] | None
) -> dict[str, object]:
    """Return the fields of every section in `fetch` (None: all); unknown names are ignored."""
    names = SECTIONS.keys() if fetch is None else set(fetch)
    # A client that requests both knows the newer form: `user_topics` contains the same and more.
    asks_for_newer = fetch is not None and "user_topic" in names
    state: dict[str, object] = {}
    for name, section in SECTIONS.items():
        if name in names and not (name == "muted_topics" and asks_for_newer):
            state |= section(db, request)
    for name, section in personal.OLD_SECTIONS.items():
        if fetch is not None and name in names:
            state |= section(db, request)
    if fetch is None or names >= {"message", "update_message_flags"}:
        state |= messages.unread(db, request)
    return state
