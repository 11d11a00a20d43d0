"""The client in a real pseudo-terminal that has its own mind about emoji and pictures."""

import base64
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.e2e.team import team
from tests.e2e.test_pictures import flag, send
from tests.live import Live, Person
from tests.real_terminal import RealTerminal, real_client

ASKED = b"\x1b[6n\r\x1b[K"
TWO_CELLS = b"\x1b[5;3R"
FOUR_CELLS = b"\x1b[5;5R"


@asynccontextmanager
async def client(
    server: Live, person: Person, folder: Path, **environment: str
) -> AsyncIterator[RealTerminal]:
    """The program of somebody, up to its questions to the terminal."""
    async with real_client(
        server, person, folder, size=(180, 50), answers=False, environment=environment
    ) as seen:
        await seen.until(ASKED)
        yield seen


async def test_a_terminal_that_draws_skin_tones_apart_gets_none(
    server: Live, tmp_path: Path
) -> None:
    """It says that a hand with a skin tone takes four cells: the hand alone is drawn, the flag is not."""
    ann, _, _ = await team(server)
    await ann.post("messages", type="stream", to="design", topic="tea", content="👍🏽 then 🇩🇪 ok")
    async with client(server, ann, tmp_path) as seen:
        seen.send(TWO_CELLS * 2 + FOUR_CELLS + TWO_CELLS * 3)
        await seen.until(b"\x1b[c")
        seen.send(b"\x1b[?62c")
        await seen.until(b" ok")
        drawn = bytes(seen.written).partition(ASKED)[2].decode()
        assert "👍 then 🇩🇪 ok" in re.sub(r"\x1b\[[\d;]*m", "", drawn)


async def test_kitty_is_given_the_picture_and_the_cells_for_it(
    server: Live, tmp_path: Path
) -> None:
    """The picture goes over the wire once, and cells with its number stand in the message."""
    ann, _, _ = await team(server)
    await send(ann, "flag.png", flag())
    async with client(server, ann, tmp_path, TERM="xterm-kitty") as seen:
        seen.send(TWO_CELLS * 6)
        await seen.until("\U0010eeee\u0305\u0305".encode())
        sent = re.search(
            rb"\x1b_Ga=T,U=1,f=100,t=d,i=(\d+),c=12,r=4,q=2,m=0;([^\x1b]+)\x1b", seen.written
        )
        assert sent is not None
        picture = Image.open(BytesIO(base64.b64decode(sent[2])))
        assert picture.size == (120, 80)
        number = int(sent[1])
        color = f"38;2;{number >> 16};{number >> 8 & 255};{number & 255}".encode()
        assert color in seen.written
        seen.send(b"\x11")
        await seen.until(b"a=d,d=I,i=%d" % number, seconds=5)  # the terminal need not keep it


async def test_sixel_is_drawn_where_the_terminal_has_it(server: Live, tmp_path: Path) -> None:
    """In the list there are blocks; large, the picture is drawn in pixels."""
    ann, _, _ = await team(server)
    await send(ann, "flag.png", flag())
    async with client(server, ann, tmp_path) as seen:
        seen.send(TWO_CELLS * 6)
        await seen.until(b"\x1b[c")
        seen.send(b"\x1b[?62;4c")
        await seen.until("▀".encode())
        seen.send(b"z")
        await seen.until(b"\x1bP")
        await seen.until(b"Close")
