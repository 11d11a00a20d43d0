"""Two users with a channel, a topic and a message: the start of most stories."""

from server_lite.store.users import Role
from tests.e2e.client import AppDriver
from tests.live import Live, Person, until
from tui.api.model import ChannelId
from tui.narrow import TopicNarrow

KETTLE = "is the kettle on?"


async def team(server: Live) -> tuple[Person, Person, TopicNarrow]:
    """Create Ann and Ben, both subscribed to a channel with one topic that has one message of Ben's."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    tea = TopicNarrow(await channel(ann, "design", ann, ben), "tea")
    await ben.post("messages", type="stream", to="design", topic="tea", content=KETTLE)
    return ann, ben, tea


async def channel(owner: Person, name: str, *people: Person) -> ChannelId:
    """Create a channel with these subscribers, without notification messages."""
    await owner.post(
        "users/me/subscriptions",
        subscriptions=[{"name": name}],
        principals=[person.id for person in people],
        send_new_subscription_messages=False,
    )
    answer = await owner.get("get_stream_id", stream=name)
    return ChannelId(answer["stream_id"])


async def contents(person: Person, channel_id: ChannelId, topic: str) -> list[str]:
    """Return the messages of a topic, from the server."""
    answer = await person.get(
        "messages",
        narrow=[
            {"operator": "channel", "operand": channel_id},
            {"operator": "topic", "operand": topic},
        ],
        anchor="newest",
        num_before=50,
        num_after=0,
        apply_markdown=False,
    )
    return [message["content"] for message in answer["messages"]]


async def write(player: AppDriver, text: str) -> None:
    """Type the text into the composer and press Enter."""
    player.screen.panes.composer.load_text(text)
    player.screen.panes.composer.focus()
    await player.press("enter")


async def asked(player: AppDriver) -> None:
    """Wait for a question on a screen over the main one."""
    await until(lambda: player.app.screen is not player.screen and player.app.screen.is_mounted)
    await player.pilot.pause()


async def answered(player: AppDriver) -> None:
    """Wait until no question is open."""
    await until(lambda: player.app.screen is player.screen)
