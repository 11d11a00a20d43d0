"""Alertmanager of Prometheus: a group of alerts, firing or resolved. Shares its sentences with Grafana."""

from typing import Final

from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.integrations.payload import Payload
from server_lite.markup.untrusted_text import link, plain

SHOWN: Final = 20
"""Maximum of alerts listed from a group; the number of the others is appended."""
_SUMMARIES: Final = ("summary", "message", "title")
_TEXT: Final = 600


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    status = payload.text("status")
    if status not in ("firing", "resolved"):
        raise Unsupported(status)
    common = payload.maybe("commonLabels")
    group = payload.maybe("groupLabels")
    alerts = payload.rows("alerts")
    name = common.maybe_text("alertname") or group.maybe_text("alertname")
    if not name and alerts:
        name = alerts[0].maybe_text("labels", "alertname")
    left_out = payload.number("truncatedAlerts") if payload.has("truncatedAlerts") else 0
    return Posted(
        event=status,
        topic=name or payload.maybe_text("receiver") or "alerts",
        content=listed(alerts, max(0, payload.count("alerts") - len(alerts)) + max(0, left_out)),
    )


def listed(alerts: list[Payload], left_out: int) -> str:
    """Return a list of the alerts; `left_out` more are only counted."""
    lines = [_alert(alert) for alert in alerts[:SHOWN]]
    more = len(alerts) - len(lines) + left_out
    if more:
        lines.append(f"* … and {more} more")
    if not lines:
        return "The group has no alerts."
    return "\n".join(lines)


def _alert(alert: Payload) -> str:
    """Return `* :alert: **Firing**: Disk is full ([source](…))`, with its description."""
    is_firing = alert.text("status") == "firing"
    labels, annotations = alert.maybe("labels"), alert.maybe("annotations")
    summary = next((text for name in _SUMMARIES if (text := annotations.maybe_text(name))), "")
    summary = summary or labels.maybe_text("alertname") or "alert"
    where = labels.maybe_text("instance")
    place = f" on {plain(where)}" if where and where not in summary else ""
    state = ":alert: **Firing**" if is_firing else ":check: **Resolved**"
    links = [
        link(shown, alert.text(field))
        for field, shown in _LINKS
        if alert.has(field) and alert.text(field)
    ]
    after = f" ({', '.join(links)})" if links else ""
    description = annotations.maybe_text("description")
    described = f"\n  {plain(description, _TEXT)}" if description and is_firing else ""
    return f"* {state}: {plain(summary)}{place}{after}{described}"


_LINKS: Final = (
    ("generatorURL", "source"),
    ("dashboardURL", "dashboard"),
    ("panelURL", "panel"),
    ("silenceURL", "silence"),
)

ALERTMANAGER: Final = Integration(
    name="alertmanager",
    display_name="Alertmanager",
    post=_post,
    events=("firing", "resolved"),
)
