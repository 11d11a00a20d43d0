"""Turns a store back into the answer of `register`: the inverse of `from_snapshot`. Pure."""

from tui.api.model import (
    Channel,
    EventId,
    MutedUser,
    QueueId,
    RecentDm,
    Subscription,
    UnreadDm,
    UnreadGroupDm,
    UnreadMessages,
    UnreadTopic,
    UserId,
    UserTopic,
)
from tui.api.organization import BotSettings
from tui.api.snapshot import InitialSnapshot
from tui.narrow import TopicNarrow
from tui.store.store import Store


def to_snapshot(store: Store) -> InitialSnapshot:
    """Return the current state, for a later start. It names no queue: no events can follow it."""
    users = store.users.by_id.values()
    others = [
        c for c in store.channels.by_id.values() if c.channel_id not in store.channels.subscribed
    ]
    return InitialSnapshot(
        queue_id=QueueId(""),
        last_event_id=EventId(-1),
        feature_level=store.realm.feature_level,
        version=store.realm.version,
        idle_queue_timeout_seconds=0,
        idempotency_keys=store.realm.idempotency_keys,
        event_stream=False,
        organization_generation=store.realm.generation,
        user_id=store.self_id,
        users=tuple(user for user in users if user.is_active and not user.is_system_bot),
        non_active_users=tuple(user for user in users if not user.is_active),
        cross_realm_bots=tuple(user for user in users if user.is_active and user.is_system_bot),
        user_groups=tuple(store.groups.by_id.values()),
        user_status=dict(store.statuses.by_user),
        presences=dict(store.presences.by_user),
        presence_last_update_id=store.presences.last_update_id,
        server_timestamp=None,
        muted_users=tuple(
            MutedUser(user_id=each, timestamp=0) for each in sorted(store.muted_users)
        ),
        subscriptions=tuple(store.channels.subscriptions()),
        unsubscribed=tuple(c for c in others if isinstance(c, Subscription)),
        never_subscribed=tuple(c for c in others if type(c) is Channel),
        default_channel_ids=store.realm.default_channel_ids,
        channel_folders=tuple(store.folders.in_order()),
        user_topics=tuple(
            UserTopic(
                channel_id=topic.channel_id,
                topic=topic.topic,
                last_updated=0,
                visibility_policy=int(policy),
            )
            for topic, policy in store.user_topics.policies.items()
        ),
        max_message_id=store.max_message_id,
        unread_messages=_unread(store),
        starred_messages=frozenset(store.starred),
        recent_dms=tuple(
            RecentDm(user_ids=place.user_ids - {store.self_id}, max_message_id=newest)
            for place, newest in store.direct_messages.newest.items()
        ),
        drafts=tuple(store.drafts.all()),
        saved_snippets=tuple(store.snippets.all()),
        scheduled_messages=tuple(store.scheduled.all()),
        reminders=tuple(store.reminders.all()),
        navigation_views=tuple(store.navigation_views.all()),
        onboarding_steps=store.onboarding_steps,
        alert_words=store.alert_words,
        devices=dict(store.devices),
        user_settings=store.settings,
        realm=store.realm.settings,
        emoji=dict(store.realm.emoji),
        linkifiers=store.realm.linkifiers,
        playgrounds=store.realm.playgrounds,
        domains=tuple(store.realm.domains.values()),
        custom_profile_fields=store.realm.profile_fields,
        bots=tuple(_bot(user_id) for user_id in sorted(store.realm.bots)),
        embedded_bots=store.realm.embedded_bots,
        incoming_webhooks=store.realm.incoming_webhooks,
        new_user_settings=store.realm.new_user_settings,
        limits=store.realm.limits,
        emoji_data_url=store.realm.emoji_data_url,
        jitsi_server_url=store.realm.jitsi_server_url,
        video_providers=store.realm.video_providers,
    )


def _unread(store: Store) -> UnreadMessages:
    topics, dms, groups = [], [], []
    for place, ids in store.unreads.by_conversation().items():
        ordered = tuple(sorted(ids))
        if isinstance(place, TopicNarrow):
            topics.append(
                UnreadTopic(
                    channel_id=place.channel_id, topic=place.topic, unread_message_ids=ordered
                )
            )
        elif len(place.user_ids) <= 2:
            dms.append(
                UnreadDm(other_user_id=place.other(store.self_id), unread_message_ids=ordered)
            )
        else:
            listed = ",".join(map(str, sorted(place.user_ids)))
            groups.append(UnreadGroupDm(user_ids_string=listed, unread_message_ids=ordered))
    return UnreadMessages(
        count=sum(
            store.unreads.count(p) for p in store.unreads.conversations() if not store.is_muted(p)
        ),
        dms=tuple(dms),
        topics=tuple(topics),
        group_dms=tuple(groups),
        mentions=frozenset(store.unreads.mentions),
        old_unreads_missing=store.unreads.old_missing,
    )


def _bot(user_id: UserId) -> BotSettings:
    return BotSettings(
        user_id=user_id,
        default_sending_channel=None,
        default_events_register_channel=None,
        default_all_public_channels=None,
    )
