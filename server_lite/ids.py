"""What the numbers of the API count: an ID of one kind is refused by a checker where another is meant. No more."""

from typing import NewType

UserId = NewType("UserId", int)
ChannelId = NewType("ChannelId", int)
TopicId = NewType("TopicId", int)
"""Of a row of `topic`; clients know topics by their names."""
MessageId = NewType("MessageId", int)
DraftId = NewType("DraftId", int)
