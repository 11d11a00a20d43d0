"""Sends the server's own messages about channels: created, subscribed, changed. Checks no permissions."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from server_lite.access.channel_audience import who_may_see
from server_lite.access.recipients import DirectRecipient
from server_lite.actions.messages import send_message
from server_lite.actions.notification_messages import CLIENT, mention, send
from server_lite.actions.subscriptions import Pair
from server_lite.ids import ChannelId, UserId
from server_lite.store import channels, realm, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.users import NOTIFICATION_BOT, UserRow

NEW: Final = "new channels"
"""Topic of announcements."""

EVENTS: Final = "channel events"
"""Topic for changes of a channel, in the channel itself."""

MOST_TOLD: Final = 100
"""Limit of subscribed users who each get a direct message; when more are added at once, nobody gets one."""


MOST_NAMED: Final = 100
"""Channels that a message names; rendering hundreds of names holds others."""


def announce(tx: Tx, creator: UserRow, created: Sequence[ChannelRow]) -> None:
    """Announce new public channels in the organization's channel for announcements, if there is one."""
    place_id = realm.setting(tx, "new_stream_announcements_stream_id")
    place = None if place_id is None else channels.by_id(tx, place_id)
    public = [channel for channel in created if channel.is_public]
    if place is None or place.is_archived or not public:
        return
    what = "a new channel" if len(public) == 1 else "new channels"
    text = f"{mention(tx, creator, who_may_see(tx, place))} created {what}: {_links(public)}."
    send(tx, place, NEW, text, read_by={creator.id})


def announce_created(
    tx: Tx, creator: UserRow, created: Sequence[ChannelRow]
) -> frozenset[ChannelId]:
    """Post creator and description in each new channel; returns the IDs of channels with such a message."""
    if not realm.setting(tx, "send_channel_events_messages"):
        return frozenset()
    for channel in created:
        who = mention(tx, creator, who_may_see(tx, channel))
        description = channel.description or "*No description.*"
        text = (
            f"**{_kind(channel)}** channel created by {who}. **Description:**\n"
            f"```` quote\n{description}\n````"
        )
        send(tx, channel, EVENTS, text, read_by={creator.id})
    return frozenset(channel.id for channel in created)


def to_tell(acting: UserRow, added: Sequence[Pair]) -> list[tuple[UserRow, list[ChannelRow]]]:
    """Return users subscribed by someone else, with their new channels; none if there are too many users."""
    news: defaultdict[UserId, list[ChannelRow]] = defaultdict(list)
    people: dict[UserId, UserRow] = {}
    for person, channel in added:
        if person.id != acting.id and not person.is_bot:
            news[person.id].append(channel)
            people[person.id] = person
    if len(news) > MOST_TOLD:
        return []
    return [(people[user_id], rows) for user_id, rows in news.items()]


def announce_added(tx: Tx, acting: UserRow, person: UserRow, rows: Sequence[ChannelRow]) -> None:
    """Send the user a direct message about the channels they were subscribed to."""
    bot = users.by_id(tx, NOTIFICATION_BOT)
    assert bot is not None
    what = "the channel" if len(rows) == 1 else "the channels"
    who = mention(tx, acting, frozenset({person.id}))
    text = f"{who} subscribed you to {what} {_links(rows)}."
    send_message(tx, bot, DirectRecipient((bot, person)), text, client=CLIENT)


def announce_changes(tx: Tx, user: UserRow, before: ChannelRow) -> None:
    """Post the channel's changes in it: name, description and privacy."""
    after = channels.by_id(tx, before.id)
    assert after is not None
    if after.is_archived or not realm.setting(tx, "send_channel_events_messages"):
        return
    who, texts = mention(tx, user, who_may_see(tx, after)), list[str]()
    if _kind(before) != _kind(after):
        texts.append(
            f"{who} changed the access permissions of this channel from **{_kind(before)}** to"
            f" **{_kind(after)}**."
        )
    if before.name != after.name:
        texts.append(f"{who} renamed this channel from **{before.name}** to **{after.name}**.")
    if before.description != after.description:
        texts.append(
            f"{who} changed the description of this channel.\n\n"
            f"* **Old**: {before.description or '*none*'}\n"
            f"* **New**: {after.description or '*none*'}"
        )
    for text in texts:
        send(tx, after, EVENTS, text, read_by={user.id})


def _kind(channel: ChannelRow) -> str:
    if channel.is_web_public:
        return "Web-public"
    if channel.is_public:
        return "Public"
    history = "shared" if channel.history_public_to_subscribers else "protected"
    return f"Private, {history} history"


def _links(rows: Sequence[ChannelRow]) -> str:
    more = len(rows) - MOST_NAMED
    named = ", ".join(f"#**{row.name}**" for row in rows[:MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named
