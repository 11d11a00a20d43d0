"""Which actions of `tui.keys` and pages the server lacks: not offered, explained where asked for. Pure."""

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
"""Textual's action string -> what the server has to have for it."""


def lacks(store: Store, action: str) -> Feature | None:
    """What the server would have to have for an action and has not."""
    needed = NEEDS.get(action)
    if needed is None or needed.is_in(store.realm.feature_level):
        return None
    return needed


def check(store: Store, action: str) -> None:
    """Raise NotSupported, with the sentence for people, if the server lacks what an action needs."""
    lacking = lacks(store, action)
    if lacking is not None:
        raise NotSupported(action, lacking.sentence, status=404)
