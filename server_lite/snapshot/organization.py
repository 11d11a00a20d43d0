"""Snapshot: the organization's objects beside its settings: emoji, bots … Reads only."""

from collections.abc import Mapping
from typing import Final

from server_lite.access.bots import bots_of
from server_lite.events.server import BY_PROVIDER
from server_lite.ids import UserId
from server_lite.objects.bots import bot_object
from server_lite.objects.encoded import array, kept
from server_lite.objects.organization import (
    domain_objects,
    emoji_map,
    linkifier_objects,
    playground_objects,
)
from server_lite.objects.profile_fields import TYPES, field_objects
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import users, video_call_tokens
from server_lite.store.connection import Db


def linkifiers(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return linkifiers; empty for clients without URL templates, and for visitors."""
    is_told = request.shape.linkifier_url_template and not request.is_anonymous
    return {"realm_linkifiers": linkifier_objects(db) if is_told else []}


def filters(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return no `realm_filters`, the name of linkifiers before they had URL templates."""
    return {"realm_filters": []}


def bots(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return bots that the user manages: their own, or all for administrators."""
    encoded = db.cached(_all_bots)
    return {"realm_bots": array(encoded[bot.id] for bot in bots_of(db, request.user))}


def _all_bots(db: Db) -> Mapping[UserId, bytes]:
    return {bot.id: kept(bot_object(db, bot)) for bot in users.all_bots(db)}


def emoji(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the custom emoji by ID."""
    return {"realm_emoji": emoji_map(db)}


def fields(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return custom profile fields, and the types of fields."""
    return {
        "custom_profile_fields": [] if request.is_anonymous else field_objects(db),
        "custom_profile_field_types": TYPES,
    }


def playgrounds(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the code playgrounds; none for visitors."""
    return {"realm_playgrounds": [] if request.is_anonymous else playground_objects(db)}


def domains(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the allowed domains; none for visitors."""
    return {"realm_domains": [] if request.is_anonymous else domain_objects(db)}


def calls(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return for which video call providers the user has a token."""
    mine = video_call_tokens.providers_of(db, request.user.id)
    return {f"has_{name}_token": name in mine for name in BY_PROVIDER}


SECTIONS: Final[dict[str, Section]] = {
    "realm_linkifiers": linkifiers,
    "realm_filters": filters,
    "realm_bot": bots,
    "realm_emoji": emoji,
    "custom_profile_fields": fields,
    "realm_playgrounds": playgrounds,
    "realm_domains": domains,
    "video_calls": calls,
}
