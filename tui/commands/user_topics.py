"""Muting, unmuting and following topics. Raises ApiError; shown before it is done."""

from tui.api.model import VisibilityPolicy
from tui.api.routes import user_topics as routes
from tui.commands.pending import shown_at_once
from tui.narrow import TopicNarrow
from tui.store.pending import PolicyChange
from tui.sync.machine import Sync


async def set_policy(sync: Sync, topic: TopicNarrow, policy: VisibilityPolicy) -> VisibilityPolicy:
    """Mute, unmute or follow a topic, or INHERIT; returns what it was before (to be undone)."""
    before = sync.store.policy(topic)
    async with shown_at_once(sync, PolicyChange(topic=topic, policy=policy)):
        await routes.update(
            sync.connection, channel_id=topic.channel_id, topic=topic.topic, policy=policy
        )
    return before


async def toggle(sync: Sync, topic: TopicNarrow, policy: VisibilityPolicy) -> VisibilityPolicy:
    """Set a policy, or if it is that already forget it; returns what it was before."""
    now = sync.store.policy(topic)
    return await set_policy(sync, topic, VisibilityPolicy.INHERIT if now == policy else policy)
