"""PagerDuty: incidents, as posted by webhooks of version 3."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.git import paragraphs
from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import in_header
from server_lite.markup.untrusted_text import link, plain, quoted

_DID: Final[Mapping[str, tuple[str, str]]] = {
    "incident.triggered": (":alert:", "triggered"),
    "incident.acknowledged": (":eyes:", "acknowledged"),
    "incident.unacknowledged": (":warning:", "unacknowledged"),
    "incident.escalated": (":warning:", "escalated"),
    "incident.delegated": (":warning:", "delegated"),
    "incident.reassigned": (":eyes:", "reassigned"),
    "incident.reopened": (":alert:", "reopened"),
    "incident.resolved": (":check:", "resolved"),
    "incident.priority_updated": (":warning:", "given another priority"),
}
_NOTE: Final = "incident.annotated"
_UPDATE: Final = "incident.status_update_published"
_PING: Final = "pagey.ping"


def _post(delivery: Delivery) -> Posted:
    event = delivery.payload.at("event")
    kind, data = event.text("event_type"), event.at("data")
    if kind == _PING:
        text = plain(data.maybe_text("message") or "Webhook of PagerDuty is set up.")
        return Posted(event=kind, topic="PagerDuty", content=text)
    if kind in (_NOTE, _UPDATE):
        return _note(kind, event)
    if kind not in _DID:
        raise Unsupported(kind)
    sign, did = _DID[kind]
    agent = event.maybe_text("agent", "summary")
    by = f" by {plain(agent)}" if agent else ""
    number, title = data.number("number"), data.text("title")
    incident = link(f"Incident #{number}", data.maybe_text("html_url"))
    facts = []
    if data.has("service"):
        service = data.at("service")
        facts.append(f"Service: {link(service.text('summary'), service.maybe_text('html_url'))}")
    people = [plain(row.text("summary")) for row in data.rows("assignees")]
    if people and did != "resolved":
        facts.append(f"Assigned to: {', '.join(people)}")
    if data.has("priority"):
        facts.append(f"Priority: {plain(data.text('priority', 'summary'))}")
    if data.has("urgency"):
        facts.append(f"Urgency: {plain(data.text('urgency'))}")
    listed = "\n".join(f"* {fact}" for fact in facts)
    sentence = f"{sign} {incident} {did}{by}: {plain(title)}"
    return Posted(
        event=kind, topic=f"Incident #{number} {title}", content=paragraphs(sentence, listed)
    )


def _note(kind: str, event: Payload) -> Posted:
    """Format a note or a status update, whose incident has only a summary and no number."""
    data = event.at("data")
    incident = data.at("incident")
    name = incident.text("summary")
    who = plain(event.maybe_text("agent", "summary") or "PagerDuty")
    text = data.maybe_text("content") or data.maybe_text("message")
    did = "added a note to" if kind == _NOTE else "published a status update of"
    sentence = f"{who} {did} {link(name, incident.maybe_text('html_url'))}"
    number, _, title = name.removeprefix("[#").partition("] ")
    topic = f"Incident #{number} {title}" if name.startswith("[#") and title else name
    return Posted(event=kind, topic=topic, content=paragraphs(sentence, quoted(text)))


PAGERDUTY: Final = Integration(
    name="pagerduty",
    display_name="PagerDuty",
    post=_post,
    events=(*_DID, _NOTE, _UPDATE, _PING),
    verify=in_header("X-PagerDuty-Signature", "v1="),
    delivery_id=lambda delivery: delivery.payload.maybe_text("event", "id"),
)
