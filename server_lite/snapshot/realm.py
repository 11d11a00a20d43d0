"""Snapshot: settings of the organization, and features of this server. Reads only.

Several sections are empty on every server of this kind; clients require them nevertheless.
"""

from collections.abc import Mapping
from typing import Final

from server_lite.config import Limits
from server_lite.integrations.integration import Integration
from server_lite.integrations.table import INTEGRATIONS, SECRET
from server_lite.objects.encoded import kept
from server_lite.objects.personal import CHOICES
from server_lite.objects.realm import realm_fields
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.personal_settings import with_defaults


def organization(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return all settings, and the server's limits; visitors get no channel IDs."""
    fields = db.cached(_encoded_fields, request.base_url, request.dev, request.limits)
    if request.is_anonymous:
        return {**fields, **{f"realm_{name}": realm.NO_CHANNEL for name in realm.CHANNEL_SETTINGS}}
    return {**fields}


def _encoded_fields(db: Db, base_url: str, dev: bool, limits: Limits) -> Mapping[str, bytes]:
    fields = realm_fields(db, base_url=base_url, dev=dev, limits=limits)
    return {name: kept(value) for name, value in fields.items()}


def defaults(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the default personal settings of new users."""
    values = with_defaults(realm.default_personal_settings(db))
    return {"realm_user_settings_defaults": {**values, **CHOICES}}


def _webhook(integration: Integration) -> dict[str, object]:
    """Return a service, with the options of its bot and its URL."""
    options = [(option.key, option.label) for option in integration.config_options]
    if integration.verify is not None:
        options = [(SECRET, "Webhook secret"), *options]
    branches = {"key": "branches", "label": "Branches", "input_type": "text"}
    return {
        "name": integration.name,
        "display_name": integration.display_name,
        "all_event_types": sorted(integration.events) or None,
        "config_options": [
            {"key": key, "label": label, "validator": "check_string"} for key, label in options
        ],
        "url_options": [branches] if integration.has_branches else [],
    }


def _always(**fields: object) -> Section:
    """Return a section that is the same for all users."""

    def section(db: Db, request: SnapshotRequest) -> dict[str, object]:
        return dict(fields)

    return section


SECTIONS: Final[dict[str, Section]] = {
    "realm": organization,
    "realm_user_settings_defaults": defaults,
    "realm_embedded_bots": _always(realm_embedded_bots=[]),
    "realm_incoming_webhook_bots": _always(
        realm_incoming_webhook_bots=[_webhook(each) for each in INTEGRATIONS.values()]
    ),
    "realm_billing": _always(realm_billing={"has_pending_sponsorship_request": False}),
    "stop_words": _always(stop_words=[]),
    "giphy": _always(giphy_api_key=""),
    "tenor": _always(tenor_api_key=""),
    "onboarding_steps": _always(onboarding_steps=[], navigation_tour_video_url=None),
}
