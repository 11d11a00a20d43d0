"""Grafana: alerts of its own rules, in the current format and that of versions before 9."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.alertmanager import listed
from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import check_time, in_header
from server_lite.markup.untrusted_text import link, plain, quoted

_TIME: Final = "x-grafana-alerting-timestamp"
_STATES: Final[Mapping[str, str]] = {
    "alerting": ":alert:",
    "ok": ":check:",
    "no_data": ":warning:",
    "pending": ":time_ticking:",
    "paused": ":warning:",
}


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    return _earlier(payload) if payload.has("ruleName") else _unified(payload)


def _unified(payload: Payload) -> Posted:
    status = payload.text("status")
    if status not in ("firing", "resolved"):
        raise Unsupported(status)
    alerts = payload.rows("alerts")
    name = payload.maybe_text("commonLabels", "alertname")
    if not name and alerts:
        name = alerts[0].maybe_text("labels", "alertname")
    left_out = payload.number("truncatedAlerts") if payload.has("truncatedAlerts") else 0
    return Posted(
        event=status,
        topic=name or payload.maybe_text("title") or "alerts",
        content=listed(alerts, max(0, payload.count("alerts") - len(alerts)) + max(0, left_out)),
    )


def _earlier(payload: Payload) -> Posted:
    state, name = payload.text("state"), payload.text("ruleName")
    title_link = link(payload.maybe_text("title") or name, payload.maybe_text("ruleUrl"))
    values = [
        f"* {plain(row.text('metric'))}: {plain(row.maybe_word('value'))}"
        for row in payload.rows("evalMatches")
    ]
    parts = [
        f"{_STATES.get(state, ':warning:')} {title_link}",
        quoted(payload.maybe_text("message")),
        "\n".join(values[:20]),
    ]
    return Posted(event=state, topic=name, content="\n\n".join(part for part in parts if part))


_of_body = in_header("X-Grafana-Alerting-Signature")


def _verify(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> None:
    """Verify the body's signature, after a time if a header for it was configured."""
    seconds = headers.get(_TIME, "")
    if not seconds:
        _of_body(secret, headers, body, now)
        return
    _of_body(secret, headers, seconds.encode("latin-1") + b":" + body, now)
    check_time(seconds, now)


GRAFANA: Final = Integration(
    name="grafana",
    display_name="Grafana",
    post=_post,
    events=("firing", "resolved", *_STATES),
    verify=_verify,
)
