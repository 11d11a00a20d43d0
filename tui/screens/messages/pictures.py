"""Pictures of messages: fetched, decoded in a process, cached as lines up to a limit.

Fetches nothing from outside of the server unless the user says so. Draws nothing itself; imported when a
session is opened: the commands bring HTTP with them.
"""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Hashable
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.color import Color, ColorParseError
from textual.style import Style

from tui.commands import decoding, images
from tui.content import pixels
from tui.content.extracts import links
from tui.content.nodes import Media
from tui.content.sanitize import sanitize_line
from tui.content.web import host
from tui.dataclass import dataclass
from tui.errors import NotAPicture, TuiError
from tui.host import host_of
from tui.screens.alerts import write
from tui.screens.context import ChatContext
from tui.screens.messages.links import address
from tui.screens.workers import start_worker
from tui.terminal import Graphics, terminal_of
from tui.view.rows import MessageRow
from tui.widgets.content_lines import Line
from tui.widgets.picture_lines import deletion, half_blocks, placeholders, transmission
from tui.widgets.pictures import Pictures, PictureState

if TYPE_CHECKING:
    # Imported with the first picture that is shown large.
    from tui.screens.dialogs.picture import Large

MOST_COLUMNS: Final = 64
MOST_ROWS: Final = 16
NARROW: Final = 80
"""Text width in cells below which pictures take fewer rows."""
MOST_ROWS_NARROW: Final = 10
UNKNOWN: Final = (24, 8)
"""Cells reserved for a picture of unknown size; it is scaled to fit."""
BLOCK: Final = (5, 10)
"""Pixels for which a half block's cell stands: a small picture is shown larger than it is."""
MOST_CELLS: Final = 30_000
"""Limit of the cells of all cached pictures; a cell costs about 500 bytes."""
AT_ONCE: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRequest:
    """A picture in a certain size and form."""

    href: str
    columns: int
    rows: int
    link: int
    ground: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class RenderedPicture:
    """A rendered picture; `number` is its ID in the Kitty protocol, 0 for none."""

    lines: list[Line]
    number: int = 0


class RowPictures(NamedTuple):
    """The pictures of one row."""

    gallery: Gallery
    key: Hashable

    def show(self, media: Media, link: int, width: int) -> PictureState | None:
        """As `Pictures.show`, for this row."""
        return self.gallery.show(self.key, media, link, width)


class Gallery:
    """Provides the message list with pictures, and shows them large on request."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._terminal = terminal_of(context.app)
        self._host = host_of(context.app)
        setting = context.settings.images
        self._graphics: Graphics = "blocks" if setting == "blocks" else self._terminal.graphics
        self.is_on = pixels.is_available() and setting != "off" and self._host.can("programs")
        self._reserved: dict[tuple[str, int], tuple[int, int] | None] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._trouble: dict[str, str] = {}
        self._ready: OrderedDict[PictureRequest, RenderedPicture] = OrderedDict()
        self._cells = 0
        self._wanted: dict[PictureRequest, set[Hashable]] = {}
        self._loading: dict[PictureRequest, set[Hashable]] = {}
        self._busy = 0
        self._numbers = count(random.randrange(1, 1 << 23))

    def of(self, key: Hashable) -> Pictures:
        """Return the pictures of the row with that key."""
        return RowPictures(self, key)

    def opened(self) -> None:
        """Start over for another conversation: rows may get other heights, and failures are tried again."""
        self._reserved.clear()
        self._trouble = {href: why for href, why in self._trouble.items() if href in self._sizes}
        self._wanted.clear()

    def show(self, key: Hashable, media: Media, link: int, width: int) -> PictureState | None:
        """Return a row's picture, requesting a missing one; None where words do, as for screen readers."""
        if self._context.settings.screen_reader:
            return None
        href = media.href if media.pending or not media.src else media.src
        if not self.is_on or not images.is_own(self._context.session.site, href):
            return None
        place = self._reserve(href, media.size, width)
        if place is None:
            return None
        if href in self._trouble:
            return PictureState(*place, note=self._trouble[href])
        request = PictureRequest(
            href=href, columns=place[0], rows=place[1], link=link, ground=self._ground()
        )
        drawn = self._ready.get(request)
        if drawn is not None:
            self._ready.move_to_end(request)
            return PictureState(*place, lines=drawn.lines)
        self._want(request, key)
        return PictureState(*place, note="loading…")

    def _reserve(
        self, href: str, size: tuple[int, int] | None, width: int
    ) -> tuple[int, int] | None:
        """Return the space for a picture, fixed while the conversation is open; None where words do."""
        place = (href, width)
        if place not in self._reserved:
            size = self._sizes.get(href) or size
            rows = MOST_ROWS if width >= NARROW else MOST_ROWS_NARROW
            most = (min(width, MOST_COLUMNS), rows)
            room = (min(width, UNKNOWN[0]), UNKNOWN[1])
            if size is not None:
                room = pixels.box(size, most, self._cell)
            self._reserved[place] = None if href in self._trouble else room
        return self._reserved[place]

    @property
    def _cell(self) -> tuple[int, int]:
        return self._terminal.cell if self._graphics == "kitty" else BLOCK

    def _ground(self) -> tuple[int, int, int]:
        """Return the color behind transparent parts."""
        try:
            return Color.parse(self._context.app.theme_variables["background"]).rgb
        except (KeyError, ColorParseError):
            return 0, 0, 0

    # Loading

    def _want(self, request: PictureRequest, key: Hashable) -> None:
        if request in self._loading:
            self._loading[request].add(key)
            return
        self._wanted.setdefault(request, set()).add(key)
        if self._busy < AT_ONCE:
            self._busy += 1
            start_worker(self._context.panes.messages, self._load, group="pictures")

    async def _load(self) -> None:
        """Load pictures one by one, the last requested first: that one is on screen."""
        try:
            while self._wanted:
                request, keys = self._wanted.popitem()
                self._loading[request] = keys
                try:
                    await self._load_one(request)
                except TuiError as error:
                    self._trouble[request.href] = f"not shown: {sanitize_line(str(error))}"
                finally:
                    keys = self._loading.pop(request)
                self._context.panes.messages.redraw_items(keys)
        finally:
            self._busy -= 1

    async def _load_one(self, request: PictureRequest) -> None:
        session = self._context.session
        data = await images.fetch(session.sync, session.images, request.href, is_asked=False)
        clicked = Style.from_meta({"picture": request.link})
        try:
            drawn = await self._draw(data, request, clicked, is_asked=False)
        except NotAPicture:
            self._sizes[request.href] = (0, 0)  # it does not change any more
            raise
        self._ready[request] = drawn
        self._cells += request.columns * request.rows
        while self._cells > MOST_CELLS and len(self._ready) > 1:
            old, gone = self._ready.popitem(last=False)
            self._cells -= old.columns * old.rows
            self._forget(gone.number)

    async def _draw(
        self, data: bytes, request: PictureRequest, clicked: Style, *, is_asked: bool
    ) -> RenderedPicture:
        columns, rows = request.columns, request.rows
        if self._graphics != "kitty":
            most = (columns, rows * 2)
            scaled = await decoding.scaled(
                data, most, request.ground, is_asked=is_asked, host=self._host
            )
            self._sizes[request.href] = scaled.original
            return RenderedPicture(await asyncio.to_thread(half_blocks, scaled, clicked))
        cell = self._cell
        most = (columns * cell[0], rows * cell[1])
        png, size = await decoding.as_png(data, most, is_asked=is_asked, host=self._host)
        self._sizes[request.href] = size
        number = next(self._numbers) & 0xFFFFFF
        columns, rows = pixels.box(size, (columns, rows), cell)
        write(self._context.app, transmission(number, png, columns, rows))
        return RenderedPicture(placeholders(number, columns, rows, clicked), number)

    def _forget(self, number: int) -> None:
        if number:
            write(self._context.app, deletion(number))

    def close(self) -> None:
        """Drop all pictures, also from the terminal's memory."""
        for drawn in self._ready.values():
            self._forget(drawn.number)
        self._ready.clear()

    # Large view

    async def view(self, row: MessageRow, link: int | None = None) -> None:
        """Show the pictures of a message one at a time, first the one at index `link` of its links."""
        pictures = [node for node in links(row.nodes) if isinstance(node, Media)]
        pictures = [media for media in pictures if media.kind == "image"]
        if not pictures:
            self._context.toast("This message has no images.")
            return
        if not self._host.can("programs"):
            self._context.toast("Over SSH, images are not shown. Press a to fetch the file.")
            return
        if not pixels.is_available():
            self._context.toast("Images need Pillow: install chinwag[images].")
            return
        chosen = None if link is None else links(row.nodes)[link]
        at = next((i for i, media in enumerate(pictures) if media is chosen), 0)
        from tui.screens.dialogs.picture import PictureView

        if await self._may_fetch(pictures):
            await self._context.ask(PictureView(pictures, at, self._large, self._graphics))

    async def _may_fetch(self, pictures: list[Media]) -> bool:
        """Ask before fetching from other servers: they learn who looks at a picture, and when."""
        site = self._context.session.site
        outside = [
            address(media, site) for media in pictures if not images.is_own(site, media.href)
        ]
        if not outside:
            return True
        from tui.screens.dialogs.question import Question

        hosts = ", ".join(dict.fromkeys(host(url) or url for url in outside))
        question = Question(f"Fetch from {hosts}?", "\n".join(outside[:5]), yes="Fetch")
        sure: bool | None = await self._context.ask(question)
        return bool(sure)

    async def _large(self, media: Media, columns: int, rows: int) -> Large:
        from tui.screens.dialogs.picture import Large

        session = self._context.session
        data = await images.fetch(session.sync, session.images, media.href, is_asked=True)
        cell = self._terminal.cell
        most = (columns * cell[0], rows * cell[1])
        match self._graphics:
            case "kitty":
                request = PictureRequest(
                    href=media.href, columns=columns, rows=rows, link=0, ground=(0, 0, 0)
                )
                drawn = await self._draw(data, request, Style(), is_asked=True)
                return Large(lines=drawn.lines, release=lambda: self._forget(drawn.number))
            case "sixel":
                from tui.screens.messages.sixel import encode

                png, size = await decoding.as_png(data, most, is_asked=True, host=self._host)
                place = pixels.box(size, (columns, rows), cell)
                return Large(size=place, sixel=await asyncio.to_thread(encode, png, place, cell))
            case "blocks":
                most = (columns, rows * 2)
                scaled = await decoding.scaled(
                    data, most, self._ground(), is_asked=True, host=self._host
                )
                return Large(lines=await asyncio.to_thread(half_blocks, scaled, Style()))
