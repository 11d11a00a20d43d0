"""The part of a store's state that must be equal in all clients: only events change it. Pure.

Excluded, with the reason:
- `channels.*.stream_weekly_traffic`, `is_recently_active`, `subscriber_count`: the server recomputes
  them at any time.
- `presences`: a user who stays active is reported by polling only.
- the recency of `direct_messages`: deleting the newest message sends neither its conversation
  nor the message that is the newest now.
- subscription settings after unsubscribing: sent again when the user resubscribes.
- mentions by @all in muted places: events do not say which of the listed mentions are such.
- `max_message_id`: decreases on the server when that message is deleted.
- `unreads.old_missing`, and fetched data (messages, windows, topics): not part of events.
- `typing`, `outbox`, `pending`, local drafts: local to the client.
- bots' settings: an event says that they changed, not how. Limits and version: the server's own.
"""

from collections.abc import Mapping
from dataclasses import fields

from tui.api.model import Channel, Subscription
from tui.store.store import Store

_UNTOLD = {
    "stream_weekly_traffic",
    "is_recently_active",
    "subscriber_count",
    # Either form is complete; which one the server chose is not part of the state.
    "partial_subscribers",
}


def of(store: Store) -> Mapping[str, object]:
    """Return the state, in plain mappings and sets."""
    return {
        "users": dict(store.users.by_id),
        "statuses": {u: s for u, s in store.statuses.by_user.items() if u in store.users.by_id},
        "muted_users": frozenset(store.muted_users),
        "groups": dict(store.groups.by_id),
        "channels": {c.channel_id: _facts(c, Channel) for c in store.channels.by_id.values()},
        "subscriptions": {
            each.channel_id: _facts(each, Subscription) for each in store.channels.subscriptions()
        },
        "folders": [(f.id, f.name, f.description, f.is_archived) for f in store.folders.in_order()],
        "user_topics": {(t.channel_id, t.topic): p for t, p in store.user_topics.policies.items()},
        "unreads": store.unreads.by_conversation(),
        "mentions": _counted_mentions(store),
        "starred": frozenset(store.starred),
        "drafts": dict(store.drafts.by_id),
        "snippets": dict(store.snippets.by_id),
        "scheduled": dict(store.scheduled.by_id),
        "reminders": dict(store.reminders.by_id),
        "navigation_views": dict(store.navigation_views.by_id),
        "onboarding_steps": store.onboarding_steps,
        "alert_words": frozenset(store.alert_words),
        "devices": dict(store.devices),
        "settings": store.settings,
        "realm": store.realm.settings,
        "emoji": dict(store.realm.emoji),
        "linkifiers": store.realm.linkifiers,
        "playgrounds": frozenset(store.realm.playgrounds),
        "domains": dict(store.realm.domains),
        "profile_fields": store.realm.profile_fields,
        "default_channels": store.realm.default_channel_ids,
        "bots": frozenset(store.realm.bots),
        "new_user_settings": store.realm.new_user_settings,
    }


def _facts(channel: Channel, kind: type[Channel]) -> Mapping[str, object]:
    names = {field.name for field in fields(kind)} - _UNTOLD
    return {name: getattr(channel, name) for name in names}


def _counted_mentions(store: Store) -> frozenset[int]:
    places = ((each, store.unreads.place(each)) for each in store.unreads.mentions)
    return frozenset(each for each, place in places if place and not store.is_muted(place))
