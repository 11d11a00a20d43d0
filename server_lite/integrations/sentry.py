"""Sentry: issues, alerts and comments of an internal integration, which signs, and of the older plugin."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.git import paragraphs
from server_lite.integrations.integration import (
    Delivery,
    Events,
    Integration,
    Posted,
    Unsupported,
    by_event,
)
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import in_header
from server_lite.markup.untrusted_text import code, link, plain, quoted

_LEVELS: Final[Mapping[str, str]] = {
    "critical": ":alert:",
    "fatal": ":alert:",
    "error": ":cross_mark:",
    "warning": ":warning:",
    "resolved": ":check:",
}


def _issue(delivery: Delivery) -> Posted:
    payload = delivery.payload
    row, action = payload.at("data", "issue"), payload.text("action")
    title = row.text("title")
    url = row.maybe_text("web_url") or row.maybe_text("permalink")
    project = row.maybe_text("project", "name") or row.maybe_text("project", "slug")
    did = {"created": "New issue", "resolved": ":check: Resolved", "unresolved": "Reopened"}
    who = payload.maybe_text("actor", "name")
    by = f" by {plain(who)}" if who and who != "Sentry" and action != "created" else ""
    verb = did.get(action, plain(action.capitalize()))
    where = f" in {plain(project)}" if project else ""
    culprit = row.maybe_text("culprit") if action == "created" else ""
    content = f"{verb}{by}{where}: {link(title, url)}{_at(culprit)}"
    return Posted(event="issue", topic=title, content=content)


def _at(culprit: str) -> str:
    return f" in {code(culprit)}" if culprit else ""


def _event_alert(delivery: Delivery) -> Posted:
    payload = delivery.payload
    event = payload.at("data", "event")
    rule = payload.maybe_text("data", "triggered_rule")
    named = f"Alert {plain(rule)}" if rule else "Alert"
    return _happened("event_alert", event, named)


def _error(delivery: Delivery) -> Posted:
    return _happened("error", delivery.payload.at("data", "error"), "Error")


def _happened(kind: str, event: Payload, verb: str) -> Posted:
    title = event.text("title")
    sign = _LEVELS.get(event.maybe_text("level"), ":warning:")
    facts = [
        f"* {name}: {plain(event.word(field))}"
        for field, name in (("environment", "Environment"), ("release", "Release"))
        if event.has(field)
    ]
    title_link = link(title, event.maybe_text("web_url") or event.maybe_text("issue_url"))
    first = f"{sign} {verb}: {title_link}{_at(event.maybe_text('culprit'))}"
    return Posted(event=kind, topic=title, content=paragraphs(first, "\n".join(facts)))


def _metric_alert(delivery: Delivery) -> Posted:
    payload = delivery.payload
    data, action = payload.at("data"), payload.text("action")
    title = data.text("description_title")
    rule = data.maybe_text("metric_alert", "alert_rule", "name")
    first = f"{_LEVELS.get(action, ':warning:')} {link(title, data.maybe_text('web_url'))}"
    return Posted(
        event="metric_alert",
        topic=rule or title,
        content=paragraphs(first, quoted(data.maybe_text("description_text"))),
    )


def _comment(delivery: Delivery) -> Posted:
    payload = delivery.payload
    data = payload.at("data")
    if payload.text("action") != "created":
        raise Unsupported(f"comment:{payload.text('action')}")
    who = plain(payload.maybe_text("actor", "name") or "Sentry")
    project = data.text("project_slug")
    return Posted(
        event="comment",
        topic=f"{project} / issue {data.word('issue_id')}",
        content=paragraphs(f"{who} commented:", quoted(data.text("comment"))),
    )


def _installation(delivery: Delivery) -> Posted:
    action = plain(delivery.payload.text("action"))
    return Posted(event="installation", topic="Sentry", content=f"Integration {action}.")


_EVENTS: Final[Events] = {
    "issue": _issue,
    "event_alert": _event_alert,
    "metric_alert": _metric_alert,
    "error": _error,
    "comment": _comment,
    "installation": _installation,
}


def _plugin(payload: Payload) -> Posted:
    """Format the payload of the webhook plugin, which does not name the kind of event."""
    event = payload.maybe("event")
    title = event.maybe_text("title") or payload.text("message")
    sign = _LEVELS.get(payload.maybe_text("level"), ":warning:")
    project = payload.maybe_text("project_name") or payload.maybe_text("project")
    where = f"Issue in {plain(project)}" if project else "Issue"
    title_link = link(title, payload.maybe_text("url"))
    content = f"{sign} {where}: {title_link}{_at(payload.maybe_text('culprit'))}"
    return Posted(event="event_alert", topic=title, content=content)


def _post(delivery: Delivery) -> Posted:
    resource = delivery.headers.get("sentry-hook-resource", "")
    if resource:
        return by_event(_EVENTS, resource, delivery)
    return _plugin(delivery.payload)


SENTRY: Final = Integration(
    name="sentry",
    display_name="Sentry",
    post=_post,
    events=tuple(_EVENTS),
    verify=in_header("Sentry-Hook-Signature"),
    delivery_id=lambda delivery: delivery.headers.get("request-id", ""),
)
