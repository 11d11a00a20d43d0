"""Makes the pictures of the README: a small team on a real server, seen in the real app.

make pictures        writes docs/pictures/*.png (needs rsvg-convert, Debian: librsvg2-bin)
"""

import asyncio
import html
import math
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64encode
from functools import cache
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image, ImageDraw, ImageFont
from rich.cells import cell_len

from server_lite.store.users import Role
from tests.live import Live, Person, live, until
from tui.accounts import Account, write_zuliprc
from tui.app import ChinwagApp
from tui.config import Folders, Settings

EMOJI_FONT = "NotoColorEmoji.ttf"
EMOJI = re.compile(
    "[\u2705\u2728\u274c\u2753-\u2757\U0001f300-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]?"
)
CELL = 12.2
"""Width of a character in Textual's pictures."""

OUT = Path(__file__).parent / "pictures"

SHOTS = (
    # file, columns, rows, theme, where, keys
    ("main-dark-160x45", 160, 45, "chinwag-dark", "channel:design topic:colors", ()),
    ("main-light-160x45", 160, 45, "chinwag-light", "channel:design topic:colors", ()),
    ("main-dark-80x24", 80, 24, "chinwag-dark", "channel:design topic:colors", ()),
    ("feed-dark-120x36", 120, 36, "chinwag-dark", "", ("f5",)),
    ("image-dark-120x36", 120, 36, "chinwag-dark", "channel:random topic:lunch", ()),
    ("jump-dark-120x36", 120, 36, "chinwag-dark", "channel:design topic:colors", ("ctrl+k",)),
)


async def talk(server: Live) -> tuple[Person, Person]:
    """A morning of a small team; returns the one whose screen is shown, and a colleague."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    chi = await server.person("Chi")
    dora = await server.person("Dora")
    everyone = [ann.id, ben.id, chi.id, dora.id]
    for name, description in (
        ("design", "How it looks, and why"),
        ("operations", "Servers, backups, the coffee machine"),
        ("random", "Everything else"),
    ):
        await ann.post(
            "users/me/subscriptions",
            subscriptions=[{"name": name, "description": description}],
            principals=everyone,
        )

    async def say(who: Person, channel: str, topic: str, content: str) -> int:
        answer = await who.post(
            "messages", type="channel", to=channel, topic=topic, content=content
        )
        message_id: int = answer["id"]
        return message_id

    await say(ben, "operations", "backup", "Last night's copy is 41 MB and opens. :check:")
    await say(dora, "operations", "backup", "Restored it on my laptop, took eight seconds.")
    await say(chi, "random", "lunch", "Soup at the corner? They have the good bread again.")
    await say(dora, "random", "lunch", "In. :bread:")
    sent = await chi.http.post("user_uploads", files={"file": ("corner.png", dusk(), "image/png")})
    await say(
        chi, "random", "lunch", f"The light there just now:\n[corner.png]({sent.json()['url']})"
    )
    first = await say(
        chi,
        "design",
        "colors",
        "I tried the amber on the darker ground. Three things:\n\n"
        "* unread is **bold**, not just brighter\n"
        "* the mention gets a mark in the margin, so it does not depend on color\n"
        "* `#d9a45b` on `#15171c` has a contrast of 8.3",
    )
    await say(ben, "design", "colors", "Looks calm. What about the light one?")
    table = await say(
        chi,
        "design",
        "colors",
        "Same idea, deeper tone:\n\n| | dark | light |\n|---|---|---|\n| accent | #d9a45b | #9a5f0b |\n"
        "| ground | #15171c | #fbfaf7 |\n| contrast | 8.3 | 5.6 |",
    )
    await say(
        dora,
        "design",
        "colors",
        "```python\ndef contrast(a: Color, b: Color) -> float:\n"
        "    bright, dark = sorted((a.luminance, b.luminance), reverse=True)\n"
        "    return (bright + 0.05) / (dark + 0.05)\n```\nThat is what I measured with.",
    )
    await say(
        ben,
        "design",
        "colors",
        "> unread is **bold**\n\n@**Ann** does that work on your terminal?",
    )
    for who, emoji in ((ben, "+1"), (dora, "+1"), (dora, "art")):
        await who.post(f"messages/{first}/reactions", emoji_name=emoji)
    await ben.post(f"messages/{table}/reactions", emoji_name="tada")
    await say(chi, "design", "icons", "Do we want any at all?")
    await ben.post("messages", type="direct", to=[ann.id], content="Coffee at three?")
    await dora.post(
        "messages", type="direct", to=[ann.id, chi.id], content="Slides are in the drive."
    )
    await dora.post("users/me/presence", status="active")
    await ben.post("users/me/presence", status="active")
    await chi.post("users/me/presence", status="idle")
    await ben.post("users/me/status", status_text="in the train", emoji_name="train")
    return ann, ben


def dusk() -> bytes:
    """A PNG of hills under an evening sky."""
    width, height = 960, 540
    image = Image.new("RGB", (width, height))
    sky = ImageDraw.Draw(image)
    for y in range(height):
        part = y / height
        sky.line(
            (0, y, width, y),
            fill=(int(40 + 215 * part), int(36 + 120 * part), int(88 + 10 * part)),
        )
    sky.ellipse((600, 230, 730, 360), fill=(255, 226, 160))
    for base, tall, color in (
        (330, 60, (92, 62, 96)),
        (400, 50, (56, 44, 74)),
        (470, 36, (26, 26, 44)),
    ):
        ridge = [
            (x, base - tall * math.sin(x / (90 + base / 6)) - tall / 3 * math.sin(x / 31))
            for x in range(0, width + 8, 8)
        ]
        sky.polygon([(0, height), *ridge, (width, height)], fill=color)
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


async def shoot(server: Live, ann: Person, folder: Path, shot: tuple[object, ...]) -> None:
    name, columns, rows, theme, where, keys = shot
    home = folder / str(name)
    zuliprc = home / "zuliprc"
    write_zuliprc(zuliprc, Account(site=server.url, email=ann.email, key=ann.key))
    app = ChinwagApp(
        folders=Folders(
            config=home / "config",
            data=home / "data",
            state=home / "state",
            cache=home / "cache",
        ),
        settings=Settings(theme=str(theme), mark_read=False),
        zuliprc=zuliprc,
        narrow=str(where),
    )
    async with app.run_test(size=(int(str(columns)), int(str(rows)))) as pilot:
        await until(lambda: "Ann" in app.export_screenshot(), seconds=10)
        await pilot.pause(0.6)
        for key in keys:  # type: ignore[attr-defined]  # a tuple of keys
            await pilot.press(key)
        await pilot.pause(0.3)
        picture = OUT / f"{name}.svg"
        picture.write_text(drawn(app), "utf-8")


def drawn(app: ChinwagApp) -> str:
    """The screen as it is now."""
    return spaced(with_emoji(app.export_screenshot(title="Chinwag")))


def spaced(svg: str) -> str:
    """The picture with leading spaces made a place: the renderer leaves them out."""

    def moved(match: re.Match[str]) -> str:
        x, middle, length, end, spaces = match.groups()
        shift = CELL * spaces.count("&#160;")
        return f'x="{float(x) + shift:g}"{middle}{float(length) - shift:g}{end}'

    return re.sub(
        r'x="([\d.]+)"( y="[^"]*" textLength=")([\d.]+)("[^>]*>)((?:&#160;)+)(?=[^<&])', moved, svg
    )


def with_emoji(svg: str) -> str:
    """The picture with emoji as images in their own colors: the renderer fills their outlines with one."""

    def replaced(match: re.Match[str]) -> str:
        x, y, words = float(match["x"]), float(match["y"]), html.unescape(match["words"])
        images = []
        for emoji in EMOJI.finditer(words):
            left = x + CELL * cell_len(words[: emoji.start()])
            images.append(
                f'<image x="{left + 1:g}" y="{y - 18:g}" width="{2 * CELL - 2:g}" height="22"'
                f' href="data:image/png;base64,{b64encode(emoji_png(emoji[0])).decode()}"/>'
            )
        rest = EMOJI.sub(lambda emoji: "\xa0" * cell_len(emoji[0]), words)
        shown = html.escape(rest).replace("\xa0", "&#160;").replace(" ", "&#160;")
        return f"{match['begin']}{shown}</text>{''.join(images)}"

    return re.sub(
        r'(?P<begin><text [^>]*?x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)"[^>]*>)(?P<words>[^<]*)</text>',
        lambda match: replaced(match) if EMOJI.search(html.unescape(match["words"])) else match[0],
        svg,
    )


@cache
def emoji_png(emoji: str) -> bytes:
    """One emoji, as the font has it."""
    font = ImageFont.truetype(EMOJI_FONT, 109)  # the size of the font's bitmaps
    image = Image.new("RGBA", (136, 128))
    ImageDraw.Draw(image).text((0, 0), emoji, font=font, embedded_color=True)
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


async def main() -> None:
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        async with live(folder) as server:
            ann, _ = await talk(server)
            for shot in SHOTS:
                await shoot(server, ann, folder, shot)


def convert() -> None:
    """The drawings as PNG, which every page shows alike."""
    for picture in sorted(OUT.glob("*.svg")):
        png = picture.with_suffix(".png")
        subprocess.run(["rsvg-convert", "-w", "1400", "-o", str(png), str(picture)], check=True)
        picture.unlink()
        print(png.name)


if __name__ == "__main__":
    if shutil.which("rsvg-convert") is None:
        sys.exit("rsvg-convert is needed (Debian: librsvg2-bin)")
    asyncio.run(main())
    convert()
