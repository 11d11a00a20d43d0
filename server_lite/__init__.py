"""Chinwag's chat server: the whole API on one SQLite file. Shares nothing with the client but the wire."""

from typing import Final

from typing_extensions import TypedDict

VERSION: Final = "0.1.0"

FEATURE_LEVEL: Final = 496
"""The API's feature level that this server supports; clients decide by it which features they use."""

ECOSYSTEM_VERSION: Final = "12.0-chinwag"
"""Existing clients check this version number (`zulip_version`) before anything else."""


class Versions(TypedDict):
    """The server's versions, under the API's names and Zulip's."""

    service_feature_level: int
    zulip_feature_level: int
    zulip_version: str
    zulip_merge_base: str


def server_versions() -> Versions:
    """Return the feature level under both names that clients read."""
    return {
        "service_feature_level": FEATURE_LEVEL,
        "zulip_feature_level": FEATURE_LEVEL,
        "zulip_version": ECOSYSTEM_VERSION,
        "zulip_merge_base": ECOSYSTEM_VERSION,
    }
