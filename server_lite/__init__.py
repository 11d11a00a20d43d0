"""Chinwag's chat server: the whole API on one SQLite file. Shares nothing with the client but the wire."""

from typing import Final

from typing_extensions import TypedDict

VERSION: Final = "0.1.0"

FEATURE_LEVEL: Final = 496
"""The level of the API that this server speaks; clients choose what they use by it."""

ECOSYSTEM_VERSION: Final = "12.0-chinwag"
"""Existing clients read a server version of the ecosystem (`zulip_version`) before anything else."""


class Versions(TypedDict):
    """What the server is, under the API's names and the ecosystem's."""

    service_feature_level: int
    zulip_feature_level: int
    zulip_version: str
    zulip_merge_base: str


def server_versions() -> Versions:
    """The level of the API under both names that clients read."""
    return {
        "service_feature_level": FEATURE_LEVEL,
        "zulip_feature_level": FEATURE_LEVEL,
        "zulip_version": ECOSYSTEM_VERSION,
        "zulip_merge_base": ECOSYSTEM_VERSION,
    }
