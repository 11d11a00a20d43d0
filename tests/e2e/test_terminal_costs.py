"""What a key and a message cost: bytes to the terminal, rows rendered. Counted, not timed."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual._styles_cache import StylesCache
from textual.css.stylesheet import Stylesheet
from textual.events import Callback
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.scrollbar import ScrollBarRender
from textual.timer import Timer
from textual.widget import Widget

from tests.e2e.client import idle, playing
from tests.e2e.team import KETTLE, team
from tests.live import Live
from tests.real_terminal import RealTerminal, real_client
from tui.api.connection import Connection
from tui.api.routes import messages as routes
from tui.app import ChinwagApp
from tui.cache.outbox import OutboxFile
from tui.errors import ConfigError
from tui.frames import Frame, FrameCompositor
from tui.screens import news
from tui.screens.dialogs.base import Dialog
from tui.screens.type_ahead import TypeAhead
from tui.screens.warming import warm_up
from tui.store.outbox import OutgoingMessage
from tui.view import sidebar
from tui.view.messages import _Writer
from tui.widgets import typed_row
from tui.widgets.card_body import CardBody
from tui.widgets.list_canvas import ListCanvas
from tui.widgets.list_layout import ListLayout


async def _bytes(seen: RealTerminal, key: str) -> int:
    before = len(seen.written)
    seen.press(key)
    await seen.settle()
    return len(seen.written) - before


async def test_a_key_writes_what_it_changed(server: Live, tmp_path: Path) -> None:
    """Over a slow line: a step of the cursor, a character, and a message elsewhere are a few hundred bytes."""
    ann, ben, _ = await team(server)
    for number in range(12):
        await ben.post("messages", type="stream", to="design", topic="tea", content=f"n {number}")
    async with real_client(
        server, ann, tmp_path, narrow="channel:design topic:tea", size=(140, 40)
    ) as seen:
        await seen.shows("n 11", "Jump")
        await seen.settle()
        seen.press("k", "k", "k")
        await seen.settle()
        assert await _bytes(seen, "k") <= 1_000
        assert await _bytes(seen, "j") <= 1_000
        before = len(seen.written)
        await ben.post("messages", type="stream", to="design", topic="else", content="there")
        await seen.shows("else")
        await seen.settle()
        assert 0 < len(seen.written) - before <= 1_000
        seen.press("c")
        await seen.settle()
        seen.type("he")
        await seen.settle()
        assert await _bytes(seen, "y") <= 300


async def test_only_rows_that_changed_are_rendered(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step of the cursor renders the rows of two messages, of no other widget; the key waits for nothing."""
    ann, ben, tea = await team(server)
    for number in range(8):
        await ben.post("messages", type="stream", to="design", topic="tea", content=f"n {number}")
    rendered: Counter[str] = Counter()

    def count(kind: type[Widget]) -> None:
        original = kind.render_lines

        def counting(self: Widget, crop: object) -> object:
            rendered[type(self).__name__] += getattr(crop, "height", 0)
            return original(self, crop)  # type: ignore[arg-type]  # a region

        monkeypatch.setattr(kind, "render_lines", counting)

    async with playing(server, ann, tmp_path, size=(120, 40)) as player:
        await player.go(tea)
        await idle(player)
        player.screen.panes.messages.focus()
        await player.press("k", "k")
        await player.pilot.pause()
        count(Widget)
        count(ListCanvas)
        settle = TypeAhead._settle

        async def settling(self: TypeAhead) -> None:
            rendered["settled"] += 1
            await settle(self)

        monkeypatch.setattr(TypeAhead, "_settle", settling)
        dispatch = MessagePump._dispatch_message

        async def dispatching(self: MessagePump, message: Message) -> None:
            rendered["queued"] += not isinstance(message, Callback)  # with which the test waits
            await dispatch(self, message)

        monkeypatch.setattr(MessagePump, "_dispatch_message", dispatching)
        costs = []
        for key in ("k", "j", "k", "j"):  # beside one of them the server may tell what was read
            rendered.clear()
            await player.press(key)
            await player.pilot.pause()
            waits, queued = rendered.pop("settled", 0), rendered.pop("queued")
            in_all = sum(rendered.values())
            costs.append((in_all, rendered["ConversationList"], waits, queued))
        panes = player.screen.panes
        panes.select_in_sidebar(panes.side.items[0].key)
        await idle(player)
        crossings = []
        for key, there in (("k", panes.pinned), ("j", panes.side)) * 2:
            rendered.clear()
            await player.press(key)
            await player.pilot.pause()
            assert there.has_focus
            assert not rendered["HintLine"]
            crossings.append(rendered["Sidebar"])
        # From one list to the other: the row that is left, with the empty one above, and the row that is gone to.
        assert 0 < min(crossings) <= 3, crossings
        assert isinstance(player.screen._compositor, FrameCompositor)
        in_all, in_messages, waits, queued = min(costs)
        assert waits == 0
        assert queued <= 10, costs
        assert 0 < in_messages <= 8
        # Another message, another kind of hints: not more than that line.
        assert in_all <= in_messages + 8
        # What is drawn goes with its last user, before any collection: no strip has itself as its part.
        drawn = player.screen._compositor.rows((y, 0, 120) for y in range(40))
        strips = [each for row in drawn.values() for each in row.values() if each is not None]
        lines = [*strips, *player.screen.panes.messages._painted]
        parts = [
            (line, part)
            for line in lines
            for key in [*line._divide_cache.keys()]
            for part in line._divide_cache.get(key) or ()
        ]
        assert lines
        assert not any(line is part for line, part in parts)


async def test_a_message_in_view_makes_no_new_scrollbar(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thumb moves with each message; Textual makes a style for each cell then."""
    ann, ben, tea = await team(server)
    for number in range(40):
        await ben.post("messages", type="stream", to="design", topic="tea", content=f"n {number}")
    made: list[object] = []
    original = ScrollBarRender.render_bar

    def counting(*args: Any, **options: Any) -> Any:
        made.append(args)
        return original(*args, **options)

    monkeypatch.setattr(ScrollBarRender, "render_bar", counting)
    async with playing(server, ann, tmp_path) as player:
        await player.go(tea)
        await idle(player)
        player.screen.panes.messages.focus()
        await player.press("end")
        await idle(player)
        made.clear()
        for text in ("one", "two"):
            sent = await ben.post("messages", type="stream", to="design", topic="tea", content=text)
            await player.sees(partial(player.screen.panes.messages.shows, sent["id"]))
            await player.pilot.pause()
        assert not made


async def test_a_message_is_one_frame_of_what_it_changed(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In view it is read as it is shown; elsewhere a count changes: nothing else is made or drawn anew."""
    ann, ben, tea = await team(server)
    for number in range(40):
        await ben.post("messages", type="stream", to="design", topic="tea", content=f"n {number}")
    counts: Counter[str] = Counter()

    def count(of: object, name: str) -> None:
        original = getattr(of, name)

        def counting(*args: Any, **options: Any) -> Any:
            counts[name] += 1
            return original(*args, **options)

        monkeypatch.setattr(of, name, counting)

    async with playing(server, ann, tmp_path) as player:
        await player.go(tea)
        await idle(player)
        messages = player.screen.panes.messages
        messages.focus()
        await player.press("end")
        await idle(player)
        draw, store = ChinwagApp._display, player.screen.account.session.store
        frames: list[str] = []

        def drawing(app: ChinwagApp, screen: Screen[Any], frame: Frame | None) -> None:
            frames.append("" if frame is None else frame.render_segments(app.console))
            draw(app, screen, frame)

        def is_over(message_id: int) -> bool:
            here_is_read = not store.unreads.ids(tea)  # and the server has said so
            return store.max_message_id >= message_id and here_is_read

        await player.sees(partial(is_over, 0))
        # The rows of all that was read at once are looked at once more.
        sent = await ben.post("messages", type="stream", to="design", topic="tea", content="first")
        await player.sees(partial(is_over, sent["id"]))
        await idle(player)
        monkeypatch.setattr(ChinwagApp, "_display", drawing)
        count(_Writer, "_written")
        count(_Writer, "add")
        count(ListLayout, "update")
        for name in ("_channel_row", "_direct"):
            count(sidebar, name)
        dispatch = MessagePump._dispatch_message

        async def dispatching(self: MessagePump, message: Message) -> None:
            counts["queued"] += not isinstance(message, Callback)  # with which the test waits
            await dispatch(self, message)

        monkeypatch.setattr(MessagePump, "_dispatch_message", dispatching)
        for text, place, rows in (
            ("here", "tea", 0),
            ("new", "else", 1),
            ("there", "else", 1),
            ("here", "tea", 1),  # it is above the other one again
            ("here", "tea", 0),
        ):
            await idle(player)
            frames.clear()
            counts.clear()
            sent = await ben.post("messages", type="stream", to="design", topic=place, content=text)
            await player.sees(partial(is_over, sent["id"]))
            await player.sees(lambda: any(frames))
            await idle(player)
            assert len([each for each in frames if each]) == 1, frames
            assert counts["_direct"] == 0
            # The message, drawn as read at once; the server's word of it and of the one before is no news.
            assert counts["_written"] == (1 if text == "here" else 0)
            assert counts["add"] <= (2 if text == "here" else 0)
            # The channel, of all that are listed, if another topic is the first or a count has changed.
            assert counts["_channel_row"] == rows
            # Lists are laid out where a row is new, or has another place.
            assert counts["update"] <= {"here": 2, "new": 1, "there": 0}[text]
            # Of them all but the first one or two are the test's, which waits.
            assert counts["queued"] <= 8, (text, counts)


async def test_a_letter_draws_its_row(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long draft, or the empty lines around a short one, nothing else, and without Textual's styles of a
    line; it begins no task to wait with.
    """
    ann, _, tea = await team(server)
    rendered: list[str] = []
    async with playing(server, ann, tmp_path, size=(120, 40)) as player:
        await player.go(tea)
        composer = player.screen.panes.composer
        composer.focus()
        await idle(player)
        for draft in ("a", "one\ntwo\nthree\nfour"):
            composer.load_text(draft)
            composer.move_cursor(composer.document.end)
            await idle(player)  # its height has changed
            await player.press("b")
            await idle(player)
            with monkeypatch.context() as counted:
                draw, timer = typed_row.draw, Timer._start

                def drawing(*args: Any, draw: Any = draw) -> object:
                    rendered.append("row")
                    return draw(*args)

                def starting(self: Timer, timer: Any = timer) -> None:
                    rendered.append("timer")
                    timer(self)

                counted.setattr(typed_row, "draw", drawing)
                counted.setattr(StylesCache, "render_line", lambda *_: rendered.append("line"))
                counted.setattr(Timer, "_start", starting)
                counted.setattr(Screen, "_binding_chain", property(rendered.append))
                rendered.clear()
                await player.press("c")
                await player.pilot.pause()
                assert composer.text == f"{draft}bc"
                assert rendered == ["row"], rendered


async def test_the_preview_of_words_is_drawn_with_the_letter(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is not needed for words: what I typed and how it will look are one frame, without a pause."""
    ann, _, tea = await team(server)
    frames: list[str] = []
    async with playing(server, ann, tmp_path, size=(120, 40)) as player:
        await player.go(tea)
        composer, preview = player.screen.panes.composer, player.screen.panes.preview
        composer.focus()
        player.screen.account.compose_actions.preview.toggle()
        await player.press("h", "e")
        await idle(player)
        draw = ChinwagApp._display

        def drawing(app: ChinwagApp, screen: Screen[Any], frame: Frame | None) -> None:
            frames.append("" if frame is None else frame.render_segments(app.console))
            draw(app, screen, frame)

        monkeypatch.setattr(ChinwagApp, "_display", drawing)
        await player.press("l")
        await idle(player)
        assert len([each for each in frames if "l" in each]) == 1
        card = preview.query_one(CardBody).region
        rows = player.screen._compositor.render_strips()
        assert rows[card.y].crop(card.x, card.right).text.strip() == "hel"


async def test_the_first_dialog_is_as_quick_as_the_second(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual parses the rules of all screens anew for a dialog of a new kind, and applies them everywhere."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path) as player:
        await idle(player)
        await warm_up(player.app)
        done: list[str] = []
        for name in ("reparse", "update"):
            monkeypatch.setattr(Stylesheet, name, lambda *_, of=name, **__: done.append(of))
        for key in ("f1", "ctrl+p", "slash", "ctrl+k"):
            await player.press(key)
            await player.sees(lambda: isinstance(player.app.screen, Dialog))
            await player.press("escape")
            await player.sees(lambda: player.app.screen is player.screen)
        assert not done


async def test_what_i_send_is_drawn_before_the_disk_is_waited_for(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter shows the words in one frame, however slow the disk is; then the disk, then the wire."""
    ann, _, tea = await team(server)
    order: list[str] = []
    async with playing(server, ann, tmp_path) as player:
        await player.go(tea)
        await idle(player)
        draw, put, send = ChinwagApp._display, OutboxFile.put, routes.send
        seen: list[str] = []

        def drawing(app: ChinwagApp, screen: Screen[Any], frame: Frame | None) -> None:
            seen.append("" if frame is None else frame.render_segments(app.console))
            order.extend(["drawn"] if "with milk" in seen[-1] else [])
            draw(app, screen, frame)

        def putting(disk: OutboxFile, message: OutgoingMessage) -> None:
            order.append("disk")
            put(disk, message)

        async def sending(connection: Connection, **fields: Any) -> routes.SentMessage:
            order.append("wire")
            return await send(connection, **fields)

        player.screen.panes.composer.focus()
        player.screen.panes.composer.load_text("with milk")
        await idle(player)
        monkeypatch.setattr(news, "MOST_SECONDS", 20.0)  # for a frame; here the machine may be busy
        monkeypatch.setattr(ChinwagApp, "_display", drawing)
        monkeypatch.setattr(OutboxFile, "put", putting)
        monkeypatch.setattr(routes, "send", sending)
        await player.press("enter")
        await player.sees(lambda: "wire" in order)
        first = [each for at, each in enumerate(order) if each not in order[:at]]
        assert first == ["drawn", "disk", "wire"]
        assert not any("waiting" in each for each in seen)


async def test_words_that_the_disk_does_not_take_come_back(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a full disk two messages that were shown are in the composer again, in their order."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as player:
        await player.go(tea)
        screen = player.screen
        screen.panes.composer.focus()

        def full(*_: object) -> None:
            raise ConfigError("The disk is full.")

        with monkeypatch.context() as patched:
            patched.setattr(OutboxFile, "put", full)
            for text in ("one", "two"):
                screen.panes.composer.load_text(text)
                screen.panes.composer.action_send()
            screen.panes.composer.insert("three")
            await player.sees(lambda: screen.panes.composer.text == "one\ntwo\nthree")
            await idle(player)
        assert player.texts == [KETTLE]
        screen.account.composing.keep()
        assert [d.content for d in screen.account.session.store.drafts.local.values()] == [
            "one\ntwo\nthree"
        ]
