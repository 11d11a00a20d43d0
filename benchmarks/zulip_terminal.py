"""zulip-terminal beside the client: started against our server in a real terminal, and what its events cost.

It does not scroll to messages that come, so those that it is to draw are sent to a topic with room for them.
Of a flood it draws the first screenful.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from benchmarks.costs import (
    SIZE,
    Conversation,
    each,
    fill,
    flood,
    idle,
    keys,
    resizing,
    said,
    say,
)
from tests.large_organization import Large
from tests.real_terminal import RealTerminal, real_terminal
from tui.accounts import Account, write_zuliprc

NAME: Final = "zulip-terminal"
USABLE: Final = " Messages "
"""The title of the list of messages: drawn with the first frame, when it has its data."""


def installed() -> bool:
    """Whether there is a zulip-terminal; says so if there is none."""
    if shutil.which("zulip-term") is not None:
        return True
    print("zulip-terminal is not installed: nothing to compare with (docs/testing.md).")
    return False


def command(zuliprc: Path) -> list[str]:
    """Return the command that starts it: in the folder of its zuliprc, as it writes its log where it is."""
    return ["env", "-C", str(zuliprc.parent), "zulip-term", "-c", str(zuliprc), "--no-notify"]


@asynccontextmanager
async def zulip_terminal(there: Large, folder: Path) -> AsyncIterator[RealTerminal]:
    """Yield Ann's zulip-terminal, settled in her messages."""
    zuliprc = folder / "zuliprc"
    write_zuliprc(zuliprc, Account(site=there.server.url, email=there.ann.email, key=there.ann.key))
    async with real_terminal(command(zuliprc), {"HOME": str(folder)}, size=SIZE) as seen:
        await seen.shows(USABLE, seconds=120)
        await asyncio.sleep(4)
        await seen.settle()
        yield seen


async def open_topic(seen: RealTerminal, place: Conversation) -> None:
    """Open a topic by way of the composer, at its end."""
    seen.press("c", "ctrl+u")
    seen.type(place[0])
    seen.press("tab")
    seen.type(place[1])
    seen.press("alt+.")
    await seen.settle()
    seen.press("escape")
    await seen.settle()
    for _ in range(4):  # it loads thirty messages at a time
        seen.press("end")
        await seen.settle()
        seen.press("j")
        await seen.settle()
    await seen.shows(f"{place[0]}: topic narrow", place[1])


async def open_new_topic(there: Large, seen: RealTerminal, place: Conversation) -> None:
    """Open a topic with room for messages."""
    await say(there, place, "The first message.")
    await seen.settle()
    await open_topic(seen, place)


async def costs(there: Large, folder: Path, wants: Callable[..., bool]) -> dict[str, str]:
    """Return what its events cost, by the names that the client's rows look for."""
    figures: dict[str, str] = {}
    here, other = await fill(there)
    channel = here[0]
    async with zulip_terminal(there, folder) as seen:
        await open_topic(seen, here)
        if wants("keys"):
            seen.press(*"kkkkk")
            await seen.settle()
            figures["key"] = str(await each(seen, keys(seen, "k j k k j j " * 6)))
            measured = await each(seen, keys(seen, "pageup pageup pagedown pagedown " * 3))
            figures["page"] = str(measured)
        if wants("sidebar"):
            seen.press("h")
            await seen.settle()
            figures["key in the list"] = str(await each(seen, keys(seen, "j j k k " * 5)))
            seen.press("l")
            await seen.settle()
        if wants("elsewhere"):
            figures["elsewhere"] = str(await said(seen, there, other, "Elsewhere"))
        if wants("here"):
            place = channel, "with room"
            await open_new_topic(there, seen, place)
            figures["here"] = str(await said(seen, there, place, "In view"))
            assert "In view 24" in seen.text
            await open_topic(seen, here)
        if wants("resize"):
            figures["resize"] = str(await resizing(seen))
        if wants("idle"):
            figures["idle"] = await idle(seen)
        if wants("typing"):
            seen.press("r")
            await seen.settle()
            figures["character"] = str(await each(seen, keys(seen, "h e l o w " * 6)))
            seen.press("escape")
            await seen.settle()
        if wants("flood"):
            for rate in (20, 100):
                place = channel, f"with {rate} messages a second"
                await open_new_topic(there, seen, place)
                figures[f"flood of {rate}"] = await flood(seen, there, place, rate)
    return figures
