"""Messages of a test, sent to the server directly."""

from tests.live import Person
from tui.api.model import MessageId


async def say(person: Person, content: str, *, topic: str = "tea", to: str = "design") -> MessageId:
    """Send a message in a channel; returns its ID."""
    answer = await person.post("messages", type="stream", to=to, topic=topic, content=content)
    return MessageId(answer["id"])


async def whisper(person: Person, to: Person, content: str) -> MessageId:
    """Send a direct message; returns its ID."""
    answer = await person.post("messages", type="direct", to=[to.id], content=content)
    return MessageId(answer["id"])
