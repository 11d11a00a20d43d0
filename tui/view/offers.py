"""Actions of `tui.keys` and pages that the server lacks: hidden, and explained when called. Pure."""

from collections.abc import Mapping
from typing import Final

from tui.api import features
from tui.api.features import Feature
from tui.errors import NotSupported
from tui.store import Store

NEEDS: Final[Mapping[str, Feature]] = {
    "writing('snippets')": features.SAVED_SNIPPETS,
    "place('keep')": features.VIEWS,
    "act('remind')": features.REMINDERS,
    "act('report')": features.REPORTS,
    "organization('channel_folders')": features.CHANNEL_FOLDERS,
    "organization('navigation_views')": features.VIEWS,
    "organization('devices')": features.DEVICES,
}
"""Textual's action string -> the server's feature that it needs."""


def lacks(store: Store, action: str) -> Feature | None:
    """Return the feature that an action needs and the server lacks; None if it has all."""
    needed = NEEDS.get(action)
    if needed is None or needed.is_in(store.realm.feature_level):
        return None
    return needed


def check(store: Store, action: str) -> None:
    """Raise NotSupported, with a sentence for the user, if the server lacks the action's feature."""
    lacking = lacks(store, action)
    if lacking is not None:
        raise NotSupported(action, lacking.sentence, status=404)
