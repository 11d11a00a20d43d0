"""Which topics the person mutes, unmutes or follows. No I/O, no clock."""

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
        """How the person follows it; INHERIT if nothing was said."""
        return self.policies.get(topic, VisibilityPolicy.INHERIT)

    def set(self, channel_id: ChannelId, topic: str, policy: int) -> TopicNarrow:
        """Remember, or with INHERIT forget; a policy that is not known counts as none."""
        key = TopicNarrow(channel_id, topic)
        # Dropped first, so that the topic is spelled as it was said last.
        self.policies.pop(key, None)
        is_known = policy in VisibilityPolicy.__members__.values()
        if is_known and policy != VisibilityPolicy.INHERIT:
            self.policies[key] = VisibilityPolicy(policy)
        return key
