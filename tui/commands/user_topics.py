"""Visibility policies of topics: mute, unmute, follow. Raises ApiError; shown before the server confirms."""

from tui.api.features import TOPIC_POLICIES
from tui.api.model import VisibilityPolicy
from tui.api.routes import user_topics as routes
from tui.commands.optimistic import shown_at_once
from tui.errors import NotSupported
from tui.narrow import TopicNarrow
from tui.store.optimistic import PolicyChange
from tui.sync.machine import Sync


async def set_policy(sync: Sync, topic: TopicNarrow, policy: VisibilityPolicy) -> VisibilityPolicy:
    """Mute, unmute or follow a topic, or INHERIT; return the policy before, for undo."""
    before = sync.store.policy(topic)
    async with shown_at_once(sync, PolicyChange(topic=topic, policy=policy)):
        if TOPIC_POLICIES.is_in(sync.store.realm.feature_level):
            await routes.update(
                sync.connection, channel_id=topic.channel_id, topic=topic.topic, policy=policy
            )
        else:
            await _mute(sync, topic, policy)
    return before


async def _mute(sync: Sync, topic: TopicNarrow, policy: VisibilityPolicy) -> None:
    """Mute or unmute a topic on servers that know only muted topics."""
    if policy not in (VisibilityPolicy.MUTED, VisibilityPolicy.INHERIT):
        raise NotSupported("POST /user_topics", TOPIC_POLICIES.sentence, status=404)
    await routes.set_muted(
        sync.connection,
        channel_id=topic.channel_id,
        topic=topic.topic,
        muted=policy == VisibilityPolicy.MUTED,
    )
