"""All integrated services, by their names in URLs. Pure."""

from collections.abc import Mapping
from typing import Final

from server_lite.errors import ApiError
from server_lite.integrations.alertmanager import ALERTMANAGER
from server_lite.integrations.circleci import CIRCLECI
from server_lite.integrations.gitea import GITEA
from server_lite.integrations.github import GITHUB
from server_lite.integrations.gitlab import GITLAB
from server_lite.integrations.grafana import GRAFANA
from server_lite.integrations.integration import Integration
from server_lite.integrations.jenkins import JENKINS
from server_lite.integrations.json_object import JSON
from server_lite.integrations.pagerduty import PAGERDUTY
from server_lite.integrations.sentry import SENTRY
from server_lite.integrations.slack_compatible import SLACK
from server_lite.integrations.stripe import STRIPE
from server_lite.integrations.uptime_kuma import UPTIME_KUMA

INTEGRATIONS: Final[Mapping[str, Integration]] = {
    each.name: each
    for each in (
        ALERTMANAGER,
        CIRCLECI,
        GITEA,
        GITHUB,
        GITLAB,
        GRAFANA,
        JENKINS,
        JSON,
        PAGERDUTY,
        SENTRY,
        SLACK,
        STRIPE,
        UPTIME_KUMA,
    )
}
SECRET: Final = "secret"  # noqa: S105  # what it is called, not one
"""Configuration key of the signing secret, which is stored encrypted and never shown."""


def named(name: str) -> Integration:
    """Return the service; raises ApiError."""
    integration = INTEGRATIONS.get(name)
    if integration is None:
        raise ApiError(f"Invalid integration '{name[:60]}'.")
    return integration


def check_config(config: Mapping[str, str]) -> None:
    """Raise for a configuration that is invalid for any of these services."""
    for integration in INTEGRATIONS.values():
        for option in integration.config_options:
            if config.get(option.key):
                option.check(config[option.key])
