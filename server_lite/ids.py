"""Types of IDs in the API: the type checker refuses an ID of one kind where another is required. No more."""

from typing import NewType

UserId = NewType("UserId", int)
ChannelId = NewType("ChannelId", int)
TopicId = NewType("TopicId", int)
"""ID of a row of `topic`; clients know topics by their names."""
MessageId = NewType("MessageId", int)
DraftId = NewType("DraftId", int)
