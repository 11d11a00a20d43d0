"""What people say in a test, told to the server directly."""

from tests.live import Person
from tui.api.model import MessageId


async def say(person: Person, content: str, *, topic: str = "tea", to: str = "design") -> MessageId:
    """A message in a channel; returns its id."""
    answer = await person.post("messages", type="stream", to=to, topic=topic, content=content)
    return MessageId(answer["id"])


async def whisper(person: Person, to: Person, content: str) -> MessageId:
    """A direct message; returns its id."""
    answer = await person.post("messages", type="direct", to=[to.id], content=content)
    return MessageId(answer["id"])
