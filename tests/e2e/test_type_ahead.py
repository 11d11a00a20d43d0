"""Keys that come in one read, in a real terminal: each goes where it would have gone if typed slowly."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.team import KETTLE, contents, team
from tests.live import Live, Person, until
from tests.security.terminal import Terminal, terminal
from tui.accounts import Account, write_zuliprc
from tui.narrow import TopicNarrow


@asynccontextmanager
async def client(server: Live, person: Person, folder: Path) -> AsyncIterator[Terminal]:
    """The program of somebody, as it is started."""
    zuliprc = folder / "zuliprc"
    write_zuliprc(zuliprc, Account(site=server.url, email=person.email, key=person.key))
    command = [sys.executable, "-m", "tui", "--zuliprc", str(zuliprc)]
    command += ["--narrow", "channel:design topic:tea"]
    async with terminal(command, {"CHINWAG_HOME": str(folder / "home")}) as seen:
        yield seen


async def _says(person: Person, place: TopicNarrow, *texts: str) -> None:
    async def there() -> bool:
        return await contents(person, place.channel_id, place.topic) == list(texts)

    await until(there)


async def test_a_burst_of_keys_is_what_slow_fingers_would_do(server: Live, tmp_path: Path) -> None:
    """Write, clear, send, jump elsewhere and write there: all in one read, and nothing goes astray."""
    ann, ben, tea = await team(server)
    await ben.post("messages", type="stream", to="design", topic="milk", content="any left?")
    async with client(server, ann, tmp_path) as seen:
        await seen.until(KETTLE.encode())
        seen.answer(b"cwrong\x15right\rnext\r\t\x0bmilk\rcplenty\r")
        await _says(ann, tea, KETTLE, "right", "next")
        await _says(ann, TopicNarrow(tea.channel_id, "milk"), "any left?", "plenty")
