"""Pictures in messages: seen in the list and large, and never in the way."""

import asyncio
import struct
import zlib
from io import BytesIO
from pathlib import Path

from PIL import Image
from textual.widgets import Button

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import answered, asked, team
from tests.listening import listening
from tests.live import Live, Person, until
from tui.config import Settings
from tui.screens.dialogs.picture import PictureView
from tui.screens.dialogs.question import Question

RED, BLUE = (255, 0, 0), (0, 0, 255)


def flag() -> bytes:
    """A PNG of 120 by 80 pixels, red above blue."""
    image = Image.new("RGB", (120, 80), RED)
    image.paste(BLUE, (0, 40, 120, 80))
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def bomb() -> bytes:
    """A PNG of some bytes that says it has 900 million pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


async def send(person: Person, name: str, data: bytes) -> None:
    """Upload a file and link to it."""
    sent = await person.http.post("user_uploads", files={"file": (name, data, "image/png")})
    url = sent.json()["url"]
    await person.post(
        "messages", type="stream", to="design", topic="tea", content=f"[{name}]({url})"
    )


def kept(folder: Path) -> list[int]:
    """The permissions of the pictures that are kept on disk somewhere below."""
    return [file.stat().st_mode & 0o777 for file in folder.rglob("images/*")]


def lines(player: AppDriver) -> list[str]:
    """What is on screen in the list of messages."""
    shown = player.screen.panes.messages
    return [strip.text.rstrip() for strip in shown.render_lines(shown.size.region)]


def tells(player: AppDriver, caption: str) -> bool:
    """Whether a caption is on screen, or the name in words."""
    name = caption.partition(" ")[0]
    return any(text.strip() == caption or f"image {name}" in text for text in lines(player))


def colors(player: AppDriver) -> list[set[tuple[int, int, int]]]:
    """For each line with half blocks in the list, the colors of their upper pixels."""
    shown = player.screen.panes.messages
    colors_of_rows = []
    for strip in shown.render_lines(shown.size.region):
        blocks = [s.style.color for s in strip if "▀" in s.text and s.style and s.style.color]
        if blocks:
            colors_of_rows.append({tuple(color.triplet) for color in blocks if color.triplet})
    return colors_of_rows  # type: ignore[return-value]  # a triplet is three numbers


async def test_a_picture_is_seen_in_its_message_and_large(server: Live, tmp_path: Path) -> None:
    """Ben sees the flag where its room was kept; z shows it as large as the terminal, Esc ends that."""
    ann, ben, tea = await team(server)
    await send(ann, "flag.png", flag())
    await ann.post("messages", type="stream", to="design", topic="tea", content="after it")
    async with playing(server, ben, tmp_path) as b:
        await b.go(tea)
        await b.sees(lambda: any(text.endswith("after it") for text in lines(b)))
        below = next(at for at, text in enumerate(lines(b)) if text.endswith("after it"))
        await b.sees(lambda: len(colors(b)) == 8)
        assert colors(b) == [{RED}] * 4 + [{BLUE}] * 4
        assert lines(b)[below].endswith("after it"), "what is on screen did not move"
        assert any("flag.png · 120×80" in text for text in lines(b))
        assert kept(tmp_path) == [0o600]
        b.screen.panes.messages.focus()
        await b.press("end", "k", "k", "z")
        await until(lambda: isinstance(b.app.screen, PictureView))
        view = b.app.screen
        assert isinstance(view, PictureView)
        await until(lambda: len(view.canvas.large.lines) > 20)
        await b.press("escape")
        await answered(b)


async def test_what_is_no_picture_stays_words(server: Live, tmp_path: Path) -> None:
    """A bomb and garbage cost a sentence each; with pictures off nothing is fetched at all."""
    ann, ben, tea = await team(server)
    await send(ann, "bomb.png", bomb())
    await send(ann, "noise.png", b"\x89PNG\r\n\x1a\n" + bytes(200))
    async with playing(server, ben, tmp_path, size=(120, 50)) as b:
        await b.go(tea)
        # The feed that was open before may have found it out: then no room is kept at all.
        await b.sees(lambda: tells(b, "bomb.png · 30000×30000 · not shown: it has too many pixels"))
        await b.sees(lambda: tells(b, "noise.png · not shown: it is not a readable image"))
        assert colors(b) == []
    off = Settings(images="off")
    async with playing(server, ann, tmp_path, settings=off) as a:
        await a.go(tea)
        await a.sees(lambda: "image bomb.png 30000×30000" in " ".join(lines(a)))
        assert kept(tmp_path / "ann@example.com") == []


async def test_a_picture_elsewhere_is_fetched_when_the_person_says_so(
    server: Live, tmp_path: Path
) -> None:
    """Looking at a message tells no other server; z asks first, and gives it no key."""
    ann, ben, tea = await team(server)
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        body = flag()
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()

    async with listening(serve) as place, playing(server, ben, tmp_path) as b:
        address = f"http://{place.replace('127.0.0.1', 'localhost')}/cat.png"
        see = f"see {address}"
        await ann.post("messages", type="stream", to="design", topic="tea", content=see)
        await b.go(tea)
        await b.sees(lambda: any("image cat.png localhost" in text for text in lines(b)))
        b.screen.panes.messages.focus()
        await b.press("end", "z")
        await asked(b)
        assert isinstance(b.app.screen, Question)
        assert heard == []
        b.app.screen.query_one("#yes", Button).press()
        await until(lambda: isinstance(b.app.screen, PictureView))
        await until(lambda: bool(heard))
        assert b"authorization" not in heard[0].lower()
        await b.press("q")
        await answered(b)


async def test_a_picture_is_one_line_for_those_who_hear_the_screen(
    server: Live, tmp_path: Path
) -> None:
    """No empty lines where the drawing would be."""
    ann, ben, tea = await team(server)
    await send(ben, "flag.png", flag())
    reader = Settings(screen_reader=True)
    async with playing(server, ann, tmp_path, settings=reader) as a:
        await a.go(tea)
        await a.sees(lambda: any("image flag.png" in line for line in lines(a)))
        await ben.post("messages", type="stream", to="design", topic="tea", content="after it")
        await a.sees(lambda: any("after it" in line for line in lines(a)))
        said = [line.strip() for line in lines(a)]
        at = next(at for at, line in enumerate(said) if "image flag.png" in line)
        assert "after it" in said[at + 1], said
