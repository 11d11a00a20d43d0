"""Messages for Slack's incoming webhooks, from other programs: text, blocks, attachments."""

from typing import Final

from server_lite.integrations.integration import Delivery, Integration, Posted
from server_lite.markup.slack import message_of


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    channel = payload.value.get("channel")
    topic = channel.lstrip("#@") if isinstance(channel, str) else ""
    return Posted(event="post", topic=topic, content=message_of(payload.value))


SLACK: Final = Integration(
    name="slack_incoming", display_name="Slack-compatible webhook", post=_post
)
