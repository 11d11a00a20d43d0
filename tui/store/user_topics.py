"""The user's visibility policies of topics. No I/O, no clock."""

from collections.abc import Iterable

from tui.api.model import ChannelId, UserTopic, VisibilityPolicy
from tui.narrow import TopicNarrow


class UserTopics:
    """Policies by topic; a topic without one inherits its channel's."""

    def __init__(self, user_topics: Iterable[UserTopic]) -> None:
        self.policies: dict[TopicNarrow, VisibilityPolicy] = {}
        for each in user_topics:
            self.set(each.channel_id, each.topic, each.visibility_policy)

    def policy(self, topic: TopicNarrow) -> VisibilityPolicy:
        """Return the policy of a topic; INHERIT if it has none."""
        return self.policies.get(topic, VisibilityPolicy.INHERIT)

    def set(self, channel_id: ChannelId, topic: str, policy: int) -> TopicNarrow:
        """Set a topic's policy, or remove it with INHERIT; an unknown policy counts as INHERIT. Return the
        topic.
        """
        key = TopicNarrow(channel_id, topic)
        # Dropped first, so that the key has the latest spelling.
        self.policies.pop(key, None)
        is_known = policy in VisibilityPolicy.__members__.values()
        if is_known and policy != VisibilityPolicy.INHERIT:
            self.policies[key] = VisibilityPolicy(policy)
        return key
