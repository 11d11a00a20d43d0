"""Uptime Kuma: a monitor is up or down, a certificate expires, or the notification is tested."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.markup.untrusted_text import link, plain

_STATES: Final[Mapping[int, tuple[str, str]]] = {
    0: ("down", ":cross_mark: {} is **down**"),
    1: ("up", ":check: {} is **up**"),
    2: ("pending", ":warning: {} does not answer; trying again"),
    3: ("maintenance", ":tools: {} is in maintenance"),
}


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    if not payload.has("monitor"):
        return Posted(event="test", topic="Uptime Kuma", content=plain(payload.text("msg")))
    monitor = payload.at("monitor")
    name = monitor.text("name")
    if not payload.has("heartbeat"):  # an expiring certificate
        return Posted(event="certificate", topic=name, content=plain(payload.text("msg")))
    beat = payload.at("heartbeat")
    status = beat.number("status")
    if status not in _STATES:
        raise Unsupported(str(status))
    event, sentence = _STATES[status]
    text = beat.maybe_text("msg")
    sentence_with_link = sentence.format(link(name, monitor.maybe_text("url")))
    return Posted(
        event=event,
        topic=name,
        content=f"{sentence_with_link}: {plain(text)}" if text else f"{sentence_with_link}.",
    )


UPTIME_KUMA: Final = Integration(
    name="uptimekuma",
    display_name="Uptime Kuma",
    post=_post,
    events=("up", "down", "pending", "maintenance", "certificate", "test"),
)
