"""#**channel**, #**channel>topic** and #**channel>topic@214**. Pure."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.ids import MessageId
from server_lite.markup import html
from server_lite.markup.context import Context, context_of
from server_lite.markup.lookup import Channel
from server_lite.markup.rules.output import push_html
from server_lite.markup.urls import channel_path, message_path, topic_path

_PLACE: Final = re.compile(r"#\*\*([^*\n]+)\*\*")
_TOPIC_AND_MESSAGE: Final = re.compile(r"(.*)@([0-9]{1,18})")


def place_link(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a link to a channel, topic or message that the sender may see; other names stay text."""
    match = _PLACE.match(state.src, state.pos, state.posMax)
    before = state.src[state.pos - 1] if state.pos else " "
    if match is None or before.isalnum() or state.linkLevel > 0:
        return False
    context = context_of(state)
    place = _place(context, match[1])
    if place is None:
        return False
    push_html(state, _link(context, *place))
    context.has_link = True
    state.pos = match.end()
    return True


def _place(context: Context, text: str) -> tuple[Channel, str | None] | None:
    """Return the channel, and the topic if one is named. A channel's own name may contain a `>`."""
    name, sign, topic = text.partition(">")
    if sign and name and (channel := context.channel_named(name)):
        return channel, topic
    whole = context.channel_named(text)
    return (whole, None) if whole else None


def _link(context: Context, channel: Channel, topic: str | None) -> str:
    name = html.text(f"#{channel.name}")
    if topic is None:
        href = channel_path(channel.id, channel.name)
        attributes = {"class": "stream", "data-stream-id": str(channel.id), "href": href}
        return html.element("a", attributes, name)
    if match := _TOPIC_AND_MESSAGE.fullmatch(topic):
        href = message_path(channel.id, channel.name, match[1], MessageId(int(match[2])))
        label = f"{name} &gt; {_topic_name(context, match[1])} @ 💬"
        return html.element("a", {"class": "message-link", "href": href}, label)
    latest = context.latest_message_id(channel.id, topic)
    href = topic_path(channel.id, channel.name, topic, latest)
    attributes = {"class": "stream-topic", "data-stream-id": str(channel.id), "href": href}
    return html.element("a", attributes, f"{name} &gt; {_topic_name(context, topic)}")


def _topic_name(context: Context, topic: str) -> str:
    if topic:
        return html.text(topic)
    return html.element("em", {}, html.text(context.settings.empty_topic_name))
