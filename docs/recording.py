"""Makes the recording of the README: a minute of a small team in the real app, on a real server, as a GIF.

make recording       writes docs/pictures/recording.gif (needs rsvg-convert, Debian: librsvg2-bin)
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from textual.pilot import Pilot

from docs.pictures import OUT, drawn, talk
from tests.live import Live, Person, live, until
from tui.accounts import Account, write_zuliprc
from tui.app import ChinwagApp
from tui.config import Folders, Settings
from tui.screens.account_screen import AccountScreen

SIZE = (100, 28)
WIDTH = 1000
"""Pixels of the GIF."""
COLORS = 255
KEY, LOOK, READ = 0.07, 0.9, 2.2
"""Seconds that a frame is shown: while typing, after a key, where there is something to read."""


@dataclass
class Recorder:
    """Presses keys, and keeps what was on screen after each with the seconds for which it is shown."""

    app: ChinwagApp
    pilot: Pilot[None]
    frames: list[tuple[str, float]] = field(default_factory=list)

    async def show(self, seconds: float) -> None:
        """Keep the screen as it is now."""
        await self.pilot.pause(0.15)
        svg = drawn(self.app)
        if self.frames and self.frames[-1][0] == svg:
            self.frames[-1] = svg, self.frames[-1][1] + seconds
        else:
            self.frames.append((svg, seconds))

    async def press(self, *keys: str, seconds: float = LOOK) -> None:
        """Each key, one after the other."""
        for key in keys:
            await self.pilot.press(key)
            await self.show(seconds)

    async def type(self, text: str) -> None:
        """Letters, two in a frame."""
        for at in range(0, len(text), 2):
            for letter in text[at : at + 2]:
                await self.pilot.press("space" if letter == " " else letter)
            await self.show(KEY)


async def story(recorder: Recorder, ben: Person) -> None:
    """Reading, answering, being answered; the next unread conversation, and a jump to another."""
    await recorder.show(READ)
    await recorder.press("n", seconds=READ)
    await recorder.press("k", "k", seconds=LOOK)
    await recorder.press("c", seconds=KEY)
    await recorder.type("It does: bold, and a mark in the margin.")
    await recorder.press("enter", seconds=LOOK)
    await ben.post("typing", op="start", type="stream", stream_id=1, topic="colors")
    await recorder.show(LOOK)
    await ben.post(
        "messages",
        type="channel",
        to="design",
        topic="colors",
        content="Then let us take it. :tada:",
    )
    await recorder.show(READ)
    await recorder.press("escape", seconds=LOOK)
    await recorder.press("n", seconds=READ)
    await recorder.press("ctrl+k", seconds=LOOK)
    await recorder.type("lunch")
    await recorder.show(LOOK)
    await recorder.press("enter", seconds=READ)
    await recorder.press("f2", seconds=READ)


async def record(server: Live, folder: Path) -> Sequence[tuple[str, float]]:
    """The frames, as drawings."""
    ann, ben = await talk(server)
    home = folder / "home"
    zuliprc = home / "zuliprc"
    write_zuliprc(zuliprc, Account(site=server.url, email=ann.email, key=ann.key))
    app = ChinwagApp(
        folders=Folders(
            config=home / "config", data=home / "data", state=home / "state", cache=home / "cache"
        ),
        settings=Settings(),
        zuliprc=zuliprc,
        narrow="channel:operations topic:backup",
    )
    async with app.run_test(size=SIZE) as pilot:
        await until(lambda: isinstance(app.screen, AccountScreen) and app.screen.account.is_ready)
        recorder = Recorder(app, pilot)
        await pilot.pause(0.5)
        await story(recorder, ben)
        return recorder.frames


def image_of(svg: str) -> Image.Image:
    """A drawing as pixels."""
    png = subprocess.run(
        ["rsvg-convert", "-w", str(WIDTH)], input=svg.encode(), capture_output=True, check=True
    )
    return Image.open(BytesIO(png.stdout)).convert("RGB")


def write(frames: Sequence[tuple[str, float]], target: Path) -> None:
    """All frames in one GIF, with one palette, so that what does not change costs nothing."""
    images = [image_of(svg) for svg, _ in frames]
    height = images[0].height
    all_colors = Image.new("RGB", (WIDTH, 3 * height))
    for at, image in enumerate((images[0], images[len(images) // 2], images[-1])):
        all_colors.paste(image, (0, at * height))
    palette = all_colors.quantize(COLORS)
    flat = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in images]
    flat[0].save(
        target,
        save_all=True,
        append_images=flat[1:],
        duration=[round(1000 * seconds) for _, seconds in frames],
        loop=0,
        optimize=False,
        disposal=1,
    )
    print(target.name, len(flat), "frames,", target.stat().st_size // 1024, "KiB")


async def main() -> Sequence[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        async with live(folder) as server:
            return await record(server, folder)


if __name__ == "__main__":
    if shutil.which("rsvg-convert") is None:
        sys.exit("rsvg-convert is needed (Debian: librsvg2-bin)")
    write(asyncio.run(main()), OUT / "recording.gif")
