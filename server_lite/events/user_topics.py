"""Events: a topic is muted, unmuted, followed, or nothing special again. No I/O."""

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTopicChanged(Event[None]):
    """The policy of one topic; 0 removes it."""

    type = "user_topic"
    channel_id: int
    topic: str
    last_updated: int
    policy: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.told(
            stream_id=self.channel_id,
            topic_name=shape.topic(self.topic),
            last_updated=self.last_updated,
            visibility_policy=self.policy,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedTopicsChanged(Event[None]):
    """All muted topics as `[channel name, topic, UNIX seconds]`, for clients that know only these."""

    type = "muted_topics"
    superseded_by = "user_topic"
    muted_topics: list[list[str | int]]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        shown = [[channel, shape.topic(str(topic)), at] for channel, topic, at in self.muted_topics]
        return self.told(muted_topics=shown)
