"""Snapshot: the user's drafts, snippets, scheduled messages, reminders, views. Reads only."""

from typing import Final

from server_lite.objects.personal import (
    draft_object,
    reminder_object,
    scheduled_object,
    snippet_object,
    view_object,
)
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import drafts as draft_rows
from server_lite.store import navigation_views as views
from server_lite.store import saved_snippets as snippet_rows
from server_lite.store import scheduled_messages as put_off
from server_lite.store.connection import Db
from server_lite.store.personal_settings import setting


def drafts(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the user's drafts; none if synchronizing is disabled."""
    if not setting(request.user, "enable_drafts_synchronization"):
        return {"drafts": []}
    return {"drafts": [draft_object(row) for row in draft_rows.of_user(db, request.user.id)]}


def saved_snippets(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the user's saved snippets."""
    rows = snippet_rows.of_user(db, request.user.id)
    return {"saved_snippets": [snippet_object(row) for row in rows]}


def scheduled_messages(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the user's scheduled messages, failed ones included."""
    objects = [
        scheduled_object(row) for row in put_off.of_user(db, request.user.id, reminders=False)
    ]
    for one in objects:
        if "topic" in one:
            one["topic"] = request.shape.topic(one["topic"])
    return {"scheduled_messages": objects}


def reminders(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the user's reminders."""
    rows = put_off.of_user(db, request.user.id, reminders=True)
    return {"reminders": [reminder_object(row) for row in rows]}


def navigation_views(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the views of the user's sidebar."""
    return {"navigation_views": [view_object(row) for row in views.of_user(db, request.user.id)]}


SECTIONS: Final[dict[str, Section]] = {
    "drafts": drafts,
    "saved_snippets": saved_snippets,
    "scheduled_messages": scheduled_messages,
    "reminders": reminders,
    "navigation_views": navigation_views,
}
